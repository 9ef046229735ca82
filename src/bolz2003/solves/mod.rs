//! Solves with a command: Poisson's equation, and meshes that become smoother.

pub mod poisson;
mod problem;
mod right_side;
pub mod smooth;

pub use poisson::POISSON;
pub use problem::Problem;
pub use smooth::SMOOTH;
