//! All experiments of all papers.

use fragstream::experiment::Experiment;
use fragstream::stream::Machine;
use fragstream::{bolz2003, kruger2003};

/// Every experiment, paper by paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    let papers = [
        bolz2003::experiments::experiments(),
        kruger2003::experiments::experiments(),
    ];
    papers.into_iter().flatten().collect()
}
