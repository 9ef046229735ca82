//! What the paper's claims run: studies, each with the settings that it reads. The claims are rows of
//! figures/goodnight2003/claims.toml.

mod applications;
mod buffers;
mod half;
mod kernels;
mod norms;
mod orders;
mod solver;
mod wing;
mod works;

use std::sync::LazyLock;

use crate::claim::{Claim, Claims, Paper, rows};
use crate::experiment::{Study, Subject};

/// The text of a condition that a study tests.
fn holds(condition: bool) -> &'static str {
    if condition { "holds" } else { "fails" }
}

/// The studies that its claims read.
pub static STUDIES: &[&Study] = &[
    &kernels::KERNELS,
    &works::CYCLE,
    &works::CPU_CYCLE,
    &works::CPU_CYCLE_ON_ALL,
    &works::TEST,
    &works::RESIDUAL,
    &works::CLOCK,
    &buffers::BYTES,
    &buffers::ATLAS,
    &norms::TESTS,
    &half::LEFT,
    &half::BEST,
    &half::MODEL,
    &orders::ORDERS,
    &solver::DIFFERENCES,
    &applications::PLATES,
    &applications::TONES,
    &applications::HALF_TONES,
    &wing::BULKY,
    &wing::WING_FLOW,
];

static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
    let subjects: Vec<_> = STUDIES.iter().map(|&study| study as &'static dyn Subject).collect();
    let text = include_str!("../../../../figures/goodnight2003/claims.toml");
    let printed = include_str!("../../../../figures/goodnight2003/printed.csv");
    rows::built_in("figures/goodnight2003/claims.toml", text, printed, &subjects)
});

/// The paper and its claims.
pub static PAPER: Paper = Paper {
    id: "goodnight2003",
    authors: "Nolan Goodnight, Cliff Woolley, Gregory Lewin, David Luebke, Greg Humphreys",
    title: "A Multigrid Solver for Boundary Value Problems Using Programmable Graphics Hardware",
    year: 2003,
    subject: "multigrid for heat, tone mapping and a flapping wing",
    partly: &[("registers of 16 bits", &["half-accuracy"])],
    together: &[],
    claims: Claims::Of(&CLAIMS),
};
