//! Linear algebra operators: vectors, matrices, solvers, simulations, the claims.

mod cavity;
mod claims;
mod host;
mod lu;
mod matrices;
mod pictures;
mod points;
mod refraction;
mod simulations;
mod solvers;
mod vectors;
