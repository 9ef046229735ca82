//! All experiments of all papers.

use fragstream::experiment::Experiment;
use fragstream::stream::Machine;

/// Every experiment, paper by paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    // Each paper's module extends it: experiments.extend(bolz2003::experiments::experiments());
    Vec::new()
}
