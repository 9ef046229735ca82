//! Products in ELLPACK: the paper's example, and every layout and arithmetic against double precision.

use std::rc::Rc;

use fragstream::base::random::SplitMix64;
use fragstream::geveler2011::{
    Arithmetic, EllpackLayout, EllpackProduct, EllpackStorage, Entries, PairSpace, ProductSpace,
    RowFormat,
};
use fragstream::solver::{Csr, TextureSpace, VectorSpace};
use fragstream::stream::{Format, Layout, Machine, Stream};

use crate::common::machine;

/// A matrix with rows of none to seven entries of both signs.
fn random_matrix(rows: usize, columns: usize, random: &mut SplitMix64) -> Csr<f64> {
    let mut entries = Vec::new();
    for row in 0..rows {
        for _ in 0..random.below(8) {
            entries.push((row, random.below(columns), random.signed()));
        }
    }
    Csr::from_triplets(rows, columns, entries).unwrap()
}

/// The orders of rounding that each arithmetic is allowed.
const BOUNDS: [(Arithmetic, f64); 3] = [
    // Rounded inputs, seven products and sums.
    (Arithmetic::Single, 12.0 * f32::EPSILON as f64),
    (Arithmetic::Pairs, 1e-13),
    (Arithmetic::Native, 1e-13),
];

const LAYOUTS: [EllpackLayout; 3] = [
    EllpackLayout::paper_2011(),
    EllpackLayout::of_2003(),
    EllpackLayout { rows: RowFormat::EllpackR, entries: Entries::Packed },
];

/// Vectors of one arithmetic: their number of channels is all that tells them apart.
enum Vectors {
    Single(TextureSpace),
    Double(PairSpace),
}

impl Vectors {
    fn new(machine: &Machine, n: usize, arithmetic: Arithmetic) -> Self {
        match arithmetic {
            Arithmetic::Single => {
                let layout = Layout::square(n, Format::R32F).unwrap();
                Self::Single(TextureSpace::new(machine, layout).unwrap())
            }
            _ => Self::Double(PairSpace::of(machine, n, arithmetic).unwrap()),
        }
    }

    fn vector(&self, entries: &[f64]) -> Stream {
        match self {
            Self::Single(space) => space.vector_of(entries).unwrap(),
            Self::Double(space) => space.vector_of(entries).unwrap(),
        }
    }

    fn read(&self, x: &Stream) -> Vec<f64> {
        match self {
            Self::Single(space) => space.entries_of(x).unwrap(),
            Self::Double(space) => space.entries_of(x).unwrap(),
        }
    }
}

/// y = A x and Σ |a_ij x_j| of every row.
fn product(matrix: &Csr<f64>, x: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut y = vec![0.0; matrix.rows()];
    matrix.multiply(x, &mut y).unwrap();
    let size = |i| matrix.row(i).map(|(j, a)| (a * x[j]).abs()).sum();
    (y, (0..matrix.rows()).map(size).collect())
}

#[track_caller]
fn check(found: &[f64], expected: &[f64], sizes: &[f64], bound: f64) {
    assert_eq!(found.len(), expected.len());
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let off = (found - expected).abs();
        assert!(off <= bound * sizes[i], "{off} of {} in row {i}", sizes[i]);
    }
}

#[test]
fn products_and_defects_agree_with_double_precision_in_every_layout_and_arithmetic() {
    let machine = machine();
    let mut random = SplitMix64::new(5);
    for (rows, columns) in [(1, 1), (1, 9), (23, 7), (130, 131), (400, 251)] {
        let matrix = random_matrix(rows, columns, &mut random);
        let mut vector = |n: usize| (0..n).map(|_| random.signed()).collect::<Vec<f64>>();
        let (x, b) = (vector(columns), vector(rows));
        let (y, mut sizes) = product(&matrix, &x);
        let defect: Vec<f64> = b.iter().zip(&y).map(|(b, y)| b - y).collect();
        sizes.iter_mut().zip(&b).for_each(|(size, b)| *size += b.abs());
        for layout in LAYOUTS {
            let storage = Rc::new(EllpackStorage::new(&machine, &matrix, layout).unwrap());
            for (arithmetic, bound) in BOUNDS {
                let product = EllpackProduct::new(&machine, &storage, arithmetic).unwrap();
                let wide = Vectors::new(&machine, columns, arithmetic);
                let tall = Vectors::new(&machine, rows, arithmetic);
                let (x, b) = (wide.vector(&x), tall.vector(&b));
                let result = tall.vector(&vec![0.0; rows]);
                product.multiply(&x, &result).unwrap();
                check(&tall.read(&result), &y, &sizes, bound);
                product.defect(&b, &x, &result).unwrap();
                check(&tall.read(&result), &defect, &sizes, bound);
            }
        }
    }
}

#[test]
fn sums_of_vectors_hold_48_bits_and_a_defect_s_high_part_is_a_vector() {
    let machine = machine();
    let mut random = SplitMix64::new(7);
    let n = 130;
    let mut vector = || (0..n).map(|_| random.signed()).collect::<Vec<f64>>();
    let (x, y) = (vector(), vector());
    let sizes = vec![2.0; n];
    for arithmetic in [Arithmetic::Pairs, Arithmetic::Native] {
        let space = PairSpace::of(&machine, n, arithmetic).unwrap();
        let (mut sum, right) = (space.vector_of(&x).unwrap(), space.vector_of(&y).unwrap());
        space.axpy(&mut sum, 0.3, &right).unwrap();
        let expected: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x + 0.3 * y).collect();
        check(&space.entries_of(&sum).unwrap(), &expected, &sizes, 1e-13);
        space.multiply(&right, &right, &sum).unwrap();
        let expected: Vec<f64> = y.iter().map(|y| y * y).collect();
        check(&space.entries_of(&sum).unwrap(), &expected, &sizes, 1e-13);

        // Mixed precision takes its defects so.
        let identity = Csr::from_triplets(n, n, (0..n).map(|i| (i, i, 1.0))).unwrap();
        let storage = EllpackStorage::new(&machine, &identity, EllpackLayout::of_2003()).unwrap();
        let product = EllpackProduct::new(&machine, &Rc::new(storage), arithmetic).unwrap();
        let single = Vectors::new(&machine, n, Arithmetic::Single);
        let defect = single.vector(&vec![0.0; n]);
        let near: Vec<f64> = x.iter().map(|x| x * (1.0 - 1e-9)).collect();
        let [x, near] = [&x, &near].map(|x| space.vector_of(x).unwrap());
        product.defect(&x, &near, &defect).unwrap();
        let expected: Vec<f64> = space.entries_of(&x).unwrap().iter().map(|x| 1e-9 * x).collect();
        check(&single.read(&defect), &expected, &sizes, 1e-13);
    }
}

#[test]
fn the_ledger_of_ellpack_r_has_as_many_fetches_as_the_matrix_has_entries() {
    let machine = machine();
    let matrix = random_matrix(130, 131, &mut SplitMix64::new(8));
    let fetches = |layout| {
        let storage = Rc::new(EllpackStorage::new(&machine, &matrix, layout).unwrap());
        let product = EllpackProduct::new(&machine, &storage, Arithmetic::Single).unwrap();
        let vectors = |n| Vectors::new(&machine, n, Arithmetic::Single).vector(&vec![0.0; n]);
        let (x, y) = (vectors(131), vectors(130));
        machine.take_ledger();
        product.multiply(&x, &y).unwrap();
        let total = machine.take_ledger().total();
        (total.fetches, total.fragments, storage.row_length)
    };
    let [paper, padded, packed] = LAYOUTS.map(fetches);
    let entries = matrix.entries() as u64;
    // 12 x 11 texels hold 130 rows: each asks how long its row is.
    assert_eq!(paper, (132 + 3 * entries, 132, 7));
    assert_eq!(packed, (132 + 2 * entries, 132, 7));
    assert_eq!(padded, (132 * 2 * 7, 132, 7));
}
