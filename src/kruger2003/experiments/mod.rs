//! The paper's numbers and claims, rebuilt: one file a subject.
//!
//! | file | where the paper has it |
//! |---|---|
//! | [`operators`] | §3: vector operations and reductions |
//! | [`matrices`] | §2, §3.2, §4: the layouts of a matrix, and its transpose |
//! | [`solvers`] | §5: conjugate gradients, Gauss–Seidel |
//! | [`speed`] | §2, §6: times and their ratios |
//! | [`product`] | §2, §3.2, §4.2, §6: what a product takes, by how it is stored and summed |
//! | [`wave`] | §6, Figs. 1, 6, 7: water |
//! | [`precision`] | §6: conjugate gradients in 24 bits |
//! | [`nse`] | §6, Fig. 8: the Navier–Stokes equations |
//! | [`simulation_speed`] | §6: what steps of the two cost |
//!
//! What several of them need: [`samples`] (inputs, and how far a result is from what it should be).

pub mod matrices;
pub mod nse;
pub mod operators;
pub mod precision;
pub mod product;
pub mod samples;
pub mod simulation_speed;
pub mod solvers;
pub mod speed;
pub mod wave;

use crate::claim::Experiment;
use crate::stream::Machine;

/// All experiments, in the order of the paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    vec![
        operators::EXPERIMENT,
        matrices::EXPERIMENT,
        solvers::EXPERIMENT,
        speed::EXPERIMENT,
        product::EXPERIMENT,
        wave::EXPERIMENT,
        nse::EXPERIMENT,
        precision::EXPERIMENT,
        simulation_speed::EXPERIMENT,
    ]
}
