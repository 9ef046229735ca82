//! What `fragstream fem` writes.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::geveler2011::elements::Space;
use crate::geveler2011::elements::picture::picture;
use crate::geveler2011::elements::vtu::write_vtu;
use crate::geveler2011::multigrid::Discretisation;
use crate::io::matrix_market::{write_matrix, write_vector};
use crate::io::write_atomically;
use crate::solver::Csr;

use super::super::failure::Failure;
use super::super::files::{check_file, check_folder, check_targets, extension, write_csv};

/// Files that results go to.
#[derive(Args)]
pub struct Files {
    /// Write u and its mesh to this file (.vtu), for ParaView
    #[arg(long, value_name = "FILE", value_parser = vtu)]
    out: Option<PathBuf>,

    /// Write a picture of u: colours, and lines of equal values
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,

    /// Write the defect at the start and after each cycle to this file, as CSV
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,

    /// Write what was solved with to this folder, in Matrix Market's format and the chosen numbering:
    /// of every level L the matrix A_L.mtx and, from the second on, the prolongation P_L.mtx from level
    /// L-1; of the finest the right side b_L.mtx and the solution x_L.mtx
    #[arg(long, value_name = "DIR")]
    matrices: Option<PathBuf>,
}

fn vtu(text: &str) -> Result<PathBuf, String> {
    match extension(text).as_str() {
        "vtu" => Ok(text.into()),
        _ => Err("give a name that ends in .vtu".to_owned()),
    }
}

/// A solution that may be written.
pub struct Solution<'a> {
    /// The finest level's.
    pub space: Space<'a>,
    /// What was solved.
    pub system: &'a Discretisation,
    /// u in the chosen numbering.
    pub x: &'a [f64],
    /// u by place.
    pub u: &'a [f64],
    /// Whether u is worth anything.
    pub is_usable: bool,
    /// Two lines over the picture.
    pub head: [String; 2],
}

impl Files {
    /// That all can be written: better known before the work than after it.
    pub fn check(&self) -> Result<(), Failure> {
        check_targets([
            self.out.as_deref(),
            self.png.as_deref(),
            self.history.as_deref(),
        ])?;
        match &self.matrices {
            Some(folder) if folder.is_file() => {
                Err(Failure::in_file(folder, "is a file; name a folder"))
            }
            Some(folder) if folder.is_dir() => check_folder(folder),
            Some(folder) => check_file(folder),
            None => Ok(()),
        }
    }

    /// Writes all that was asked for; without a usable solution, not that.
    pub fn write(&self, history: &[f64], solution: &Solution<'_>) -> Result<(), Failure> {
        if let Some(path) = &self.history {
            let lines = history.iter().enumerate();
            let lines = lines.map(|(cycle, defect)| format!("{cycle},{defect:e}"));
            write_csv(path, "cycle,defect", lines)?;
        }
        if let Some(folder) = &self.matrices {
            write_matrices(folder, solution)?;
        }
        let (space, u) = (&solution.space, solution.u);
        if let Some(path) = self.out.as_ref().filter(|_| solution.is_usable) {
            write_atomically(path, |out| write_vtu(space, u, out))?;
        }
        if let Some(path) = self.png.as_ref().filter(|_| solution.is_usable) {
            let [title, note] = solution.head.clone();
            let bytes = picture(space, u, title, note)?;
            write_atomically(path, |out| out.write_all(&bytes))?;
        }
        Ok(())
    }
}

fn write_matrices(folder: &Path, solution: &Solution<'_>) -> Result<(), Failure> {
    let system = solution.system;
    let unwritable =
        |error: io::Error| Failure::in_file(folder, format_args!("cannot be made: {error}"));
    fs::create_dir_all(folder).map_err(unwritable)?;
    let finest = system.matrices.len();
    let file = |name: &str, level: usize| folder.join(format!("{name}_{level}.mtx"));
    let write = |name, depth, matrix: &Csr<f64>| {
        let size = [matrix.rows(), matrix.columns()];
        write_matrix(
            &file(name, finest - depth),
            size,
            matrix.entries(),
            matrix.triplets(),
        )
    };
    for (depth, matrix) in system.matrices.iter().enumerate() {
        write("A", depth, matrix)?;
    }
    for (depth, matrix) in system.prolongations.iter().enumerate() {
        write("P", depth, matrix)?;
    }
    write_vector(&file("b", finest), &system.right_side)?;
    if solution.is_usable {
        write_vector(&file("x", finest), solution.x)?;
    }
    Ok(())
}
