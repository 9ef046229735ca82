//! The images that a matrix is uploaded as (Bolz et al. 2003, section 3.1): they hold the matrix, and
//! nothing else.

use super::invariants::{check_packing, check_pointers};
use fragstream::bolz2003::Error;
use fragstream::bolz2003::sparse::matrix::{MatrixImages, pack, row_lengths};
use fragstream::bolz2003::sparse::packing::{Packing, PackingOptions};
use fragstream::solver::csr::Csr;
use proptest::prelude::*;

/// A matrix of these rows, each of columns and values.
fn of_rows(rows: &[Vec<(u32, f64)>]) -> Csr<f64> {
    let entries = rows
        .iter()
        .enumerate()
        .flat_map(|(i, row)| row.iter().map(move |&(column, value)| (i, column as usize, value)));
    Csr::from_triplets(rows.len(), rows.len(), entries).unwrap()
}

/// Rows of zero to many entries, with and without a diagonal, duplicates and explicit zeros.
fn any_matrix() -> impl Strategy<Value = Csr<f64>> {
    (0..60usize).prop_flat_map(|n| {
        let value = prop_oneof![8 => -1.0..1.0f64, 1 => Just(0.0)];
        let row = prop::collection::vec((0..n.max(1) as u32, value), 0..14);
        prop::collection::vec(row, n).prop_map(|rows| of_rows(&rows))
    })
}

fn any_options() -> impl Strategy<Value = PackingOptions> {
    let rectangle = prop_oneof![Just([1, 1]), Just([3, 5]), Just([26, 18]), Just([4, 1])];
    (rectangle, prop_oneof![Just(200), 1..6u32]).prop_map(|(rectangle, longest_pass)| {
        PackingOptions { rectangle, longest_pass, texture_limit: 2048 }
    })
}

/// Follows the pointers of every row, and finds the matrix. What follows its entries is padding: zeros,
/// and pointers to the zero.
fn assert_holds(packing: &Packing, images: &MatrixImages, matrix: &Csr<f64>) {
    let row_pointers = packing.row_pointers();
    let n = matrix.rows();
    let mut found = vec![0.0; n * n];
    for (row, group) in packing.rows() {
        let record = packing.index(packing.texel[row]);
        found[row * n + row] += f64::from(images.diagonal[record]);
        let texel_at = |pointer: [f32; 2]| pointer.map(|place| place as u32);
        let start = texel_at(row_pointers[record]);
        for c in 0..group.passes * group.pass_length {
            let place = packing.segment_index(group.entry(start, c));
            let column = texel_at(images.column[place]);
            match packing.texel.iter().position(|&texel| texel == column) {
                Some(column) => found[row * n + column] += f64::from(images.off_diagonal[place]),
                None => assert_eq!((images.off_diagonal[place], column), (0.0, packing.zero)),
            }
        }
    }
    let rounded = matrix.to_dense().into_iter().map(|a| f64::from(a as f32));
    assert_eq!(found, rounded.collect::<Vec<f64>>());
}

proptest! {
    #[test]
    fn images_hold_any_matrix(matrix in any_matrix(), options in any_options()) {
        let (packing, [images]) = pack([&matrix], &options).unwrap();
        check_packing(&packing);
        check_pointers(&packing, &images.column);
        assert_holds(&packing, &images, &matrix);
    }

    #[test]
    fn a_matrix_and_its_transpose_share_a_layout(matrix in any_matrix(), options in any_options()) {
        let transpose = matrix.transpose();
        let (packing, [a, at]) = pack([&matrix, &transpose], &options).unwrap();
        check_packing(&packing);
        assert_holds(&packing, &a, &matrix);
        assert_holds(&packing, &at, &transpose);
    }
}

/// A row of `length` off-diagonal entries in an otherwise thin matrix.
fn with_a_row_of(length: usize) -> Csr<f64> {
    let n = length + 3;
    let rows = (0..n).map(|i| {
        let long = if i == 2 { length } else { 0 };
        let others = (0..n).filter(|&j| j != i).take(long.max(i % 3));
        let mut row: Vec<_> = others.map(|j| (j as u32, 1.0 / (1 + i + j) as f64)).collect();
        row.push((i as u32, 2.0));
        row
    });
    of_rows(&rows.collect::<Vec<_>>())
}

#[test]
fn dummy_rows_have_a_diagonal_of_one() {
    let matrix = with_a_row_of(4);
    let options = PackingOptions { rectangle: [4, 4], ..Default::default() };
    let (packing, [images]) = pack([&matrix], &options).unwrap();
    assert_eq!(packing.dummies.len(), 9);
    for &dummy in &packing.dummies {
        assert_eq!(images.diagonal[packing.index(dummy)], 1.0);
    }
}

#[test]
fn a_packing_of_shorter_or_of_fewer_rows_is_refused() {
    let (packing, _) = pack([&with_a_row_of(3)], &Default::default()).unwrap();
    let full_row = || (0..6).map(|j| (j, 1.0)).collect();
    let denser = of_rows(&[(); 6].map(|()| full_row()));
    let error = MatrixImages::new(&packing, &denser).unwrap_err();
    assert!(matches!(error, Error::Unplaced { length: 5, .. }), "{error}");
    let fewer = of_rows(&[0, 1, 2, 3, 4].map(|i| vec![(i, 1.0)]));
    let error = MatrixImages::new(&packing, &fewer).unwrap_err();
    assert!(matches!(error, Error::Rows { rows: 5, packed: 6 }), "{error}");
}

#[test]
fn a_matrix_that_is_not_square_is_refused() {
    let oblong = Csr::from_triplets(2, 1, [(0, 0, 1.0)]).unwrap();
    let error = row_lengths(&oblong).unwrap_err();
    assert_eq!(error, Error::NotSquare { rows: 2, columns: 1 });
}
