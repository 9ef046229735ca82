//! The paper's figures and numbers, rebuilt: one file a figure, a table, or a claim of the text.
//!
//! | file | where the paper has it |
//! |---|---|
//! | [`sparse::rectangle`] | §3.2.2: the best rectangle of the GeForce FX |
//! | [`sparse::fig3`] | Fig. 3: the staircase of time against area, modelled and measured |
//! | [`grid::batch`] | §4.3: what batches cost small grids, modelled and measured |
//! | [`theory`] | §3.3, §4.3: theoretical rates |
//! | [`instructions`] | §3.3, §4.3: instructions of each program |
//! | [`sparse::rows200`] | §3.1.1: rows of two hundred entries in a single pass |
//! | [`sparse::transpose`] | §3.1.1: products with an explicit transpose |
//! | [`sparse::entries`] | §3.1.2: matrix entries computed on the GPU |
//! | [`sparse::padding`] | §3.2: rows packed into rectangles |
//! | [`grid::layering`] | §4.2: four quadrants in four channels, and their border |
//! | [`grid::galerkin`] | §4.2: coarser stencils composed on the GPU |
//! | [`grid::vcycle`] | §4.2: the convergence factor, size by size |
//! | [`grid::periodic`] | §4.1: indices modulo N |
//! | [`grid::fmg`] | §4.2: full multigrid, down to the error of the discretisation |
//! | [`grid::order_n`] | §4.2: the work of a cycle for each unknown |
//! | [`grid::four_channels`] | §4.2: what four channels gain |
//! | [`speed`] | §3.3, §4.3, §5: what runs how often a second |
//! | [`sparse::flow::smoothing_step`] | §3.3: a step of geometric flow, and changes of the target |
//! | [`sparse::access`] | §3.3: the product by the order of the vertices |
//! | [`fluid::fig5`] | Fig. 5: a fluid with an inlet sheds vortices |
//! | [`fluid::timestep`] | §4.3: the time of a step |
//! | [`sparse::flow::fig4_cube`] | Fig. 4, top: a noisy cube is smoothed |
//! | [`sparse::flow::fig4_scan`] | Fig. 4, bottom: a scanned mesh is denoised |
//! | [`curve`] | §3.1.2: a boundary that flows |
//!
//! What several of them need: [`sparse::long_program`] (timing without fetches), [`grid::grid_problem`]
//! (operators and vectors over grids), [`grid::duplicates`] (borders after every kernel),
//! [`mod@sparse::reference`] (a step of geometric flow in double precision, by finite elements).

pub mod curve;
pub mod fluid;
pub mod grid;
pub mod instructions;
pub mod sparse;
pub mod speed;
pub mod theory;

use crate::claim::Experiment;
use crate::stream::Machine;

/// All experiments, in the order of the paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    vec![
        sparse::rows200::EXPERIMENT,
        sparse::transpose::EXPERIMENT,
        sparse::entries::EXPERIMENT,
        sparse::fig3::EXPERIMENT,
        sparse::rectangle::EXPERIMENT,
        sparse::padding::EXPERIMENT,
        sparse::flow::fig4_cube::EXPERIMENT,
        sparse::flow::fig4_scan::EXPERIMENT,
        curve::EXPERIMENT,
        instructions::EXPERIMENT,
        theory::EXPERIMENT,
        grid::batch::EXPERIMENT,
        grid::layering::EXPERIMENT,
        grid::galerkin::EXPERIMENT,
        grid::vcycle::EXPERIMENT,
        grid::periodic::EXPERIMENT,
        grid::fmg::EXPERIMENT,
        grid::order_n::EXPERIMENT,
        grid::four_channels::EXPERIMENT,
        fluid::fig5::EXPERIMENT,
        fluid::timestep::EXPERIMENT,
        speed::EXPERIMENT,
        sparse::flow::smoothing_step::EXPERIMENT,
        sparse::access::EXPERIMENT,
    ]
}
