//! The pressure: its system, and how it is solved.

pub mod error;
pub mod solve;
pub mod system;

pub use error::PressureError;
pub use solve::PressureSolver;
pub use system::System;
