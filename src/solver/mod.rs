//! Algorithms written once, over traits: vector spaces, operators, conjugate gradients.
//!
//! A solver sees vectors only through [`VectorSpace`] and matrices only through [`Operator`], so the same
//! function runs on textures, on `Vec<f32>` (their reference) and on `Vec<f64>` (exact). A paper supplies
//! layouts and kernels, never a second conjugate gradient method.

pub mod csr;
pub mod dense;
pub mod ending;
pub mod host;
pub mod krylov;
pub mod multigrid;
pub mod preconditioner;
pub mod real;
pub mod refinement;
pub(crate) mod scaling;
pub mod space;
pub mod steps;
pub mod stopping;
pub mod texture_space;

pub use csr::{Csr, CsrError, TrueResidual, true_residual};
pub use dense::Lu;
pub use ending::Ending;
pub use host::{HostSpace, LengthMismatch};
pub use krylov::biconjugate_gradients::{Transposed, biconjugate_gradients};
pub use krylov::conjugate_gradients::{Workspace, conjugate_gradients};
pub use krylov::minres::minimal_residuals;
pub use krylov::stabilised::stabilised_biconjugate_gradients;
pub use krylov::{LinearSystem, Progress};
pub use multigrid::{Cycle, Hierarchy, Levels, MatrixHierarchy, Multigrid, Start};
pub use preconditioner::{DiagonalPreconditioner, TextureDiagonal};
pub use real::Real;
pub use space::{Operator, VectorSpace};
pub use steps::Steps;
pub use stopping::{Criteria, Outcome, Reason, Seconds};
pub use texture_space::{Operation, TextureSpace};
