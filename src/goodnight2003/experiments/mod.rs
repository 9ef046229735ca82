//! The paper's numbers and claims, rebuilt: one file a subject.
//!
//! | file | where the paper has it |
//! |---|---|
//! | [`heat`] | §5.1: steady temperature on a plate |
//! | [`tonemap`] | §5.2, colour plate 2: tone mapping |
//!
//! What several of them need: [`manufactured`] (problems whose solution is known).

pub mod heat;
pub mod manufactured;
pub mod tonemap;

use crate::experiment::Experiment;
use crate::stream::Machine;

/// All experiments, in the order of the paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    vec![heat::EXPERIMENT, tonemap::EXPERIMENT]
}
