//! Bolz, Farmer, Grinspun, Schröder: *Sparse Matrix Solvers on the GPU: Conjugate Gradients and Multigrid* (SIGGRAPH 2003).

pub mod cpu;
pub mod packing;
pub mod twin;
