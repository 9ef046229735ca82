//! A user's inputs for claims that accept them.

use std::path::PathBuf;

use super::BoxedError;
use crate::bundled;
use crate::io::read_valid_mesh;
use crate::mesh::TriangleMesh;

/// A user's inputs, which replace the claims' own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Given {
    /// A mesh instead of the scan.
    pub mesh: Option<PathBuf>,
    /// Nodes per side of the largest grid.
    pub grid: Option<usize>,
    /// Columns and rows of nodes.
    pub size: Option<[usize; 2]>,
    /// Sweeps of a V-cycle before and after the coarser grid.
    pub sweeps: Option<[usize; 2]>,
    /// Levels of refinement.
    pub levels: Option<usize>,
}

/// Names of the inputs.
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
    pub const ALL: [Self; 5] = [Self::Mesh, Self::Grid, Self::Size, Self::Sweeps, Self::Levels];

    /// The option's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mesh => "--mesh",
            Self::Grid | Self::Size => "--size",
            Self::Sweeps => "--sweeps",
            Self::Levels => "--levels",
        }
    }
}

impl Given {
    /// The value as given, if any.
    pub fn value(&self, parameter: Parameter) -> Option<String> {
        match parameter {
            Parameter::Mesh => self.mesh.as_ref().map(|mesh| mesh.display().to_string()),
            Parameter::Grid => self.grid.map(|grid| grid.to_string()),
            Parameter::Size => self.size.map(|[columns, rows]| format!("{columns}x{rows}")),
            Parameter::Sweeps => self.sweeps.map(|[pre, post]| format!("{pre},{post}")),
            Parameter::Levels => self.levels.map(|levels| levels.to_string()),
        }
    }

    /// As options: `--size 513 --sweeps 2,2`; empty if nothing was given.
    pub fn options(&self) -> String {
        let options = Parameter::ALL.into_iter().filter_map(|parameter| {
            // --size N is both the side of a grid and, as NxN, a size.
            let is_twice = parameter == Parameter::Size && self.grid.is_some();
            let value = self.value(parameter).filter(|_| !is_twice)?;
            Some(format!("{} {value}", parameter.name()))
        });
        options.collect::<Vec<_>>().join(" ")
    }

    /// The inputs that a claim takes.
    pub fn taken(&self, takes: &[Parameter]) -> Self {
        let is_taken = |parameter| takes.contains(&parameter);
        Self {
            mesh: self.mesh.clone().filter(|_| is_taken(Parameter::Mesh)),
            grid: self.grid.filter(|_| is_taken(Parameter::Grid)),
            size: self.size.filter(|_| is_taken(Parameter::Size)),
            sweeps: self.sweeps.filter(|_| is_taken(Parameter::Sweeps)),
            levels: self.levels.filter(|_| is_taken(Parameter::Levels)),
        }
    }

    /// The given mesh, or the bundled scan.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid mesh.
    pub fn scan(&self) -> Result<TriangleMesh, BoxedError> {
        match &self.mesh {
            Some(path) => Ok(read_valid_mesh(path)?),
            None => Ok(bundled::scan()?),
        }
    }
}

/// Most characters of inputs in a name.
const LONGEST: usize = 100;

/// A user's inputs, as options, for the end of a name: `--size 513` becomes `-size-513`; empty without inputs.
pub(crate) fn slug(options: &str) -> String {
    let words = options.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.flat_map(|word| "-".chars().chain(word.chars())).take(LONGEST).collect()
}
