//! Experiments, and how one is chosen and run.

use std::error::Error;
use std::path::PathBuf;

use super::finding::{Claim, Finding};
use super::input;
use crate::io::read_valid_mesh;
use crate::mesh::TriangleMesh;
use crate::stream::LACKING;

/// Any error, as an experiment may meet it.
pub type BoxedError = Box<dyn Error + Send + Sync>;

/// How experiments are to be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Smaller inputs and fewer repetitions: the whole registry in about a minute.
    pub quick: bool,
    /// The folder for what an experiment writes beside its figures.
    pub out: PathBuf,
    /// What takes the place of the experiments' own inputs.
    pub given: Given,
}

/// Inputs of the user's, for the experiments that take them ([`Parameter::taken_by`]). Claims are judged
/// as always, by what the paper says of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// A mesh instead of the scan.
    pub mesh: Option<PathBuf>,
    /// Nodes of a side of the largest grid.
    pub grid: Option<usize>,
    /// Columns and rows of nodes.
    pub size: Option<[usize; 2]>,
    /// Sweeps of a V-cycle before and after the coarser grid.
    pub sweeps: Option<[usize; 2]>,
    /// Levels of refinement.
    pub levels: Option<usize>,
}

/// What may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// [`Given::mesh`]
    Mesh,
    /// [`Given::grid`]
    Grid,
    /// [`Given::size`]
    Size,
    /// [`Given::sweeps`]
    Sweeps,
    /// [`Given::levels`]
    Levels,
}

impl Parameter {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Mesh,
        Self::Grid,
        Self::Size,
        Self::Sweeps,
        Self::Levels,
    ];

    /// The option's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mesh => "--mesh",
            Self::Grid => "--grid",
            Self::Size => "--size",
            Self::Sweeps => "--sweeps",
            Self::Levels => "--levels",
        }
    }

    /// The experiments that take it.
    pub fn taken_by(self) -> &'static [&'static str] {
        match self {
            Self::Mesh => &["bolz2003/matrix-entries", "bolz2003/scan", "bolz2003/speed"],
            Self::Grid => &[
                "bolz2003/v-cycles",
                "bolz2003/four-channels-or-one",
                "bolz2003/full-multigrid",
                "kruger2003/water",
                "goodnight2003/programs",
                "goodnight2003/processors",
                "goodnight2003/red-black",
                "goodnight2003/buffers",
                "goodnight2003/convergence",
                "goodnight2003/bandwidth",
                "goodnight2003/agree",
                "batty2003/recursion",
                "batty2003/preconditioners",
            ],
            Self::Size => &[
                "bolz2003/composition-of-stencils",
                "bolz2003/fluid",
                "kruger2003/solvers",
            ],
            Self::Sweeps => &["bolz2003/v-cycles"],
            Self::Levels => &[
                "geveler2011/matrices",
                "geveler2011/convergence",
                "geveler2011/precision",
                "geveler2011/speed",
            ],
        }
    }

    /// Those that an experiment takes.
    pub fn of(experiment: &str) -> impl Iterator<Item = Self> {
        let takes = move |parameter: &Self| parameter.taken_by().contains(&experiment);
        Self::ALL.into_iter().filter(takes)
    }
}

impl Given {
    /// The value as it was given, if it was.
    pub fn value(&self, parameter: Parameter) -> Option<String> {
        match parameter {
            Parameter::Mesh => self.mesh.as_ref().map(|mesh| mesh.display().to_string()),
            Parameter::Grid => self.grid.map(|grid| grid.to_string()),
            Parameter::Size => self.size.map(|[columns, rows]| format!("{columns}x{rows}")),
            Parameter::Sweeps => self.sweeps.map(|[pre, post]| format!("{pre},{post}")),
            Parameter::Levels => self.levels.map(|levels| levels.to_string()),
        }
    }

    /// What an experiment takes of it, as options: `--grid 513 --sweeps 2,2`.
    pub fn to(&self, experiment: &str) -> String {
        let options = Parameter::of(experiment).filter_map(|parameter| {
            Some(format!("{} {}", parameter.name(), self.value(parameter)?))
        });
        options.collect::<Vec<_>>().join(" ")
    }

    /// Sides of grids: the usual ones, or those of them that are smaller than what was given, and that.
    pub fn grids<T: Copy + PartialOrd + TryFrom<usize>>(&self, usual: &[T]) -> Vec<T> {
        let given = self.grid.and_then(|grid| T::try_from(grid).ok());
        let smaller = usual.iter().copied();
        let smaller = smaller.filter(|&side| given.is_none_or(|given| side < given));
        smaller.chain(given).collect()
    }

    /// The mesh that was given, or the bundled scan.
    pub fn scan(&self) -> Result<TriangleMesh, BoxedError> {
        match &self.mesh {
            Some(path) => Ok(read_valid_mesh(path)?),
            None => input::scan(),
        }
    }
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
    /// experiment ends with an error, is found not reproduced, and why; or not run, where the driver lacks
    /// what the programs need.
    ///
    /// # Panics
    /// If the experiment reports twice on a claim, or on one that it does not declare; that is an
    /// error in the experiment's own code.
    pub fn perform(&self, machine: &mut M, options: &Options) -> Vec<Finding> {
        self.attempt(machine, options).unwrap_or_else(|error| {
            let without = |claim| without(claim, &error);
            self.claims.iter().map(without).collect()
        })
    }

    /// The same, but for an error of the experiment, which is told in a line: with inputs of the user's,
    /// one that cannot be worked on says nothing of any claim.
    ///
    /// # Panics
    /// As [`Self::perform`].
    pub fn attempt(&self, machine: &mut M, options: &Options) -> Result<Vec<Finding>, String> {
        let mut findings = (self.run)(machine, options).map_err(|error| chain(&*error))?;
        let ordered = self.claims.iter().map(|claim| {
            match findings.iter().position(|finding| finding.claim == *claim) {
                Some(place) => findings.swap_remove(place),
                None => claim.not_reproduced("nothing", "the experiment reported nothing on it"),
            }
        });
        let ordered = ordered.collect();
        assert!(
            findings.is_empty(),
            "{} reports on claims that it does not declare",
            self.id
        );
        Ok(ordered)
    }
}

/// A claim whose experiment ended with an error.
fn without(claim: &Claim, error: &str) -> Finding {
    match error.contains(LACKING) {
        true => claim.not_run(error),
        false => claim.not_reproduced("nothing", format!("the experiment failed: {error}")),
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
