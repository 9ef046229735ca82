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
//! | 6 | water: the wave equation, implicit | [`water`], `water_right_hand_side.frag` |
//! | 6 | the Navier–Stokes equations | [`navier_stokes`], `explicit.frag`, `divergence.frag`, `project.frag`, `carry_dye.frag`, `interpolate_*.glsl` |
//! | 6 | the box with a moving lid, beside a published solution | [`cavity`] |
//! | Figs. 1, 6, 7, 8 | pictures from the solvers' textures | [`picture`], [`camera`], `*_picture.frag` |
//! | 6 | strokes without a hand | [`scene`] |
//! | 6 | strokes that push water or fluid | [`stroke`], `stroke.frag` |
//! | 5.2, 7 | triangular systems in place | `substitution`, `substitute.frag`, `divide_by_pivots.frag` |
//! | 7 | future work: matrix times matrix | [`matrix_product`], `matrix_product.frag` |
//! | 7 | future work: LU decomposition, and solving by it | [`lu`], [`lu_solver`], `lu_step.frag`, `pivot.frag`, `permute.frag` |
//! | all | the kernels on the CPU, same arithmetic, same order | [`twin`], [`simulation_twin`] |
//! | all | the paper's numbers and claims, rebuilt | [`experiments`] |
//! | 6 | timing, beside ceilings and the CPU | [`speed`] |
//! | 6 | the program for the CPU to compare speeds with | [`cpu`] |
//!
//! Conjugate gradients (5.1) are in [`crate::solver`], for this paper and all others.

pub mod accumulate;
pub mod algebra;
pub mod band;
pub mod camera;
pub mod cavity;
pub mod columns;
pub mod cpu;
pub mod diagonals;
pub mod error;
pub mod experiments;
mod five_point;
pub mod gauss_seidel;
pub mod layout;
pub mod lu;
pub mod lu_solver;
pub mod matrix_product;
pub mod navier_stokes;
pub mod picture;
pub mod scene;
pub mod simulation_error;
pub mod simulation_twin;
pub mod speed;
pub mod stroke;
mod substitution;
pub mod twin;
pub mod vector;
pub mod vertices;
pub mod water;

pub use accumulate::Accumulation;
pub use algebra::{Algebra, Matrix, Operation, Term};
pub use band::BandMatrix;
pub use columns::{ColumnMatrix, ColumnOptions};
pub use diagonals::{DiagonalMatrix, DiagonalOptions};
pub use error::AlgebraError;
pub use gauss_seidel::{GaussSeidel, Schedule};
pub use layout::{Layout, Packing};
pub use lu::{Lu, Pivoting};
pub use lu_solver::LuSolver;
pub use navier_stokes::{Fluid, FluidSettings, Interpolation, Walls};
pub use simulation_error::SimulationError;
pub use stroke::Stroke;
pub use vector::Vector;
pub use vertices::VertexMatrix;
pub use water::{Shore, Water, WaterSettings};
