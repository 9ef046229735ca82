//! Solves with a command: Poisson's equation, and meshes that become smoother.

pub mod poisson;
mod right_side;
pub mod smooth;

pub use poisson::POISSON;
pub use smooth::SMOOTH;
