//! Demos for windows, one per file.

pub mod cycle;
mod dye;
pub mod jet;
mod liquid;
mod water;
