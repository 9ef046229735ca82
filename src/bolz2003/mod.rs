//! Bolz, Farmer, Grinspun, Schröder: *Sparse Matrix Solvers on the GPU: Conjugate Gradients and Multigrid* (SIGGRAPH 2003).

pub mod cpu;
pub mod matrix;
pub mod packing;
pub mod packing_check;
pub mod twin;
