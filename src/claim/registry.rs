//! Experiments, and how one is chosen and run.

use std::error::Error;
use std::path::PathBuf;

use super::finding::{Claim, Finding};

/// Any error, as an experiment may meet it.
pub type BoxedError = Box<dyn Error + Send + Sync>;

/// How experiments are to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Smaller inputs and fewer repetitions: the whole registry in about a minute.
    pub quick: bool,
    /// The folder for what an experiment writes beside its figures.
    pub out: PathBuf,
}

/// One figure or table of a paper, rebuilt on a machine of type `M`.
pub struct Experiment<M> {
    /// Paper and name, as in `bolz2003/staircase`.
    pub id: &'static str,
    /// Where the paper has it.
    pub section: &'static str,
    /// One line.
    pub title: &'static str,
    /// What is checked.
    pub claims: &'static [Claim],
    /// Checks it: one finding a claim.
    pub run: fn(&mut M, &Options) -> Result<Vec<Finding>, BoxedError>,
}

impl<M> Experiment<M> {
    /// The id of the paper: what stands before the slash.
    pub fn paper(&self) -> &'static str {
        self.id.split('/').next().unwrap_or(self.id)
    }

    /// Whether `name` asks for this experiment: by its id, its paper, or one of its claims.
    pub fn answers_to(&self, name: &str) -> bool {
        name == self.id || name == self.paper() || self.claims.iter().any(|claim| claim.id == name)
    }

    /// Runs the experiment and returns exactly one finding for each of its claims, in their order.
    ///
    /// No claim gets lost: one that the experiment says nothing about, and every one if the
    /// experiment ends with an error, is found not reproduced, and why.
    ///
    /// # Panics
    /// If the experiment reports twice on a claim, or on one that it does not declare; that is an
    /// error in the experiment's own code.
    pub fn perform(&self, machine: &mut M, options: &Options) -> Vec<Finding> {
        let (mut findings, silence) = match (self.run)(machine, options) {
            Ok(findings) => (findings, "the experiment reported nothing on it".to_owned()),
            Err(error) => (
                Vec::new(),
                format!("the experiment failed: {}", chain(&*error)),
            ),
        };
        let ordered = self.claims.iter().map(|claim| {
            match findings.iter().position(|finding| finding.claim == *claim) {
                Some(place) => findings.swap_remove(place),
                None => claim.not_reproduced("nothing", silence.clone()),
            }
        });
        let ordered = ordered.collect();
        assert!(
            findings.is_empty(),
            "{} reports on claims that it does not declare",
            self.id
        );
        ordered
    }
}

/// An error and what caused it, in one line.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}
