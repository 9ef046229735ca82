//! Solvers (sections 5 and 7).

pub mod gauss_seidel;
pub mod gradients;
pub mod interpreted;
pub mod lu;
pub mod lu_solver;
mod substitution;
