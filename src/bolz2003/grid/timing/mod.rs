//! Timing of section 4: kernels, cycles, what the border costs, and the CPU beside them.

pub mod bench;
pub mod cpu;
pub mod cycles;
pub mod kernels;
pub mod problem;
