//! The source of a mesh, with the problem that the paper solves on it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::base::nearest::suggestion;
use crate::geveler2011::{Settings, Setup};
use crate::io::extension;

/// Source of the mesh.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshSource {
    /// A problem of the paper.
    Paper(Setup),
    /// A file.
    File(PathBuf),
}

impl FromStr for MeshSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, extension(text).as_str()) {
            ("circle", _) => Ok(Self::Paper(Setup::Circle)),
            ("blood", _) => Ok(Self::Paper(Setup::Blood)),
            (_, "msh" | "tri") => Ok(Self::File(text.into())),
            _ => Err(format!(
                "{}give circle, blood, a file of Gmsh (.msh) or one of FEAT (.tri, with its .prm in the same folder)",
                suggestion(text, &["circle", "blood"])
            )),
        }
    }
}

impl fmt::Display for MeshSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paper(Setup::Circle) => f.write_str("circle"),
            Self::Paper(Setup::Blood) => f.write_str("blood"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

impl MeshSource {
    /// Returns the paper's smoothing, f, and u on all parts of the boundary but the last and on the last. A
    /// user's mesh is treated as the circle, with u = 0 on the whole boundary.
    pub fn problem(&self) -> (Settings, f64, [f64; 2]) {
        match self {
            Self::Paper(setup) => {
                let (source, values) = setup.values();
                (setup.settings(), source, values)
            }
            Self::File(_) => (Settings::paper_circle(), 1.0, [0.0, 0.0]),
        }
    }
}
