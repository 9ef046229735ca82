//! Bolz, Farmer, Grinspun, Schröder: *Sparse Matrix Solvers on the GPU: Conjugate Gradients and
//! Multigrid* (SIGGRAPH 2003).
//!
//! | section | what | file |
//! |---|---|---|
//! | 3.1.1 | sparse matrix-vector product | [`spmv`], `glsl/bolz2003/spmv.frag`, `spmv_continued.frag` |
//! | 3.1.1 | diagonal preconditioning | [`preconditioner`], `divide_by_diagonal.frag` |
//! | 3, 3.1.2 | geometric flow, and its matrix computed on the GPU | [`flow`], `off_diagonal.frag`, `diagonal.frag`, `right_hand_side.frag` |
//! | 3.1.3 | reductions | [`crate::stream::Reduction`] |
//! | 3.2.2 | the best rectangle, measured on the present GPU | [`measured_rectangle`] |
//! | 3.2 | packing rows into rectangles | [`packing`], checked by [`packing_check`] |
//! | 3.1 | a matrix, or a mesh, as images of streams | [`matrix`] |
//! | 3.1 | the kernels on the CPU, same arithmetic, same order | [`twin`] |
//! | 4 | a grid, its boundary conditions, its coarser grids | [`grid`] |
//! | 4.2 | four quadrants in four channels, and the border | [`layering`] (drawn by [`layout_picture`]), `grid_*.glsl`, `layer.frag`, `unlayer.frag`, `copy_nodes.frag` |
//! | 4, 4.2 | operators as stencils | [`stencil`], `stencil_entries.glsl`, `stored_stencil.glsl`, `constant_*.glsl` |
//! | 4.2 | the kernels over grids | [`grid_kernels`], `stencil_*.frag`, `interpolate.frag`, `correct.frag`, `project.frag`, `compose_stencil.frag` |
//! | 4.2 | the hierarchy of grids, on the GPU and on the CPU | [`grid_hierarchy`], [`grid_level`], [`grid_space`], [`grid_twin`] |
//! | 4.2 | the coarsest level at once | [`coarsest_inverse`], `coarsest_inverse.frag` |
//! | 4 | Poisson and Helmholtz solves, for users | [`poisson`], [`equation`] |
//! | 3.3, 5 | timing, beside the ceiling and the CPU | [`speed`] |
//! | 4.3 | timing of section 4, and what the border costs | [`grid_kernel_speed`], [`grid_speed`], [`borderless`], `*_ceiling.frag` |
//! | 5 | the tuned CPU programs to compare speeds with | [`cpu`], [`grid_cpu`] |
//!
//! Conjugate gradients themselves (3.1) and multigrid cycles (4.2) are in [`crate::solver`], for
//! this paper and all others.

pub mod borderless;
pub mod coarsest_inverse;
pub mod cpu;
pub mod equation;
pub mod experiments;
pub mod flow;
pub mod grid;
pub mod grid_cpu;
pub mod grid_hierarchy;
pub mod grid_kernel_speed;
pub mod grid_kernels;
pub mod grid_level;
pub mod grid_space;
pub mod grid_speed;
pub mod grid_twin;
pub mod layering;
pub mod layout_picture;
pub mod matrix;
pub mod measured_rectangle;
pub mod packing;
pub mod packing_check;
pub mod poisson;
pub mod preconditioner;
pub mod speed;
pub mod spmv;
pub mod stencil;
pub mod twin;
