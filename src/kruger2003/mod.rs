//! Krüger, Westermann: *Linear Algebra Operators for GPU Implementation of Numerical Algorithms*
//! (SIGGRAPH 2003).
//!
//! | section | what | file |
//! |---|---|---|
//! | 2, 6 | how a vector lies in a texture | [`layout`] |
//! | 2, 3 | `clVec`: vectors | [`vector`] |
//! | 3 | `clVecOp`, `clVecReduce`, `clMatVec` | [`algebra`], `vector_op.frag`, `scale.frag`, `pad.frag` |
//!
//! Conjugate gradients (5.1) are in [`crate::solver`], for this paper and all others.

pub mod algebra;
pub mod error;
pub mod layout;
pub mod vector;

pub use algebra::{Algebra, Matrix, Operation, Term};
pub use error::AlgebraError;
pub use layout::{Layout, Packing};
pub use vector::Vector;
