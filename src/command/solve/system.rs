//! The system A x = b: read, checked, and scaled for single precision.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use fragstream::io::matrix_market::{Coordinates, read_matrix, read_vector};
use fragstream::random::SplitMix64;
use fragstream::solver::Csr;

use super::super::arguments::name_of;
use super::super::failure::Failure;
use super::method::Method;

/// |a_ij − a_ji| up to this share of the largest entry is rounding: far below single precision.
const SYMMETRIC_TO: f64 = 1e-12;

/// Where b comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RightHandSide {
    /// All ones.
    Ones,
    /// Uniform in (−1, 1], the same on every machine.
    Random {
        /// What the numbers depend on.
        seed: u64,
    },
    /// A vector in a Matrix Market file.
    File(PathBuf),
}

impl FromStr for RightHandSide {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            _ if text == "ones" => Ok(RightHandSide::Ones),
            Some(("random", seed)) => match seed.parse() {
                Ok(seed) => Ok(RightHandSide::Random { seed }),
                Err(_) => Err("give a whole number as the seed, as in random:1".to_owned()),
            },
            _ if text == "random" => Err("give a seed, as in random:1".to_owned()),
            _ => Ok(RightHandSide::File(text.into())),
        }
    }
}

/// A x = b with both sides multiplied by powers of two, which is exact: the largest entries of
/// either are then near 1, where squares neither overflow nor vanish in single precision.
#[derive(Debug)]
pub struct System {
    /// A times `matrix_scale`; square, and otherwise as its method needs it.
    pub a: Csr<f64>,
    /// b times `scale`.
    pub b: Vec<f64>,
    /// What A was multiplied by.
    pub matrix_scale: f64,
    /// What b was multiplied by, and every residual with it.
    pub scale: f64,
}

impl System {
    /// Reads a matrix that a method can be tried on, and its right-hand side.
    pub fn read(path: &Path, rhs: &RightHandSide, method: Method) -> Result<Self, Failure> {
        let matrix = read_matrix(path)?;
        let values = matrix.entries.iter().map(|&(_, _, value)| value);
        let matrix_scale = power_of_two(values);
        let a =
            assemble(&matrix, matrix_scale, method).map_err(|what| Failure::in_file(path, what))?;
        let mut b = right_hand_side(rhs, path, a.rows())?;
        let scale = power_of_two(b.iter().copied());
        b.iter_mut().for_each(|value| *value *= scale);
        Ok(System {
            a,
            b,
            matrix_scale,
            scale,
        })
    }

    /// ‖b‖, scaled.
    pub fn norm_of_b(&self) -> f64 {
        self.b.iter().map(|b| b * b).sum::<f64>().sqrt()
    }

    /// The solution of the system as it was given, from that of the scaled one.
    pub fn unscale(&self, x: &[f64]) -> Vec<f64> {
        x.iter()
            .map(|&value| value * self.matrix_scale / self.scale)
            .collect()
    }
}

/// 2^k that brings the largest of the magnitudes into [1, 2); 1 where all are zero.
fn power_of_two(values: impl Iterator<Item = f64>) -> f64 {
    let largest = values.fold(0.0, |largest: f64, value| largest.max(value.abs()));
    if largest == 0.0 {
        return 1.0;
    }
    2.0_f64.powi(-(largest.log2().floor().clamp(-1000.0, 1000.0) as i32))
}

/// The matrix times `scale`, if the method can be tried on it; otherwise what is wrong. Indices in
/// messages count from 1, as in the file.
fn assemble(matrix: &Coordinates, scale: f64, method: Method) -> Result<Csr<f64>, String> {
    let (rows, columns) = (matrix.rows as usize, matrix.columns as usize);
    if rows != columns {
        return Err(format!(
            "the matrix is {rows} x {columns}, not square; give a square one"
        ));
    }
    if rows == 0 {
        return Err("the matrix is empty; give one with a row at least".to_owned());
    }
    // Found among the entries, before memory is claimed for as many rows as the file announces.
    if let Some(row) = first_row_without(matrix, method.divides_by_diagonal()) {
        return Err(match method.divides_by_diagonal() {
            true => bad_diagonal(row, 0.0, method),
            false => format!(
                "row {} (counted from 1) has no entry, so the matrix is singular; give a regular one",
                row + 1
            ),
        });
    }
    let triplets = matrix
        .entries
        .iter()
        .map(|&(row, column, value)| (row as usize, column as usize, value * scale));
    let a = Csr::from_triplets(rows, columns, triplets).map_err(|error| error.to_string())?;
    check(&a, scale, method).map(|()| a)
}

/// That a matrix is what its method needs.
fn check(a: &Csr<f64>, scale: f64, method: Method) -> Result<(), String> {
    let is_bad = |value: f64| match method {
        Method::Cg | Method::Pcg => value <= 0.0,
        // What single precision takes for zero cannot be divided by either.
        Method::GaussSeidel | Method::Multigrid => value as f32 == 0.0,
        Method::Lu => false,
    };
    if let Some(row) = a.diagonal().into_iter().position(is_bad) {
        return Err(bad_diagonal(row, a.get(row, row) / scale, method));
    }
    let asymmetry = method
        .is_conjugate_gradients()
        .then(|| a.first_asymmetry(SYMMETRIC_TO));
    if let Some((row, column)) = asymmetry.flatten() {
        let [here, mirrored] = [a.get(row, column), a.get(column, row)].map(|value| value / scale);
        let (row, column) = (row + 1, column + 1);
        return Err(format!(
            "the matrix is not symmetric: the entry at row {row}, column {column} is {here}, but \
             at row {column}, column {row} it is {mirrored} (counted from 1); conjugate gradients \
             need a symmetric matrix: try --method gauss-seidel or lu"
        ));
    }
    Ok(())
}

/// The first row without an entry, or without one on the diagonal.
fn first_row_without(matrix: &Coordinates, diagonal: bool) -> Option<usize> {
    let entries = matrix
        .entries
        .iter()
        .filter(|(row, column, _)| !diagonal || row == column);
    let mut present: Vec<u32> = entries.map(|&(row, _, _)| row).collect();
    present.sort_unstable();
    present.dedup();
    let gap = (0..).zip(&present).position(|(row, &found)| row != found);
    let first = gap.unwrap_or(present.len());
    (first < matrix.rows as usize).then_some(first)
}

fn bad_diagonal(row: usize, value: f64, method: Method) -> String {
    let row = row + 1;
    match method.is_conjugate_gradients() {
        true => format!(
            "the diagonal entry of row {row} (counted from 1) is {value:?}; conjugate gradients need a \
             positive definite matrix, whose diagonal is positive"
        ),
        false => format!(
            "zero pivot: the diagonal entry of row {row} (counted from 1) is {value:?}, but {} divides \
             by it; try --method lu",
            name_of(method)
        ),
    }
}

fn right_hand_side(rhs: &RightHandSide, matrix: &Path, rows: usize) -> Result<Vec<f64>, Failure> {
    match rhs {
        RightHandSide::Ones => Ok(vec![1.0; rows]),
        RightHandSide::Random { seed } => {
            let mut random = SplitMix64::new(*seed);
            Ok((0..rows).map(|_| random.signed()).collect())
        }
        RightHandSide::File(path) => {
            let b = read_vector(path)?;
            if b.len() != rows {
                let (values, matrix) = (b.len(), matrix.display());
                let what = format!(
                    "the vector has {values} values, but {matrix} has {rows} rows; give as many"
                );
                return Err(Failure::in_file(path, what));
            }
            Ok(b)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coordinates(rows: u32, entries: &[(u32, u32, f64)]) -> Coordinates {
        Coordinates {
            rows,
            columns: rows,
            entries: entries.to_vec(),
            symmetric: false,
        }
    }

    #[test]
    fn a_billion_rows_without_entries_are_refused_without_claiming_memory() {
        for (method, says) in [
            (Method::Cg, "row 2 (counted from 1) is 0"),
            (Method::GaussSeidel, "row 2 (counted from 1) is 0"),
            (Method::Lu, "row 2 (counted from 1) has no entry"),
        ] {
            let matrix = coordinates(u32::MAX, &[(0, 0, 1.0)]);
            let error = assemble(&matrix, 1.0, method).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn entries_at_one_place_are_summed_before_the_diagonal_is_judged() {
        let matrix = coordinates(1, &[(0, 0, -1.0), (0, 0, 3.0)]);
        assert_eq!(assemble(&matrix, 1.0, Method::Cg).unwrap().get(0, 0), 2.0);
        let matrix = coordinates(1, &[(0, 0, 1.0), (0, 0, -1.0)]);
        assert!(assemble(&matrix, 1.0, Method::Cg).is_err());
    }

    #[test]
    fn scales_bring_the_largest_magnitude_between_one_and_two() {
        for largest in [1.0, 3.0, 1e-30, 7e200, 0.1] {
            let scaled = largest * power_of_two([0.0, -largest, largest / 2.0].into_iter());
            assert!((1.0..2.0).contains(&scaled), "{largest}: {scaled}");
        }
        assert_eq!(power_of_two(std::iter::empty()), 1.0);
    }

    #[test]
    fn right_hand_sides_are_told_apart() {
        assert_eq!("ones".parse(), Ok(RightHandSide::Ones));
        assert_eq!("random:7".parse(), Ok(RightHandSide::Random { seed: 7 }));
        assert_eq!("./ones".parse(), Ok(RightHandSide::File("./ones".into())));
        assert!("random".parse::<RightHandSide>().is_err());
        assert!("random:x".parse::<RightHandSide>().is_err());
    }
}
