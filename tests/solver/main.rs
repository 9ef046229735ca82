//! The algorithms on vectors in main memory.

mod conjugate_gradients;
mod csr;
mod matrices;
