//! Timing of section 4: kernels, cycles, the cost of the border, and the CPU for comparison.

pub mod bench;
pub mod cpu;
pub mod cycles;
pub mod kernels;
pub mod problem;
