//! The paper's numbers and claims, rebuilt: one file a subject.
//!
//! | file | where the paper has it |
//! |---|---|
//! | [`programs`] | the listings: instructions, registers; memory; Appendix A |
//! | [`product`] | the listing, Appendix C, step 5: the product and its indices |
//! | [`recursion`] | Preconditioned Conjugate Gradient Method: its iterates |
//! | [`series`] | a run of the dam, from which come |
//! | [`solves`] | … Fig. 2 and both tables: what 51 solves consist of, and their times |
//! | [`ic`] | … Preconditioned Conjugate Gradient Method: what incomplete Cholesky saves; what it costs |
//! | [`liquid`] | … Pressure Projection Step: the liquid around the solves |
//! | [`switches`] | Appendix C: each step by itself |
//!
//! What several of them need: [`dam`] (the scene whose systems are solved), [`timed`] (solves on the card,
//! counted and timed).

pub mod dam;
pub mod ic;
pub mod liquid;
pub mod product;
pub mod programs;
pub mod recursion;
pub mod series;
pub mod solves;
pub mod switches;
pub mod timed;

use crate::claim::Experiment;
use crate::stream::Machine;

/// All experiments, in the order of the paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    vec![
        programs::EXPERIMENT,
        product::EXPERIMENT,
        recursion::EXPERIMENT,
        series::EXPERIMENT,
        ic::EXPERIMENT,
        switches::EXPERIMENT,
    ]
}
