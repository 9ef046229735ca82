//! The paper's numbers and claims, rebuilt: one file a subject.
//!
//! | file | where the paper has it |
//! |---|---|
//! | [`boundary`] | §4.2: boundary conditions |
//! | [`agree`] | §5.1: GPU and CPU |
//! | [`heat`] | §5.1: steady temperature on a plate |
//! | [`wing`] | §5.3, colorplate 1: flow round a flapping wing |
//!
//! What several of them need: [`manufactured`] (problems whose solution is known).

pub mod agree;
pub mod boundary;
pub mod heat;
pub mod manufactured;
pub mod wing;

use crate::experiment::Experiment;
use crate::stream::Machine;

/// All experiments, in the order of the paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    vec![
        boundary::EXPERIMENT,
        agree::EXPERIMENT,
        heat::EXPERIMENT,
        wing::EXPERIMENT,
    ]
}
