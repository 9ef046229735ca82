//! The solve on the GPU: conjugate gradients in fragment programs, with every switch of Appendix C.
//!
//! | in the paper | what | file |
//! |---|---|---|
//! | Appendix C | the switches | [`settings`] |
//! | GPU Algorithm Implementation; C, steps 2, 3, 5 | positions of cells, and distances of neighbours | [`placement`] |
//! | GPU Algorithm Implementation, the listing; C, steps 1, 9 | the product and the preconditioner | [`matrix`]: `septdiagmul.frag` with `index_*`, `offsets_*`, `matrix_*`, `entries_*`; `precondition.frag` |
//! | Appendix B; C, steps 6, 7, 10 | dot products and Scale-Add, counted and timed | [`space`]: `multiply.frag`, `stream/reduce*.frag`, `stream/vector_op.frag` |
//! | C, step 8 | scalars that stay on the GPU | [`surfaces`]: `channel_sum.frag`, `quotient.frag`, `scale_add.frag` |
//! | the table | set-up, solve, read-back | [`solver`] |

pub mod matrix;
pub mod placement;
pub mod settings;
pub mod solver;
pub mod space;
pub mod surfaces;

pub use placement::Placement;
pub use settings::{Entries, Guess, Index, NORM_EVERY, Offsets, Scalars, Settings, Storage};
pub use solver::GpuSolver;
pub use space::{Operation, Tally};
