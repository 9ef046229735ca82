//! Products in ELLPACK: the paper's example, and every arithmetic against double precision.

use std::rc::Rc;

use fragstream::geveler2011::experiments::matrices::example;
use fragstream::geveler2011::products::{
    Arithmetic, Ellpack, EllpackProduct, EllpackStorage, PairSpace,
};
use fragstream::random::SplitMix64;
use fragstream::solver::{Csr, TextureSpace, VectorSpace};
use fragstream::stream::{Format, Layout};

use crate::common::machine;

#[test]
fn the_paper_s_example_has_the_paper_s_arrays() {
    let ellpack = Ellpack::new(&example().unwrap());
    assert_eq!(ellpack.lengths, [2, 2, 3, 2]);
    // By columns; * is padding.
    assert_eq!(
        ellpack.values,
        [1.0, 2.0, 5.0, 6.0, 7.0, 8.0, 3.0, 4.0, 0.0, 0.0, 9.0, 0.0]
    );
    assert_eq!(ellpack.indices, [0, 1, 0, 1, 1, 2, 2, 3, 0, 0, 3, 0]);
    let mut y = [0.0; 4];
    ellpack.multiply(&[1.0, 2.0, 3.0, 4.0], &mut y).unwrap();
    assert_eq!(y, [15.0, 28.0, 50.0, 28.0]);
}

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

#[test]
fn products_and_defects_agree_with_double_precision() {
    let machine = machine();
    let mut random = SplitMix64::new(5);
    for (rows, columns) in [(1, 1), (1, 9), (23, 7), (130, 131), (1000, 251)] {
        let matrix = random_matrix(rows, columns, &mut random);
        let mut vector = |n: usize| (0..n).map(|_| random.signed()).collect::<Vec<f64>>();
        let (x, b) = (vector(columns), vector(rows));
        let storage = Rc::new(EllpackStorage::new(&machine, &matrix).unwrap());
        let mut product = vec![0.0; rows];
        matrix.multiply(&x, &mut product).unwrap();
        let defect: Vec<f64> = b.iter().zip(&product).map(|(b, y)| b - y).collect();
        let size: Vec<f64> = (0..rows)
            .map(|i| b[i].abs() + matrix.row(i).map(|(j, a)| (a * x[j]).abs()).sum::<f64>())
            .collect();
        let check = |what: &str, found: &[f64], expected: &[f64], bound: f64| {
            for i in 0..rows {
                let off = (found[i] - expected[i]).abs();
                assert!(
                    off <= bound * size[i],
                    "{what}: {off} of {} in row {i}",
                    size[i]
                );
            }
        };

        let space =
            |n| TextureSpace::new(&machine, Layout::square(n, Format::R32F).unwrap()).unwrap();
        let (wide, tall) = (space(columns), space(rows));
        let narrow = |v: &[f64]| v.iter().map(|&v| v as f32).collect::<Vec<f32>>();
        let single = EllpackProduct::new(&machine, &storage, Arithmetic::Single).unwrap();
        let (y, gpu_x) = (tall.zeros().unwrap(), wide.vector(&narrow(&x)).unwrap());
        let read = || {
            y.read()
                .unwrap()
                .into_iter()
                .map(f64::from)
                .collect::<Vec<f64>>()
        };
        // Rounded inputs, seven products and sums.
        let bound = 12.0 * f64::from(f32::EPSILON);
        single.multiply(&gpu_x, &y).unwrap();
        check("single", &read(), &product, bound);
        single
            .defect(&tall.vector(&narrow(&b)).unwrap(), &gpu_x, &y)
            .unwrap();
        check("single defect", &read(), &defect, bound);

        let (wide, tall) = (
            PairSpace::new(&machine, columns).unwrap(),
            PairSpace::new(&machine, rows).unwrap(),
        );
        let pairs = EllpackProduct::new(&machine, &storage, Arithmetic::Pairs).unwrap();
        let (mut r, gpu_x) = (tall.zeros().unwrap(), wide.vector(&x).unwrap());
        let bound = 1e-13;
        pairs.multiply(&gpu_x, &r).unwrap();
        check("pairs", &tall.read(&r).unwrap(), &product, bound);
        let gpu_b = tall.vector(&b).unwrap();
        pairs.defect(&gpu_b, &gpu_x, &r).unwrap();
        check("pairs defect", &tall.read(&r).unwrap(), &defect, bound);
        // r <- r + 0.3 b
        tall.axpy(&mut r, 0.3, &gpu_b).unwrap();
        let expected: Vec<f64> = defect.iter().zip(&b).map(|(r, b)| r + 0.3 * b).collect();
        check("axpy", &tall.read(&r).unwrap(), &expected, bound);
        // What mixed precision reads: the high part.
        pairs.defect(&gpu_b, &gpu_x, &y).unwrap();
        check("high part", &read(), &defect, 1e-6);
    }
}
