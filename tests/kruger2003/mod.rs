//! Linear algebra operators: vectors, matrices, solvers, simulations, the claims.

mod claims;
mod dense;
mod host;
mod matrices;
mod pictures;
mod points;
mod refraction;
mod simulations;
mod solvers;
mod vectors;
