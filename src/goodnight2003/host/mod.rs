//! The solver on the CPU: the same arithmetic, and as fast as a CPU can.

pub mod cpu;
pub mod reference;
