//! The paper's numbers and claims, rebuilt: one file a subject.
//!
//! | file | where the paper has it |
//! |---|---|
//! | [`levels`] | Table 1, and what the levels take in memory |
//! | [`matrices`] | §2.2, §2.3, §3.1: formats, transfer, numberings |
//! | [`convergence`] | §4.1, §4.2: cycles and precision |
//!
//! What several of them need: [`problems`].

pub mod convergence;
pub mod levels;
pub mod matrices;
pub mod problems;

use crate::claim::Experiment;
use crate::stream::Machine;

/// All experiments, in the order of the paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    vec![
        matrices::EXPERIMENT,
        levels::EXPERIMENT,
        convergence::EXPERIMENT,
    ]
}
