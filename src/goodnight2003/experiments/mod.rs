//! The paper's numbers and claims, rebuilt: one file a subject.
//!
//! What several of them need: [`manufactured`] (problems whose solution is known).

pub mod manufactured;

use crate::experiment::Experiment;
use crate::stream::Machine;

/// All experiments, in the order of the paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    vec![]
}
