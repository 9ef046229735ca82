//! Bolz, Farmer, Grinspun, Schröder: *Sparse Matrix Solvers on the GPU: Conjugate Gradients and
//! Multigrid* (SIGGRAPH 2003).
//!
//! | section | what | file |
//! |---|---|---|
//! | 3, 3.1 | a matrix as images of streams | [`sparse::matrix`] |
//! | 3.2 | packing rows into rectangles | [`sparse::packing`] |
//! | 3.1.1 | sparse matrix–vector product | [`sparse::spmv`], `spmv.frag`, `spmv_continued.frag` |
//! | 3.1 | conjugate gradients, call by call | [`sparse`] |
//! | 3, 3.1.2 | geometric flow, and its matrix computed on the GPU | [`sparse::flow`], `off_diagonal.frag`, `diagonal.frag`, `right_hand_side.frag` |
//! | 3, 3.1 | a mesh that becomes smoother, by conjugate gradients | [`sparse::smoothing`] |
//! | 4 | a grid, its boundary conditions, its coarser grids | [`grid::geometry`] |
//! | 4, 4.2 | operators as stencils | [`grid::stencil`], `stencil_entries.glsl`, `stored_stencil.glsl`, `constant_*.glsl` |
//! | 4.2 | the kernels over grids | [`grid::kernels`], `stencil/*.frag`, `transfer/*.frag` |
//! | 4.2 | four quadrants in four channels, and the border | [`grid::layering`], `grid_*.glsl`, `layer.frag`, `unlayer.frag`, `copy_nodes.frag` |
//! | 4.2 | a level, and the hierarchy of levels | [`grid::level`], [`grid::hierarchy`] |
//! | 4.2 | the same hierarchy on the CPU | [`study::reference`] |
//! | 4.2 | residuals in pairs of floats | [`grid::pair_residual`] |
//! | 4 | Poisson and Helmholtz solves, for users | [`scenes::poisson`] |
//! | 4.1, 4.3 | a fluid | [`fluid`], `advect.frag`, `layer_velocity.frag`, `divergence.frag`, `subtract_gradient.frag` … |
//! | 4.1 | what people run: a jet | [`scenes`] |
//! | 3, 4 | what people run: `smooth`, `poisson` | [`solves`] |
//! | 3.3, 4.3, 5 | the timed cases | [`study::cases`] |
//! | 3.2 | pictures of rectangles and of packing | `study::pictures` |
//! | 3.2.1 | rectangles drawn alone with a long program | [`rectangles`] |
//! | 3 to 5 | the claims and their checks | [`study::claims`] |
//!
//! The programs are in `glsl/bolz2003`, in folders of the same names. Conjugate gradients (3.1), their diagonal
//! preconditioner (3.1.1) and multigrid cycles (4.2) are in [`crate::solver`], and reductions (3.1.3) in
//! [`crate::stream::Reduction`], for this paper and all others.
//!
//! The paper in twenty lines:
//!
//! ```
//! use fragstream::bolz2003::sparse::flow::{FlowLayout, GeometricFlow};
//! use fragstream::bolz2003::sparse::packing::PackingOptions;
//! use fragstream::mesh::Connectivity;
//! use fragstream::mesh::generate::{add_normal_noise, cube};
//! use fragstream::solver::{Criteria, Reason};
//! use fragstream::stream::Machine;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A mesh with noise; its rows of equal length are rectangles of textures.
//! let machine = Machine::headless()?;
//! let mut mesh = cube(4);
//! add_normal_noise(&mut mesh, 0.1, 7);
//! let layout = FlowLayout::new(&Connectivity::new(&mesh)?, &PackingOptions::default())?;
//! let mut flow = GeometricFlow::new(&machine, &mesh.positions, layout)?;
//! // The matrix of an implicit step is computed from the positions, and solved for the smoothed ones.
//! flow.compute_entries(0.02)?;
//! let outcome = flow.solve(false, &Criteria::to(1e-5))?;
//! assert_eq!(outcome.reason, Reason::Converged);
//! assert_eq!(flow.positions()?.len(), mesh.positions.len());
//! # Ok(())
//! # }
//! ```

mod error;
pub mod fluid;
pub mod grid;
pub mod rectangles;
pub mod scenes;
pub mod solves;
pub mod sparse;
pub mod study;

pub use error::Error;

use crate::stream::Limits;

/// Its card is a GeForce FX.
pub const LIMITS: Limits = Limits::NV30;
