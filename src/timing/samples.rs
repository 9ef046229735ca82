//! Samples: the seconds of a race in one process, as a process hands them back and as they are kept.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::laps::Lap;

/// Seconds of the works of a race in one process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// Row of the race, or paper and name of a measurement that rows share; with a number if it has several races.
    pub row: String,
    /// Row whose check raced it.
    #[serde(default)]
    pub check: String,
    /// Process of the run, from 1 on.
    #[serde(default)]
    pub process: usize,
    /// Hash of the criterion of its row; empty if several rows share it.
    #[serde(default)]
    pub criterion: String,
    /// Hash of the programs that ran.
    pub programs: String,
    /// Seconds per unit of each work by name, round by round.
    pub works: Vec<(String, Vec<f64>)>,
}

impl Samples {
    /// Samples of the rounds of a race.
    pub fn of(row: String, programs: String, names: &[String], rounds: &[Lap]) -> Self {
        let seconds = |at: usize| rounds.iter().map(|lap| lap.values()[at]).collect();
        let works = names.iter().enumerate().map(|(at, name)| (name.clone(), seconds(at)));
        Self { row, programs, works: works.collect(), ..Self::default() }
    }

    /// Tests whether both are of one race by one criterion with the same programs.
    pub fn continues(&self, other: &Self) -> bool {
        let race = |one: &Self| [one.row.clone(), one.criterion.clone(), one.programs.clone()];
        race(self) == race(other)
    }

    /// The rounds, if the works have these names.
    pub fn laps(&self, names: &Rc<[String]>) -> Option<Vec<Lap>> {
        if !self.works.iter().map(|(name, _)| name).eq(names.iter()) {
            return None;
        }
        let seconds: Vec<Vec<f64>> = self.works.iter().map(|(_, own)| own.clone()).collect();
        Some(Lap::rounds(names, &seconds)).filter(|laps| !laps.is_empty())
    }
}
