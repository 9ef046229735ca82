//! Section 3: sparse matrices and geometric flow.

pub mod access;
pub mod entries;
pub mod fig3;
pub mod fig4_cube;
pub mod fig4_scan;
pub mod long_program;
pub mod padding;
pub mod rectangle;
pub mod reference;
pub mod rows200;
pub mod smoothing_step;
pub mod transpose;
