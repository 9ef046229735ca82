//! Bolz, Farmer, Grinspun, Schröder: *Sparse Matrix Solvers on the GPU: Conjugate Gradients and
//! Multigrid* (SIGGRAPH 2003).
//!
//! | section | what | file |
//! |---|---|---|
//! | 3.1.1 | sparse matrix–vector product | [`sparse::spmv`], `spmv.frag`, `spmv_continued.frag` |
//! | 3.1.1 | diagonal preconditioning | [`crate::solver::preconditioner`], `stream/divide_by_diagonal.frag` |
//! | 3, 3.1.2 | geometric flow, and its matrix computed on the GPU | [`sparse::flow`], `off_diagonal.frag`, `diagonal.frag`, `right_hand_side.frag` |
//! | 3.1.3 | reductions | [`crate::stream::Reduction`] |
//! | 3.2 | packing rows into rectangles | [`sparse::packing`], checked by [`sparse::packing_check`] |
//! | 3.1 | a matrix, or a mesh, as images of streams | [`sparse::matrix`] |
//! | 4 | a grid, its boundary conditions, its coarser grids | [`grid::geometry`] |
//! | 4.2 | four quadrants in four channels, and the border | [`grid::layering`], `grid_*.glsl`, `layer.frag`, `unlayer.frag`, `copy_nodes.frag` |
//! | 4, 4.2 | operators as stencils | [`grid::stencil`], `stencil_entries.glsl`, `stored_stencil.glsl`, `constant_*.glsl` |
//! | 4.2 | the kernels over grids | [`grid::kernels`], `stencil/*.frag`, `transfer/*.frag` |
//! | 4.2 | the hierarchy of grids, on the GPU and on the CPU | [`grid::hierarchy`], [`grid::level`], [`grid::twin`] |
//! | 4.2 | the coarsest level in one pass | [`grid::coarsest_inverse`], `coarsest_inverse.frag` |
//! | 3.3, 5 | timing, compared with the ceiling and the CPU | [`sparse::speed`] |
//! | 4.1, 4.3 | a fluid | [`fluid`], `advect.frag`, `layer_velocity.frag`, `divergence.frag`, `subtract_gradient.frag` … |
//! | 4 | Poisson and Helmholtz solves, for users | [`grid::poisson`], [`grid::equation`] |
//! | 4.3 | timing of section 4, and the cost of the border | [`grid::timing::kernels`], [`grid::timing::cycles`], `*_ceiling.frag` |
//! | 3 to 5 | the claims and their checks | [`claims`] |
//! | 5 | the tuned CPU programs to compare speeds with | [`sparse::cpu`], [`grid::timing::cpu`] |
//!
//! The programs are in `glsl/bolz2003`, in folders of the same names.
//!
//! Conjugate gradients themselves (3.1) and multigrid cycles (4.2) are in [`crate::solver`], for
//! this paper and all others.

#[cfg(feature = "plot")]
pub mod claims;
pub mod fluid;
pub mod grid;
pub mod sparse;
