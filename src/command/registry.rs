//! All experiments of all papers.

use fragstream::bolz2003;
use fragstream::experiment::Experiment;
use fragstream::stream::Machine;

/// Every experiment, paper by paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    bolz2003::experiments::experiments()
}
