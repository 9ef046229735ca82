//! The paper's claims, in its order.

use crate::claim::Paper;

/// The paper and its claims.
pub static PAPER: Paper = Paper {
    id: "kruger2003",
    authors: "Jens Krüger, Rüdiger Westermann",
    title: "Linear Algebra Operators for GPU Implementation of Numerical Algorithms",
    year: 2003,
    claims: &[],
};
