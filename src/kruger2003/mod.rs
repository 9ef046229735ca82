//! Krüger, Westermann: *Linear Algebra Operators for GPU Implementation of Numerical Algorithms*
//! (SIGGRAPH 2003).
//!
//! | section | what | file |
//! |---|---|---|
//! | 2, 6 | layout of a vector in a texture | [`crate::stream::Layout`] |
//! | 3 | `clVecOp`, `clVecReduce`, `clMatVec`; sums in place or by ping-pong | `operators`, over [`crate::solver::TextureSpace`] |
//! | 2, 3.2, 4.1 | matrices as diagonals, and the transpose | [`diagonals`], `matrices/diagonals.frag` |
//! | 6 | conjugate gradients in 24 bits, by the interpreter | [`precision`] |
//! | 3.2 | dense matrices as columns: each a texture, or all in one | `columns`, `matrices/column.frag`, `columns.frag` |
//! | 3.2, Fig. 2 | the product that the paper rejects | [`rejected`], `matrices/entrywise.frag`, `halve_rows.frag` |
//! | 4.2 | sparse matrices as vertices, and one set of vertices for a banded matrix | `vertices`, `matrices/vertices.frag` |
//! | 5.1 | conjugate gradients, call by call | `gradients` |
//! | 5.2 | Gauss–Seidel by column sweeps | `gauss_seidel`, `solvers/substitute.frag` |
//! | 6 | water: the wave equation, implicit | `water`, `simulation/water_right_hand_side.frag` |
//! | 6 | water by an explicit scheme, for comparison | [`explicit`] |
//! | 6 | the Navier–Stokes equations | `fluid`, `simulation/*.frag` |
//! | 6 | strokes | `strokes`, `simulation/stroke.frag`, `simulation/push.frag` |
//! | Figs. 1, 6, 7, 8 | what people run: rain and pens, pictures from the solvers' textures | [`scenes`], `simulation/*_picture.frag` |
//! | 6 | timed cases of the claims and of `fragstream bench` | `study::cases` |
//! | 6 | CPU program for comparison of speed | [`study::cpu`] |
//! | 7 | future work: matrix times matrix, LU decomposition and its solver | `columns`, `lu`, `matrices/matrix_product.frag`, `solvers/*.frag` |
//! | all | claims | [`study::claims`] |
//!
//! The programs are in `glsl/kruger2003`. Conjugate gradients with two sums per iteration are in [`crate::solver`], for
//! this paper and all others.
//!
//! The paper in twenty lines:
//!
//! ```
//! use fragstream::kruger2003::{DiagonalMatrix, ListedGradients, ProductOptions, WaterSettings, cl_mat_vec};
//! use fragstream::solver::{Criteria, Operation, TextureSpace};
//! use fragstream::stream::{Format, Layout, Machine};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // The matrix of an implicit step of water: five diagonals, each a texture.
//! let machine = Machine::headless()?;
//! let layout = Layout::grid((16, 16), Format::R32F);
//! let space = TextureSpace::new(&machine, layout)?;
//! let a = WaterSettings::new(16, 16).matrix();
//! let a = DiagonalMatrix::new(&machine, layout, &a, ProductOptions::default())?;
//! // A drop; conjugate gradients, call by call as in section 5.1.
//! let drop: Vec<f32> = (0..256).map(|cell| if cell == 120 { 1.0 } else { 0.0 }).collect();
//! let (b, mut x, mut r) = (space.vector(&drop)?, space.zeros()?, space.zeros()?);
//! let criteria = Criteria::to(1e-5);
//! ListedGradients::new(&space)?.solve(&space, (&a, &b), &mut x, &criteria, |_| ())?;
//! cl_mat_vec(&space, Operation::Subtract, Some((&a, &x)), Some(&b), &mut r)?;
//! assert!(r.read()?.iter().all(|r| r.abs() < 1e-4));
//! # Ok(())
//! # }
//! ```

mod columns;
pub mod diagonals;
mod error;
pub mod explicit;
mod fluid;
mod gauss_seidel;
mod gradients;
mod lu;
mod operators;
#[cfg(feature = "plot")]
pub mod precision;
pub mod rejected;
pub mod scenes;
pub(crate) mod strokes;
pub mod study;
mod vertices;
mod water;

pub(crate) use columns::Tiles;
pub use columns::{ColumnMatrix, ColumnTextures};
pub use diagonals::DiagonalMatrix;
pub use error::Error;
pub use fluid::{Fluid, FluidSettings, Interpolation, Walls};
pub use gauss_seidel::GaussSeidel;
pub use gradients::ListedGradients;
pub use lu::{Lu, LuSolver};
pub use operators::{
    Accumulation, MOST_BYTES, Matrix, ProductOptions, Term, cl_mat_vec, cl_vec_op, cl_vec_reduce,
};
pub use strokes::Stroke;
pub use vertices::{BandMatrix, VertexMatrix};
pub use water::{Shore, Water, WaterSettings};

use crate::stream::Limits;

/// Its card is a Radeon 9800.
pub const LIMITS: Limits = Limits::R300;
