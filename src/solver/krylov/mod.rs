//! Krylov methods, written once for all spaces and operators. They access the matrix only through products.
//!
//! | file | holds |
//! |---|---|
//! | [`conjugate_gradients`](mod@conjugate_gradients) | CG and preconditioned CG with residual replacement: symmetric positive definite matrices |
//! | [`minres`] | MINRES: symmetric matrices, also indefinite ones |
//! | [`biconjugate_gradients`](mod@biconjugate_gradients) | BiCG: any nonsingular matrix, with products with
//! its transpose |
//! | [`stabilised`] | BiCGSTAB: any nonsingular matrix, without its transpose |

pub mod biconjugate_gradients;
pub mod conjugate_gradients;
mod lanczos;
pub mod minres;
mod record;
pub mod stabilised;

pub use record::{LinearSystem, Progress};
