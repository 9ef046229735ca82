//! Sparse matrices in rectangles of rows of one length, and geometric flow with them (section 3).

pub mod cpu;
pub mod flow;
pub mod long_program;
pub mod matrix;
pub mod packing;
pub mod packing_check;
pub mod speed;
pub mod spmv;
