//! What is laid out.

use std::path::Path;

use fragstream::claim::input::{MATRICES, matrix as bundled};
use fragstream::io::matrix_market::read_matrix;
use fragstream::nearest::meant;
use fragstream::solver::Csr;

use super::super::failure::Failure;

/// A matrix, and a line about it.
pub struct Input {
    /// What it is.
    pub title: String,
    /// Square, with a row at least.
    pub matrix: Csr<f64>,
}

/// Reads a file, or finds a bundled matrix of that name.
pub fn read(path: &Path) -> Result<Input, Failure> {
    let name = path.to_string_lossy();
    let known = MATRICES.iter().find(|(known, _)| *known == name);
    let matrix = match known.filter(|_| !path.exists()) {
        Some((_, file)) => bundled(file).map_err(Failure::input)?,
        None => file(path)?,
    };
    let lengths = || (0..matrix.rows()).map(|row| matrix.row_length(row));
    let [least, most] = [lengths().min(), lengths().max()].map(Option::unwrap_or_default);
    let title = format!(
        "{name}: {} rows, {} entries, {least} to {most} a row",
        matrix.rows(),
        matrix.entries()
    );
    Ok(Input { title, matrix })
}

fn file(path: &Path) -> Result<Csr<f64>, Failure> {
    let name = path.to_string_lossy();
    if !path.exists() {
        let names = MATRICES.map(|(name, _)| name);
        let what = format!(
            "there is no such file, and no bundled matrix of that name; {}give a file, or one of {}",
            meant(&name, &names),
            names.join(", ")
        );
        return Err(Failure::in_file(path, what));
    }
    let read = read_matrix(path)?;
    let (rows, columns) = (read.rows as usize, read.columns as usize);
    if rows != columns || rows == 0 {
        let what =
            format!("the matrix is {rows} x {columns}; give a square one with a row at least");
        return Err(Failure::in_file(path, what));
    }
    let entries = read.entries.into_iter();
    let entries = entries.map(|(i, j, value)| (i as usize, j as usize, value));
    Ok(Csr::from_triplets(rows, columns, entries)?)
}
