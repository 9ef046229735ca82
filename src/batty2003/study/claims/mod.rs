//! What the paper's claims run: studies, each with the settings that it reads. The claims are rows of
//! figures/batty2003/claims.toml.

mod dam;
mod iterations;
mod listing;
pub mod product;
mod programs;
pub mod recursion;
mod works;

use std::sync::LazyLock;

use crate::batty2003::scenes::liquid::LIQUID;
use crate::batty2003::study::table::PRINTED;
use crate::claim::{Claim, Claims, Paper, rows};
use crate::experiment::{Study, Subject};

/// The studies that its claims read.
pub static STUDIES: &[&Study] = &[
    &programs::PROGRAMS,
    &listing::LISTINGS,
    &programs::MEMORY,
    &product::PRODUCTS,
    &product::TEXELS,
    &recursion::ITERATES,
    &dam::DAM,
    &works::ITERATIONS,
    &works::CPU_SOLVE,
    &works::CPU_PRODUCT,
    &works::CPU_TRANSFORM,
    &works::CPU_DOTS,
    &works::CPU_SCALE_ADDS,
];

static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
    let studies = STUDIES.iter().map(|&study| study as &'static dyn Subject);
    let subjects: Vec<_> = studies.chain([&LIQUID as &'static dyn Subject]).collect();
    let text = include_str!("../../../../figures/batty2003/claims.toml");
    rows::built_in("figures/batty2003/claims.toml", text, PRINTED, &subjects)
});

/// The paper and its claims.
pub static PAPER: Paper = Paper {
    id: "batty2003",
    authors: "Chris Batty, Mark Wiebe, Ben Houston",
    title: "High Performance Production-Quality Fluid Simulation via NVIDIA’s QuadroFX",
    year: 2003,
    subject: "the pressure solve of a production liquid",
    partly: &[("sums over 51 solves of a production scene", &["fig2", "operations", "table"])],
    together: &[works::SWITCHES],
    claims: Claims::Of(&CLAIMS),
};
