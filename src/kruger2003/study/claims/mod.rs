//! What the paper's claims run: studies, each with the settings that it reads. The claims are rows of
//! figures/kruger2003/claims.toml.

mod dense;
mod errata;
mod fluid;
pub mod layouts;
mod operators;
mod pictures;
mod precision;
pub mod product;
mod registers;
pub mod solvers;
mod speed;
mod steps;
mod water;

use std::sync::LazyLock;

use crate::claim::{Claim, Claims, Paper, rows};
use crate::experiment::{Study, Subject};
use crate::kruger2003::study::PRINTED;

/// The studies that its claims read.
pub static STUDIES: &[&Study] = &[
    &layouts::LAYOUTS,
    &layouts::TRANSPOSES,
    &layouts::NOT_SQUARE,
    &layouts::PADDING,
    &operators::OPERATORS,
    &operators::PROGRAMS,
    &product::PRODUCTS,
    &product::TEXELS,
    &product::IN_PLACE,
    &product::SCATTERED,
    &product::STENCIL,
    &product::REJECTED,
    &solvers::ITERATES,
    &solvers::SWEEPS,
    &speed::VECTORS,
    &speed::ON_CPU,
    &speed::INNER_PRODUCTS,
    &speed::READ_BACK,
    &precision::PRECISION,
    &registers::WATER_24,
    &registers::FLUID_24,
    &water::WAVE,
    &water::HEIGHTS,
    &water::SURFACE,
    &fluid::LEFT,
    &fluid::INK,
    &fluid::STREAKS,
    &steps::WATER_STEP,
    &steps::FLUID_STEP,
    &steps::EXPLICIT_STEP,
    &dense::MATRIX_PRODUCTS,
    &dense::LU,
    &errata::ERRATA,
];

static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
    let subjects: Vec<_> = STUDIES.iter().map(|&study| study as &'static dyn Subject).collect();
    let text = include_str!("../../../../figures/kruger2003/claims.toml");
    rows::built_in("figures/kruger2003/claims.toml", text, PRINTED, &subjects)
});

/// The paper and its claims.
pub static PAPER: Paper = Paper {
    id: "kruger2003",
    authors: "Jens Krüger, Rüdiger Westermann",
    title: "Linear Algebra Operators for GPU Implementation of Numerical Algorithms",
    year: 2003,
    subject: "vector and matrix operators; water; Navier–Stokes",
    partly: &[
        ("1D textures", &["tex1d"]),
        ("vertices drawn column by column", &["vertices", "vertices-grid"]),
        (
            "water and fluid with four entries per texel",
            &["wave-iteration", "wave-sizes", "nse-rate"],
        ),
        ("timings of frames that are drawn", &["wave-iteration", "wave-sizes", "nse-rate"]),
    ],
    together: &[],
    claims: Claims::Of(&CLAIMS),
};
