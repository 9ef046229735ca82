//! Section 3: sparse matrices and geometric flow.

pub mod access;
pub mod entries;
pub mod fig3;
pub mod flow;
pub mod padding;
pub mod rectangle;
pub mod reference;
pub mod rows200;
pub mod transpose;
