//! Krüger, Westermann: *Linear Algebra Operators for GPU Implementation of Numerical Algorithms*
//! (SIGGRAPH 2003).
//!
//! | section | what | file |
//! |---|---|---|
//! | 2, 6 | the layout of a vector in a texture | [`crate::stream::Layout`] |
//! | 3 | `clVecOp`, `clVecReduce`, `clMatVec` | [`vectors::operations`], over [`crate::solver::TextureSpace`]: `stream/vector_op.frag`, `scale.frag`, `pad.frag`, `reduce*.frag` |
//! | 3.2 | sums over several passes, in place or by ping-pong | [`vectors::accumulate`] |
//! | 2, 3.2, 4.1 | matrices as diagonals, and the transpose | [`matrices::diagonals`], `diagonals.frag` |
//! | 3.2 | dense matrices as columns, each a texture, or all in one | [`matrices::column_textures`], `column.frag`, [`matrices::columns`], `columns.frag` |
//! | 4.2 | sparse matrices as vertices | [`matrices::vertices`], `vertices.frag` |
//! | 4.2 | banded matrices as one representative set of vertices | [`matrices::band`] |
//! | 5.1 | conjugate gradients, call by call | [`solvers::gradients`] |
//! | 5.2 | Gauss–Seidel by column sweeps | [`solvers::gauss_seidel`] |
//! | 6 | water: the wave equation, implicit | [`simulation::water`], `water_right_hand_side.frag` |
//! | 6 | the Navier–Stokes equations | [`simulation::navier_stokes`], `explicit.frag`, `divergence.frag`, `project.frag`, `carry_dye.frag`, `interpolate_*.glsl` |
//! | 6 | the box with a moving lid, compared with a published solution | [`simulation::cavity`] |
//! | Figs. 1, 6, 7, 8 | pictures from the solvers' textures | [`simulation::picture`], [`simulation::camera`], `*_picture.frag` |
//! | 6 | automatic strokes, and scenes for films and windows | [`simulation::scene`], [`simulation::shown`] |
//! | 6 | strokes that push water or fluid | [`simulation::stroke`], `stroke.frag` |
//! | 6 | conjugate gradients in the number formats of the GPUs | [`solvers::interpreted`] |
//! | 5.2, 7 | triangular systems in place | `substitution`, `substitute.frag`, `divide_by_pivots.frag` |
//! | 7 | future work: matrix times matrix | [`matrices::matrix_product`], `matrix_product.frag` |
//! | 7 | future work: LU decomposition, and solving by it | [`solvers::lu`], [`solvers::lu_solver`], `lu_step.frag`, `pivot.frag`, `permute.frag` |
//! | all | the paper's numbers and claims, rebuilt | [`claims`] |
//! | 6 | timing, compared with ceilings and the CPU | [`speed`] |
//! | 6 | the CPU program for comparison of speed | [`cpu`] |
//!
//! Conjugate gradients with two sums per iteration are in [`crate::solver`], for this paper and all others.

#[cfg(feature = "plot")]
pub mod claims;
pub mod cpu;
pub mod matrices;
pub mod simulation;
pub mod solvers;
pub mod speed;
pub mod vectors;

pub use matrices::band::BandMatrix;
pub use matrices::column_textures::ColumnTextures;
pub use matrices::columns::{ColumnMatrix, ColumnOptions};
pub use matrices::diagonals::{DiagonalMatrix, DiagonalOptions};
pub use matrices::vertices::VertexMatrix;
pub use simulation::error::SimulationError;
pub use simulation::navier_stokes::{Fluid, FluidSettings, Interpolation, Walls};
pub use simulation::stroke::Stroke;
pub use simulation::water::{Shore, Water, WaterSettings};
pub use solvers::gauss_seidel::{GaussSeidel, Schedule};
pub use solvers::gradients::Gradients;
pub use solvers::lu::{Lu, Pivoting};
pub use solvers::lu_solver::LuSolver;
pub use vectors::accumulate::Accumulation;
pub use vectors::error::AlgebraError;
pub use vectors::operations::{Matrix, Term, cl_mat_vec, cl_vec_op, cl_vec_reduce};
