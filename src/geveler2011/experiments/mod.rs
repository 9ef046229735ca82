//! The paper's numbers and claims, rebuilt: one file a subject.
//!
//! | file | where the paper has it |
//! |---|---|
//! | [`levels`] | Table 1, and what the levels take in memory |
//! | [`matrices`] | §2.2, §2.3, §3.1: formats, transfer, numberings |
//! | [`convergence`] | §4.2: cycles |
//! | [`precision`] | §4.1, §4.2: single and double precision |
//! | [`speed`] | §4.3, §4.4, Tables 2 to 4: products and solves by numbering and processor |
//! | [`orderings`] | §4.5: what the numbering does to the time of a solve |
//!
//! What several of them need: [`super::problems`]; [`printed`] holds Tables 2 to 4, [`race`] and [`timed`]
//! time what is compared with them; [`speed_tables`] and [`pictures`] draw.

pub mod convergence;
pub mod levels;
pub mod matrices;
pub mod orderings;
pub mod pictures;
pub mod precision;
pub mod printed;
pub mod race;
pub mod speed;
pub mod speed_tables;
pub mod timed;

use crate::claim::Experiment;
use crate::stream::Machine;

/// All experiments, in the order of the paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    vec![
        matrices::EXPERIMENT,
        levels::EXPERIMENT,
        convergence::EXPERIMENT,
        precision::EXPERIMENT,
        speed::EXPERIMENT,
    ]
}
