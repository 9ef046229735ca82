//! What the paper's claims run: studies, each with the settings that it reads. The claims are rows of
//! figures/geveler2011/claims.toml.

mod cache;
mod convergence;
mod levels;
mod matrices;
mod own_tables;
mod precision;
mod works;

use std::sync::LazyLock;

use crate::claim::{Claim, Claims, Paper, rows};
use crate::experiment::{Study, Subject};
use crate::geveler2011::solves::FEM;

/// The printed numbers: name, place, quantity, value, unit, and the paper's hedge.
const PRINTED: &str = include_str!("../../../../figures/geveler2011/printed.csv");

/// The studies that its claims read.
pub static STUDIES: &[&Study] = &[
    &matrices::ELLPACK,
    &matrices::TRANSFER,
    &matrices::NUMBERED,
    &matrices::PATTERNS,
    &levels::ROWS,
    &levels::LEVEL,
    &levels::MESHES,
    &convergence::CYCLES,
    &convergence::CPU_CYCLES,
    &convergence::SOLUTION,
    &precision::ERROR,
    &cache::TRAFFIC,
    &own_tables::TABLES,
    &works::DEFECT,
    &works::DEFECT_APART,
    &works::PRODUCT_SINGLE,
    &works::PRODUCT_CSR,
    &works::PRODUCT_ONE,
    &works::PRODUCT_ALL,
    &works::PRODUCT_GPU,
    &works::CYCLE_ONE,
    &works::CYCLE_ALL,
    &works::CYCLE_GPU,
    &works::COARSE_ALL,
    &works::COARSE_GPU,
];

static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
    let studies = STUDIES.iter().map(|&study| study as &'static dyn Subject);
    let subjects: Vec<_> = studies.chain([&FEM as &'static dyn Subject]).collect();
    let text = include_str!("../../../../figures/geveler2011/claims.toml");
    rows::built_in("figures/geveler2011/claims.toml", text, PRINTED, &subjects)
});

/// The paper and its claims.
pub static PAPER: Paper = Paper {
    id: "geveler2011",
    authors: "Markus Geveler, Dirk Ribbrock, Dominik Göddeke, Peter Zajac, Stefan Turek",
    title: "Efficient Finite Element Geometric Multigrid Solvers for Unstructured Grids on GPUs",
    year: 2011,
    subject: "finite-element multigrid built from sparse products",
    partly: &[
        (
            "levels 9 and 10 of Q1 and 7 to 9 of Q2 (CIRCLE), 8 and 7 (BLOOD)",
            &["table2", "table3", "table4"],
        ),
        ("levels 7 and 8 of Q1 and 6 and 7 of Q2 on BLOOD", &["blood-cycles"]),
    ],
    together: &[],
    claims: Claims::Of(&CLAIMS),
};
