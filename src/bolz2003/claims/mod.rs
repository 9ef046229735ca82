//! The paper's claims, in its order.

use crate::claim::Paper;

/// The paper and its claims.
pub static PAPER: Paper = Paper {
    id: "bolz2003",
    authors: "Jeff Bolz, Ian Farmer, Eitan Grinspun, Peter Schröder",
    title: "Sparse Matrix Solvers on the GPU: Conjugate Gradients and Multigrid",
    year: 2003,
    claims: &[],
};
