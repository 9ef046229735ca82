//! Timing of section 4: kernels, cycles, what the border costs, and the CPU beside them.

pub mod borderless;
pub mod cpu;
pub mod cycles;
pub mod kernels;
