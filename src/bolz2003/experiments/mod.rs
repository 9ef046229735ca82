//! The paper's figures and numbers, rebuilt: one file a figure, a table, or a claim of the text.
//!
//! | file | where the paper has it |
//! |---|---|
//! | [`rectangle`] | §3.2.2: the best rectangle of the GeForce FX |
//! | [`fig3`] | Fig. 3: the staircase of time against area, modelled and measured |
//! | [`batch`] | §4.3: what batches cost small grids, modelled and measured |
//! | [`theory`] | §3.3, §4.3: theoretical rates |
//! | [`instructions`] | §3.3, §4.3: instructions of each program |
//! | [`rows200`] | §3.1.1: rows of two hundred entries in a single pass |
//! | [`entries`] | §3.1.2: matrix entries computed on the GPU |
//! | [`padding`] | §3.2: rows packed into rectangles |
//! | [`layering`] | §4.2: four quadrants in four channels, and their border |
//! | [`galerkin`] | §4.2: coarser stencils composed on the GPU |
//! | [`vcycle`] | §4.2: the convergence factor, size by size |
//! | [`fmg`] | §4.2: full multigrid, down to the error of the discretisation |
//! | [`order_n`] | §4.2: the work of a cycle for each unknown |
//! | [`four_channels`] | §4.2: what four channels gain |
//! | [`speed`] | §3.3, §4.3, §5: what runs how often a second |
//! | [`fig5`] | Fig. 5: a fluid with an inlet sheds vortices |
//! | [`timestep`] | §4.3: the time of a step |
//! | [`fig4_cube`] | Fig. 4, top: a noisy cube is smoothed |
//! | [`fig4_scan`] | Fig. 4, bottom: a scanned mesh is denoised |
//!
//! What several of them need: [`input`] (the bundled files), [`long_program`] (timing without
//! fetches), [`grid_problem`] (operators and vectors over grids), [`mod@reference`] (a step of geometric
//! flow in double precision, by finite elements), [`sheet`] (pictures that are no charts).

pub mod batch;
pub mod entries;
pub mod fig3;
pub mod fig4_cube;
pub mod fig4_scan;
pub mod fig5;
pub mod fmg;
pub mod four_channels;
pub mod galerkin;
pub mod grid_problem;
pub mod input;
pub mod instructions;
pub mod layering;
pub mod long_program;
pub mod order_n;
pub mod padding;
pub mod rectangle;
pub mod reference;
pub mod rows200;
pub mod sheet;
pub mod speed;
pub mod theory;
pub mod timestep;
pub mod vcycle;

use crate::claim::Experiment;
use crate::stream::Machine;

/// All experiments, in the order of the paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    vec![
        rows200::EXPERIMENT,
        entries::EXPERIMENT,
        fig3::EXPERIMENT,
        rectangle::EXPERIMENT,
        padding::EXPERIMENT,
        fig4_cube::EXPERIMENT,
        fig4_scan::EXPERIMENT,
        instructions::EXPERIMENT,
        theory::EXPERIMENT,
        batch::EXPERIMENT,
        layering::EXPERIMENT,
        galerkin::EXPERIMENT,
        vcycle::EXPERIMENT,
        fmg::EXPERIMENT,
        order_n::EXPERIMENT,
        four_channels::EXPERIMENT,
        fig5::EXPERIMENT,
        timestep::EXPERIMENT,
        speed::EXPERIMENT,
    ]
}
