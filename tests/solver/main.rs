//! The algorithms on vectors in main memory.

mod conjugate_gradients;
mod csr;
mod dense;
mod matrices;
mod matrix_hierarchy;
