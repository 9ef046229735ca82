//! Sparse matrices in rectangles of rows of one length, and geometric flow with them (section 3).

pub mod flow;
pub mod matrix;
pub mod packing;
pub mod smoothing;
pub mod spmv;
