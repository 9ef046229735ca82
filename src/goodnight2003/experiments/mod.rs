//! The paper's numbers and claims, rebuilt: one file a subject.
//!
//! | file | where the paper has it |
//! |---|---|
//! | [`boundary`] | §4.2: boundary conditions |
//! | [`agree`] | §5.1: GPU and CPU |
//! | [`heat`] | §5.1: steady temperature on a plate |
//! | [`tonemap`] | §5.2, colour plate 2: tone mapping |
//!
//! What several of them need: [`manufactured`] (problems whose solution is known).

pub mod agree;
pub mod boundary;
pub mod heat;
pub mod manufactured;
pub mod tonemap;

use crate::experiment::Experiment;
use crate::stream::Machine;

/// All experiments, in the order of the paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    vec![
        boundary::EXPERIMENT,
        agree::EXPERIMENT,
        heat::EXPERIMENT,
        tonemap::EXPERIMENT,
    ]
}
