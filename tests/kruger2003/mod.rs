//! Linear algebra operators: vectors, matrices, solvers, simulations, the experiments.

mod dense;
mod experiments;
mod host;
mod matrices;
mod pictures;
mod points;
mod refraction;
mod simulations;
mod solvers;
mod vectors;
