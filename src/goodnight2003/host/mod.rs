//! The solver on the CPU: the reference with the same arithmetic, and a tuned version.

pub mod cpu;
pub mod reference;
