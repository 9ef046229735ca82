//! What is shown in windows, one a file.

pub mod cycle;
mod dye;
pub mod jet;
mod liquid;
mod water;
