//! The paper's claims, in its order.

use crate::claim::Paper;

/// The paper and its claims.
pub static PAPER: Paper = Paper {
    id: "goodnight2003",
    authors: "Nolan Goodnight, Cliff Woolley, Gregory Lewin, David Luebke, Greg Humphreys",
    title: "A Multigrid Solver for Boundary Value Problems Using Programmable Graphics Hardware",
    year: 2003,
    claims: &[],
};
