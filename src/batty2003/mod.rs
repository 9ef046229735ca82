//! Batty, Wiebe, Houston: *High Performance Production-Quality Fluid Simulation via NVIDIA's
//! QuadroFX* (2003).
//!
//! The pressure projection of a production liquid: conjugate gradients with a diagonal
//! preconditioner on the seven-point matrix of a 3D box, four cells per texel, rows wrapped. As in
//! the paper, the CPU does everything except the solve.
//!
//! | section | what | file |
//! |---|---|---|
//! | Pressure Projection Step | the system A p = b on the whole box | `system` |
//! | Preconditioned Conjugate Gradient Method | the CPU's solvers: diagonal, incomplete Cholesky | `incomplete_cholesky` |
//! | Appendix C | the switches of the solve on the GPU | `settings` |
//! | GPU Algorithm Implementation; C, steps 2, 3, 5 | positions of cells, and distances of neighbours | `placement` |
//! | GPU Algorithm Implementation, the listing; C, steps 1, 9 | the product and the preconditioner | `matrix`: `septdiagmul.frag` with `index_*`, `offsets_*`, `matrix_*`, `entries_*`; `precondition.frag` |
//! | Appendix B; C, steps 6, 7, 10 | dot products and Scale-Add | `space`: `multiply.frag`, `stream/reduce*.frag`, `stream/vector_op.frag` |
//! | C, step 8 | scalars that stay on the GPU | `surfaces`: `channel_sum.frag`, `quotient.frag`, `scale_add.frag` |
//! | the table of operations | the operations by their programs; set-up, solve, read-back | `operation`, `solver` |
//! | the tables | their numbers | [`study::table`] |
//! | Appendix B and before | the two printed listings | [`study::printed`] |
//! | the table of operations | timed cases, compared with ceilings and the CPU | `study::cases` |
//! | Fig. 2, the tables, Appendices | the paper's numbers and claims, rebuilt | [`study::claims`] |
//! | Background | the liquid around it: scenes, particles, surface | [`scenes::flip`] |
//! | (not in the paper) | the surface as a mesh, and its picture in a glass box | [`scenes::picture`] |
//! | (not in the paper) | what people run: the liquid, and its scene files | [`scenes`] |
//!
//! The paper in twenty lines:
//!
//! ```
//! use fragstream::batty2003::{GpuSolver, PressureSolver, Settings, System};
//! use fragstream::solver::{Criteria, Reason};
//! use fragstream::stream::Machine;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A box of 8x8x8 cells, full of liquid below air: -1 to each neighbour in the liquid.
//! let machine = Machine::headless()?;
//! let mut system = System::<f64>::zeros([8; 3]);
//! for cell in 0..system.cells() {
//!     for axis in 0..3 {
//!         if let Some(other) = system.after(cell, axis) {
//!             system.diagonal[cell] += 1.0;
//!             system.diagonal[other] += 1.0;
//!             system.upper[axis][cell] = -1.0;
//!         }
//!     }
//!     if cell / 8 % 8 == 7 {
//!         system.diagonal[cell] += 1.0;
//!     }
//! }
//! system.right_side[8 * 8 * 4 + 8 * 4 + 4] = 1.0;
//! // Conjugate gradients with the diagonal as preconditioner, four cells per texel.
//! let mut solver = GpuSolver::new(&machine, system.size, Settings::default())?;
//! let mut pressure = vec![0.0; system.cells()];
//! let outcome = solver.solve(&system, &mut pressure, &Criteria::to(1e-5))?;
//! assert_eq!(outcome.reason, Reason::Converged);
//! assert!(system.residual_norm(&pressure) <= 1e-5);
//! # Ok(())
//! # }
//! ```

mod error;
mod incomplete_cholesky;
mod matrix;
mod operation;
mod placement;
pub mod scenes;
mod settings;
mod solver;
mod space;
pub mod study;
mod surfaces;
mod system;

pub use error::Error;
pub use incomplete_cholesky::{IncompleteCholesky, MODIFIED, Preconditioner, host_solver};
pub(crate) use matrix::product_source;
pub use matrix::{InverseDiagonal, SevenDiagonals};
pub use operation::Operation;
pub use placement::Placement;
pub use settings::{Entries, Guess, Index, NORM_EVERY, Offsets, Scalars, Settings, Storage};
pub use solver::GpuSolver;
pub use space::PressureSpace;
pub use system::{PressureSolver, System};

use crate::stream::Limits;

/// Its card is a Quadro FX 1000.
pub const LIMITS: Limits = Limits::NV30;
