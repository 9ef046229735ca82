//! The pressure: its system, and its solvers.

pub mod gpu;
pub mod host;
pub mod solve;
pub mod system;

pub use gpu::{GpuSolver, Settings};
pub use host::{Extent, Preconditioner, host_solver};
pub use solve::PressureSolver;
pub use system::System;
