//! The paper's claims, in its order.

use crate::claim::Paper;

/// The paper and its claims.
pub static PAPER: Paper = Paper {
    id: "batty2003",
    authors: "Chris Batty, Mark Wiebe, Ben Houston",
    title: "High Performance Production-Quality Fluid Simulation via NVIDIA’s QuadroFX",
    year: 2003,
    claims: &[],
};
