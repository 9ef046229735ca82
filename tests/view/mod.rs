//! Windows, and what they show.

mod liquid;
mod pictures;
mod water;
