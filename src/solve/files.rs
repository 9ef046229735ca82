//! The matrix, the right-hand side, the initial x and the prolongations, read from files.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::error::SolveError;
use crate::base::error::BoxedError;
use crate::base::memory;
use crate::base::random::SplitMix64;
use crate::bundled::{MATRICES, check_there, named};
use crate::io::matrix_market::{Coordinates, parse_matrix, read_matrix, read_vector};
use crate::io::names::system;
use crate::layouts::named::computed;
use crate::solver::Csr;

/// Bytes of main memory per row: the matrix, b, x and the residual.
const BYTES_A_ROW: u64 = 64;

/// Source of b.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RightHandSide {
    /// All ones.
    Ones,
    /// Uniform in (−1, 1], the same on every machine.
    Random {
        /// Random seed.
        seed: u64,
    },
    /// A vector in a Matrix Market file.
    File(PathBuf),
}

impl fmt::Display for RightHandSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RightHandSide::Ones => f.write_str("ones"),
            RightHandSide::Random { seed } => write!(f, "random:{seed}"),
            RightHandSide::File(path) => path.display().fmt(f),
        }
    }
}

impl FromStr for RightHandSide {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            _ if text == "ones" => Ok(RightHandSide::Ones),
            _ if text == "random" => Ok(RightHandSide::Random { seed: 1 }),
            Some(("random", seed)) => match seed.parse() {
                Ok(seed) => Ok(RightHandSide::Random { seed }),
                Err(_) => Err("give an integer as the seed, as in random:1".to_owned()),
            },
            _ => Ok(RightHandSide::File(text.into())),
        }
    }
}

/// A fault in a file that the message does not name.
fn in_file(path: &Path, what: impl Display) -> BoxedError {
    format!("{}: {what}", path.display()).into()
}

/// Reads a square matrix, or returns the bundled or computed one of that name.
pub fn read_square(path: &Path) -> Result<Csr<f64>, BoxedError> {
    if let Some(made) = made(path) {
        return made;
    }
    let matrix = coordinates(path)?;
    if matrix.rows != matrix.columns {
        let (rows, columns) = (matrix.rows as usize, matrix.columns as usize);
        return Err(in_file(path, SolveError::NotSquare { rows, columns }));
    }
    checked(path, matrix)
}

/// Reads a matrix with any number of rows and columns, or returns the bundled or computed one of that name.
pub fn read_any(path: &Path) -> Result<Csr<f64>, BoxedError> {
    made(path).unwrap_or_else(|| checked(path, coordinates(path)?))
}

/// The computed matrix of this name, unless there is such a file.
fn made(path: &Path) -> Option<Result<Csr<f64>, BoxedError>> {
    if system(path).exists() { None } else { computed(&path.to_string_lossy()) }
}

fn coordinates(path: &Path) -> Result<Coordinates, BoxedError> {
    check_there(path, "matrix", &MATRICES.map(|(name, _)| name))?;
    Ok(match named(path) {
        Some(file) => parse_matrix(file)?,
        None => read_matrix(path)?,
    })
}

/// Checks that the memory can hold a matrix, and converts it.
fn checked(path: &Path, matrix: Coordinates) -> Result<Csr<f64>, BoxedError> {
    let unfit = |error: SolveError| in_file(path, error);
    // Checked before memory is allocated for the number of rows in the file's header.
    match (matrix.rows as usize, matrix.columns as usize) {
        (0, _) | (_, 0) => return Err(unfit(SolveError::Empty)),
        (rows, columns) => {
            let most = rows.max(columns) as u64;
            memory::check(format_args!("{most} rows or columns"), most, BYTES_A_ROW, 1)
                .map_err(|error| in_file(path, error))?;
        }
    }
    compressed(path, matrix)
}

/// Converts to compressed rows.
fn compressed(path: &Path, matrix: Coordinates) -> Result<Csr<f64>, BoxedError> {
    let (rows, columns) = (matrix.rows as usize, matrix.columns as usize);
    let entries = matrix.entries.into_iter();
    let triplets = entries.map(|(i, j, value)| (i as usize, j as usize, value));
    Csr::from_triplets(rows, columns, triplets).map_err(|error| in_file(path, error))
}

/// The right-hand side of a matrix with this number of rows.
pub fn right_hand_side(
    rhs: &RightHandSide,
    matrix: &Path,
    rows: usize,
) -> Result<Vec<f64>, BoxedError> {
    match rhs {
        RightHandSide::Ones => Ok(vec![1.0; rows]),
        RightHandSide::Random { seed } => {
            let mut random = SplitMix64::new(*seed);
            Ok((0..rows).map(|_| random.signed()).collect())
        }
        RightHandSide::File(path) => vector(path, matrix, rows),
    }
}

/// Reads a vector with one value per row of the matrix.
pub fn vector(path: &Path, matrix: &Path, rows: usize) -> Result<Vec<f64>, BoxedError> {
    let values = read_vector(path)?;
    if values.len() != rows {
        let (length, matrix) = (values.len(), matrix.display());
        let what = format!(
            "the vector has {length} values, but {matrix} has {rows} rows. Give a vector of that length"
        );
        return Err(in_file(path, what));
    }
    Ok(values)
}

/// Reads prolongations, each from the next coarser level to the one before. The first interpolates to the
/// matrix, which has this number of rows.
pub fn read_prolongations(
    paths: &[PathBuf],
    matrix: &Path,
    rows: usize,
) -> Result<Vec<Csr<f64>>, BoxedError> {
    let mut finer = (format!("{} has {rows} rows", matrix.display()), rows);
    let mut prolongations = Vec::new();
    for path in paths {
        let file = read_matrix(path)?;
        let (rows, columns) = (file.rows as usize, file.columns as usize);
        let (what, expected) = finer;
        if rows != expected {
            return Err(in_file(
                path,
                format_args!(
                    "the prolongation has {rows} rows, but {what}. Give prolongations from the finest \
                     level on, the coarsest last"
                ),
            ));
        }
        if columns == 0 || columns >= rows {
            return Err(in_file(
                path,
                format_args!(
                    "the prolongation is {rows} x {columns}; a coarser level needs at least one unknown, and fewer \
                     than the finer one"
                ),
            ));
        }
        prolongations.push(compressed(path, file)?);
        finer = (format!("{} has {columns} columns", path.display()), columns);
    }
    Ok(prolongations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_hand_sides_are_told_apart() {
        assert_eq!("ones".parse(), Ok(RightHandSide::Ones));
        assert_eq!("random:7".parse(), Ok(RightHandSide::Random { seed: 7 }));
        assert_eq!("./ones".parse(), Ok(RightHandSide::File("./ones".into())));
        assert_eq!("random".parse(), Ok(RightHandSide::Random { seed: 1 }));
        assert!("random:x".parse::<RightHandSide>().is_err());
    }
}
