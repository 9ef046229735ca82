//! The files that `fragstream fem` writes.

use std::path::Path;

use clap::Args;

use crate::geveler2011::{Discretisation, Space, picture, write_vtu};
use crate::io::matrix_market::{write_matrix, write_vector};
use crate::io::write_atomically;
use crate::solver::Csr;

use super::super::failure::Failure;
use super::super::output::{Folder, Target, csv, png, vtu};

/// Files of results.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct Files {
    /// Write u and its mesh, for ParaView
    #[arg(long, value_name = "FILE.vtu", value_parser = vtu)]
    out: Option<Target>,

    /// Draw u, with lines of equal values and a scale
    #[arg(long, value_name = "FILE.png", value_parser = png)]
    png: Option<Target>,

    /// Write the defect at the start and after each cycle
    #[arg(long, value_name = "FILE.csv", value_parser = csv)]
    history: Option<Target>,

    /// Write the matrices into this folder, in the Matrix Market format and the chosen numbering: of every
    /// level L the matrix A_L.mtx and, from the second on, the prolongation P_L.mtx from level L-1; of the
    /// finest level the right-hand side b_L.mtx and the solution x_L.mtx
    #[arg(long, value_name = "DIR")]
    matrices: Option<Folder>,
}

/// A solution that may be written.
pub struct Solution<'a> {
    /// Finite-element space of the finest level.
    pub space: Space<'a>,
    /// The discretised problem.
    pub system: &'a Discretisation,
    /// u in the chosen numbering.
    pub x: &'a [f64],
    /// u by position.
    pub u: &'a [f64],
    /// True if u is usable.
    pub is_usable: bool,
    /// Title and note of the picture.
    pub head: [String; 2],
}

impl Files {
    /// Writes the requested files; u only if it is usable.
    pub fn write(&self, history: &[f64], solution: &Solution<'_>) -> Result<(), Failure> {
        if let Some(file) = &self.history {
            let lines = history.iter().enumerate();
            file.lines("cycle,defect", lines.map(|(cycle, defect)| format!("{cycle},{defect:e}")))?;
        }
        if let Some(folder) = &self.matrices {
            folder.make()?;
            write_matrices(folder.path(), solution)?;
            folder.report("the matrices");
        }
        if !solution.is_usable {
            self.out.iter().chain(&self.png).for_each(Target::leave);
            return Ok(());
        }
        let (space, u) = (&solution.space, solution.u);
        if let Some(file) = &self.out {
            file.write(|path| write_atomically(path, |out| write_vtu(space, u, out)))?;
        }
        if let Some(file) = &self.png {
            let [title, note] = solution.head.clone();
            file.bytes(&picture(space, u, title, note)?)?;
        }
        Ok(())
    }
}

fn write_matrices(folder: &Path, solution: &Solution<'_>) -> Result<(), Failure> {
    let system = solution.system;
    let finest = system.matrices.len();
    let file = |name: &str, level: usize| folder.join(format!("{name}_{level}.mtx"));
    let write = |name, depth, matrix: &Csr<f64>| {
        let size = [matrix.rows(), matrix.columns()];
        write_matrix(&file(name, finest - depth), size, matrix.entries(), matrix.triplets())
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
