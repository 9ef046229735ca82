//! Methods on Krylov spaces, once for all spaces and operators: each iteration costs a product or two and
//! some inner products, and the matrix is seen through them alone.
//!
//! | file | holds |
//! |---|---|
//! | [`conjugate_gradients`](mod@conjugate_gradients) | CG and preconditioned CG with residual replacement: symmetric positive definite matrices |
//! | [`biconjugate_gradients`](mod@biconjugate_gradients) | BiCG: any regular matrix, by products with its transpose too |
//! | [`stabilised`] | BiCGSTAB: any regular matrix, without its transpose |

pub mod biconjugate_gradients;
pub mod conjugate_gradients;
mod lanczos;
mod record;
pub mod stabilised;

pub use record::{LinearSystem, Progress};
