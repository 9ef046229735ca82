//! The images that a matrix is uploaded as (Bolz et al. 2003, section 3.1): they hold the matrix, and
//! nothing else.

use super::invariants::{check_packing, check_pointers};
use fragstream::bolz2003::Error;
use fragstream::bolz2003::sparse::matrix::{MatrixImages, pack, row_lengths};
use fragstream::bolz2003::sparse::packing::{Packing, PackingOptions};
use fragstream::solver::csr::Csr;
use fragstream::stream::rows::texel_at;
use proptest::prelude::*;

/// A dense matrix and a pattern: an entry is stored or not, whatever its value.
#[derive(Clone, Debug)]
struct Matrix {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Matrix {
    fn new(rows: impl IntoIterator<Item = Vec<(u32, f64)>>) -> Self {
        let mut matrix = Matrix {
            offsets: vec![0],
            columns: vec![],
            values: vec![],
        };
        for row in rows {
            matrix.columns.extend(row.iter().map(|entry| entry.0));
            matrix.values.extend(row.iter().map(|entry| entry.1));
            matrix.offsets.push(matrix.columns.len());
        }
        matrix
    }

    fn csr(&self) -> Csr<f64> {
        Csr::from_triplets(self.size(), self.size(), self.entries()).unwrap()
    }

    fn size(&self) -> usize {
        self.offsets.len() - 1
    }

    fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.size()).flat_map(move |i| {
            (self.offsets[i]..self.offsets[i + 1])
                .map(move |k| (i, self.columns[k] as usize, self.values[k]))
        })
    }

    fn dense(&self) -> Vec<Vec<f64>> {
        let mut dense = vec![vec![0.0; self.size()]; self.size()];
        self.entries()
            .for_each(|(i, j, value)| dense[i][j] += value);
        dense
    }

    fn transpose(&self) -> Matrix {
        let mut rows = vec![Vec::new(); self.size()];
        self.entries()
            .for_each(|(i, j, value)| rows[j].push((i as u32, value)));
        Matrix::new(rows)
    }
}

/// Rows of zero to many entries, with and without a diagonal, duplicates and explicit zeros.
fn any_matrix() -> impl Strategy<Value = Matrix> {
    (1..60usize).prop_flat_map(|n| {
        let value = prop_oneof![8 => -1.0..1.0f64, 1 => Just(0.0)];
        let row = prop::collection::vec((0..n as u32, value), 0..14);
        prop::collection::vec(row, n).prop_map(Matrix::new)
    })
}

fn any_options() -> impl Strategy<Value = PackingOptions> {
    let rectangle = prop_oneof![Just([1, 1]), Just([3, 5]), Just([26, 18]), Just([4, 1])];
    (rectangle, prop_oneof![Just(200), 1..6u32]).prop_map(|(rectangle, longest_pass)| {
        PackingOptions {
            rectangle,
            longest_pass,
            texture_limit: 2048,
        }
    })
}

/// Follows the pointers of every row, and finds the matrix. What follows its entries is padding: zeros,
/// and pointers to the zero.
fn assert_holds(packing: &Packing, images: &MatrixImages, dense: &[Vec<f64>]) {
    let row_pointers = packing.row_pointers();
    let mut found = vec![vec![0.0; dense.len()]; dense.len()];
    for (row, group) in packing.rows() {
        let record = packing.index(packing.texel[row]);
        found[row][row] += f64::from(images.diagonal[record]);
        let start = texel_at(row_pointers[record]);
        for c in 0..group.passes * group.pass_length {
            let place = packing.segment_index(group.entry(start, c));
            let column = texel_at(images.column[place]);
            match packing.texel.iter().position(|&texel| texel == column) {
                Some(column) => found[row][column] += f64::from(images.off_diagonal[place]),
                None => assert_eq!((images.off_diagonal[place], column), (0.0, packing.zero)),
            }
        }
    }
    let rounded = |row: &Vec<f64>| row.iter().map(|&a| f64::from(a as f32)).collect();
    assert_eq!(found, dense.iter().map(rounded).collect::<Vec<Vec<f64>>>());
}

proptest! {
    #[test]
    fn images_hold_any_matrix(matrix in any_matrix(), options in any_options()) {
        let (packing, [images]) = pack([&matrix.csr()], &options).unwrap();
        prop_assert_eq!(check_packing(&packing), Ok(()));
        prop_assert_eq!(check_pointers(&packing, &images.column), Ok(()));
        assert_holds(&packing, &images, &matrix.dense());
    }

    #[test]
    fn a_matrix_and_its_transpose_share_a_layout(matrix in any_matrix(), options in any_options()) {
        let transpose = matrix.transpose();
        let (packing, [a, at]) = pack([&matrix.csr(), &transpose.csr()], &options).unwrap();
        prop_assert_eq!(check_packing(&packing), Ok(()));
        assert_holds(&packing, &a, &matrix.dense());
        assert_holds(&packing, &at, &transpose.dense());
    }
}

/// A row of `length` off-diagonal entries in an otherwise thin matrix.
fn with_a_row_of(length: usize) -> Matrix {
    let n = length + 3;
    Matrix::new((0..n).map(|i| {
        let long = if i == 2 { length } else { 0 };
        let others = (0..n).filter(|&j| j != i).take(long.max(i % 3));
        let mut row: Vec<_> = others
            .map(|j| (j as u32, 1.0 / (1 + i + j) as f64))
            .collect();
        row.push((i as u32, 2.0));
        row
    }))
}

#[test]
fn the_smallest_matrices_work() {
    for matrix in [
        Matrix::new([vec![(0, 3.0)]]),
        Matrix::new([vec![]]),
        Matrix::new([]),
    ] {
        let (packing, [images]) = pack([&matrix.csr()], &PackingOptions::default()).unwrap();
        assert_eq!(check_packing(&packing), Ok(()));
        assert_holds(&packing, &images, &matrix.dense());
    }
}

#[test]
fn dummy_rows_have_a_diagonal_of_one() {
    let matrix = with_a_row_of(4);
    let options = PackingOptions {
        rectangle: [4, 4],
        ..Default::default()
    };
    let (packing, [images]) = pack([&matrix.csr()], &options).unwrap();
    assert_eq!(packing.dummies.len(), 9);
    for &dummy in &packing.dummies {
        assert_eq!(images.diagonal[packing.index(dummy)], 1.0);
    }
}

#[test]
fn a_packing_of_shorter_or_of_fewer_rows_is_refused() {
    let (packing, _) = pack([&with_a_row_of(3).csr()], &Default::default()).unwrap();
    let denser = Matrix::new((0..6).map(|_| (0..6).map(|j| (j, 1.0)).collect()));
    let error = MatrixImages::new(&packing, &denser.csr()).unwrap_err();
    assert!(
        matches!(error, Error::Unplaced { length: 5, .. }),
        "{error}"
    );
    let fewer = Matrix::new((0..5).map(|i| vec![(i, 1.0)]));
    let error = MatrixImages::new(&packing, &fewer.csr()).unwrap_err();
    assert!(
        matches!(error, Error::Rows { rows: 5, packed: 6 }),
        "{error}"
    );
}

#[test]
fn a_matrix_in_main_memory_is_laid_out_if_it_is_square() {
    let matrix = Csr::from_triplets(2, 2, [(0, 1, 3.0), (0, 0, 2.0), (1, 1, 1.0)]).unwrap();
    let (packing, [images]) = pack([&matrix], &PackingOptions::default()).unwrap();
    assert_holds(&packing, &images, &[vec![2.0, 3.0], vec![0.0, 1.0]]);

    let oblong = Csr::from_triplets(2, 1, [(0, 0, 1.0)]).unwrap();
    let error = row_lengths(&oblong).unwrap_err();
    assert_eq!(
        error,
        Error::NotSquare {
            rows: 2,
            columns: 1
        }
    );
}
