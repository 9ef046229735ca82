//! What is shown in windows, one a file.

mod dye;
mod liquid;
mod water;
