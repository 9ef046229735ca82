//! The paper's figures and numbers, rebuilt: one file a figure, a table, or a claim of the text.
//!
//! What several of them need: [`grid::grid_problem`] (operators and vectors over grids),
//! [`grid::duplicates`] (borders after every kernel), [`mod@sparse::reference`] (a step of geometric
//! flow in double precision, by finite elements).

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
