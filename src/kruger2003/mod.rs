//! Krüger, Westermann: *Linear Algebra Operators for GPU Implementation of Numerical Algorithms*
//! (SIGGRAPH 2003).
//!
//! | section | what | file |
//! |---|---|---|
//! | 2, 6 | how a vector lies in a texture | [`layout`] |
//! | 2, 3 | `clVec`: vectors | [`vector`] |
//! | 3 | `clVecOp`, `clVecReduce`, `clMatVec` | [`algebra`], `vector_op.frag`, `scale.frag`, `pad.frag` |
//! | 3.2 | sums over several passes, in place or by turns | [`accumulate`] |
//! | 2, 3.2, 4.1 | matrices as diagonals, and the transpose | [`diagonals`], `diagonals.frag` |
//! | 3.2 | dense matrices as columns | [`columns`], `columns.frag` |
//! | 4.2 | sparse matrices as vertices | [`vertices`], `vertices.frag` |
//! | 4.2 | banded matrices as one representative set of vertices | [`band`] |
//! | 5.2 | Gauss–Seidel by column sweeps | [`gauss_seidel`] |
//! | all | the kernels on the CPU, same arithmetic, same order | [`twin`] |
//! | all | the paper's numbers and claims, rebuilt | [`experiments`] |
//! | 6 | timing, beside ceilings and the CPU | [`speed`] |
//! | 6 | the program for the CPU to compare speeds with | [`cpu`] |
//!
//! Conjugate gradients (5.1) are in [`crate::solver`], for this paper and all others.

pub mod accumulate;
pub mod algebra;
pub mod band;
pub mod columns;
pub mod cpu;
pub mod diagonals;
pub mod error;
pub mod experiments;
pub mod gauss_seidel;
pub mod layout;
pub mod speed;
pub mod twin;
pub mod vector;
pub mod vertices;

pub use accumulate::Accumulation;
pub use algebra::{Algebra, Matrix, Operation, Term};
pub use band::BandMatrix;
pub use columns::{ColumnMatrix, ColumnOptions};
pub use diagonals::{DiagonalMatrix, DiagonalOptions};
pub use error::AlgebraError;
pub use gauss_seidel::{GaussSeidel, Schedule};
pub use layout::{Layout, Packing};
pub use vector::Vector;
pub use vertices::VertexMatrix;
