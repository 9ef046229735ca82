//! The paper's claims, in its order.

use crate::claim::Paper;

/// The paper and its claims.
pub static PAPER: Paper = Paper {
    id: "geveler2011",
    authors: "Markus Geveler, Dirk Ribbrock, Dominik Göddeke, Peter Zajac, Stefan Turek",
    title: "Efficient Finite Element Geometric Multigrid Solvers for Unstructured Grids on GPUs",
    year: 2011,
    claims: &[],
};
