//! What the paper's claims run: studies, each with the settings that it reads. The claims are rows of
//! figures/bolz2003/claims.toml.

mod cache;
mod flow;
mod fluid;
mod full_multigrid;
mod galerkin;
mod grids;
mod long_program;
mod model;
pub mod problems;
mod products;
pub mod rings;
mod tetrahedra;
mod works;

use std::sync::LazyLock;

use crate::claim::{Claim, Claims, Paper, rows};
use crate::experiment::{Study, Subject};

/// The studies that its claims read.
pub static STUDIES: &[&Study] = &[
    &products::LONG_ROWS,
    &products::TRANSPOSE,
    &products::PACKING,
    &products::GROUPS,
    &flow::ENTRIES,
    &flow::CUBE,
    &flow::SCANNED,
    &model::MODEL,
    &model::PROGRAMS,
    &long_program::RECTANGLES,
    &long_program::SQUARE,
    &long_program::MEASURED,
    &rings::BORDERS,
    &galerkin::GALERKIN,
    &grids::CYCLES,
    &grids::TORUS_ERRORS,
    &full_multigrid::FULL,
    &fluid::VORTICES,
    &fluid::STEP,
    &fluid::SHARES,
    &works::PRODUCT,
    &works::SHEET_PRODUCT,
    &works::SUM,
    &works::CG,
    &works::KERNEL,
    &works::CYCLE,
    &works::SMALL_SOLVE,
    &works::FLOW_STEP,
    &works::CPU_PRODUCT,
    &works::CPU_SHEET,
    &works::CPU_STENCIL,
    &works::CPU_READING,
    &works::BOUNDS,
    &cache::TRAFFIC,
    &tetrahedra::TETRAHEDRA,
];

static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
    let subjects: Vec<_> = STUDIES.iter().map(|&study| study as &'static dyn Subject).collect();
    let text = include_str!("../../../../figures/bolz2003/claims.toml");
    let printed = include_str!("../../../../figures/bolz2003/printed.csv");
    rows::built_in("figures/bolz2003/claims.toml", text, printed, &subjects)
});

/// The paper and its claims.
pub static PAPER: Paper = Paper {
    id: "bolz2003",
    authors: "Jeff Bolz, Ian Farmer, Eitan Grinspun, Peter Schröder",
    title: "Sparse Matrix Solvers on the GPU: Conjugate Gradients and Multigrid",
    year: 2003,
    subject: "sparse conjugate gradients for mesh smoothing; multigrid; a fluid",
    partly: &[],
    together: &[],
    claims: Claims::Of(&CLAIMS),
};
