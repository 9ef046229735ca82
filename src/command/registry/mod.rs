//! All experiments of all papers, and the commands that run, list and time them.

pub mod bench;
pub mod list;
pub mod reproduce;

use fragstream::claim::Experiment;
use fragstream::stream::Machine;
use fragstream::{batty2003, bolz2003, geveler2011, goodnight2003, kruger2003};

/// Every experiment, paper by paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    let mut experiments = bolz2003::experiments::experiments();
    experiments.extend(kruger2003::experiments::experiments());
    experiments.extend(goodnight2003::experiments::experiments());
    experiments.extend(batty2003::experiments::experiments());
    experiments.extend(geveler2011::experiments::experiments());
    experiments
}
