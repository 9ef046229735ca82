//! The experiments of all papers, and of none alone.

use crate::claim::Experiment;
use crate::stream::Machine;
use crate::{batty2003, bolz2003, geveler2011, goodnight2003, kruger2003, retrodiction};

/// Every experiment, paper by paper, and last those of no single paper.
pub fn experiments() -> Vec<Experiment<Machine>> {
    let papers = [
        bolz2003::experiments::experiments(),
        kruger2003::experiments::experiments(),
        goodnight2003::experiments::experiments(),
        batty2003::experiments::experiments(),
        geveler2011::experiments::experiments(),
        retrodiction::experiment::experiments(),
    ];
    papers.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Parameter;
    use crate::claim::papers::PAPERS;

    #[test]
    fn who_takes_an_input_is_an_experiment() {
        let experiments = experiments();
        for taker in Parameter::ALL.into_iter().flat_map(Parameter::taken_by) {
            assert!(experiments.iter().any(|e| e.id == *taker), "{taker}");
        }
    }

    #[test]
    fn every_paper_has_experiments() {
        let experiments = experiments();
        for paper in PAPERS {
            assert!(
                experiments.iter().any(|e| e.paper() == paper.id),
                "{}",
                paper.id
            );
        }
    }
}
