//! Solvers beside conjugate gradients (sections 5.2 and 7).

pub mod gauss_seidel;
pub mod lu;
pub mod lu_solver;
mod substitution;
