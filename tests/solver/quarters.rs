//! Diagonals in quarters, and unknowns in colours, against sums in double precision.

use fragstream::base::random::SplitMix64;
use fragstream::layouts::quarters::{QuarterMatrix, Quarters, Sum};
use fragstream::layouts::textures::observe;
use fragstream::layouts::{ALL, Layout, LayoutsError, QUARTERS, ROWS, Upload};
use fragstream::solve::{Method, Options, Solution, solve_csr, suited};
use fragstream::solver::{Csr, Reason, TextureSpace, true_residual};
use fragstream::stream::{Machine, Stream};

use crate::common::machine;
use crate::solver::samples::membrane;

/// Entries of both signs wherever column − row is one of these, or less than that by n.
fn banded(n: usize, offsets: &[usize], random: &mut SplitMix64) -> Csr<f64> {
    let rows = (0..n).flat_map(|i| offsets.iter().map(move |k| (i, (i + k) % n)));
    let entries: Vec<_> = rows.map(|(i, j)| (i, j, random.signed())).collect();
    Csr::from_triplets(n, n, entries).unwrap()
}

/// A vector with these entries.
fn upload(space: &TextureSpace, vectors: Quarters, entries: &[f32]) -> Stream {
    let mut texels = vec![0.0; vectors.layout().capacity()];
    for (place, &entry) in vectors.places(entries.len()).into_iter().zip(entries) {
        texels[place as usize] = entry;
    }
    let vector = space.zeros().unwrap();
    vector.write(&texels).unwrap();
    vector
}

/// This many entries of what a texture holds.
fn gather(vectors: Quarters, entries: usize, texels: &[f32]) -> Vec<f32> {
    let places = vectors.places(entries).into_iter();
    places.map(|place| texels[place as usize]).collect()
}

#[test]
fn products_in_quarters_are_sums_in_double_precision_wherever_diagonals_begin() {
    let machine = machine();
    let mut random = SplitMix64::new(3);
    for (n, width) in [(1, 2), (3, 1), (7, 2), (64, 4), (155, 3), (1001, 5), (1300, 64)] {
        let vectors = Quarters::of_width(n, 1, width).unwrap();
        let space = TextureSpace::new(&machine, vectors.layout()).unwrap();
        let quarter = vectors.layout().capacity() / 4;
        let few = [0, 1, 6, n - 1, n.saturating_sub(6)];
        let edges = [quarter - 1, quarter, quarter + 1, 2 * quarter, 3 * quarter + 2];
        let many: Vec<usize> = (0..33).map(|k| k * k).collect();
        for offsets in [&few[..], &edges, &many] {
            let mut offsets: Vec<usize> = offsets.iter().map(|k| k % n).collect();
            offsets.sort_unstable();
            offsets.dedup();
            let a = banded(n, &offsets, &mut random);
            let [x, z] =
                [(); 2].map(|()| (0..n).map(|_| random.signed() as f32).collect::<Vec<_>>());
            let [on_x, on_z] = [&x, &z].map(|v| upload(&space, vectors, v));
            for sum in [Sum::Product, Sum::Difference] {
                let matrix = QuarterMatrix::new(&machine, vectors, (&a, [0, 0]), sum).unwrap();
                let mut y = space.zeros().unwrap();
                matrix.multiply(&space, &on_z, &on_x, &mut y).unwrap();
                let texels = y.read().unwrap();
                assert_eq!(texels.iter().filter(|&&value| value != 0.0).count(), n, "padding");
                for (row, y) in gather(vectors, n, &texels).into_iter().enumerate() {
                    let terms: Vec<f64> = a.row(row).map(|(j, v)| v * f64::from(x[j])).collect();
                    let size = terms.iter().map(|term| term.abs()).sum::<f64>() + 1.0;
                    let product: f64 = terms.iter().sum();
                    let exact = match sum {
                        Sum::Product => product,
                        Sum::Difference => f64::from(z[row]) - product,
                    };
                    let error = (f64::from(y) - exact).abs();
                    assert!(error <= 1e-6 * size, "{n}, {sum:?}, row {row}: {y}, {exact}");
                }
            }
        }
    }
}

#[test]
fn diagonals_of_one_number_each_take_one_texture_and_multiply_as_others_do() {
    let machine = machine();
    let mut random = SplitMix64::new(8);
    for (n, width) in [(155, 3), (1300, 5)] {
        let vectors = Quarters::of_width(n, 1, width).unwrap();
        let space = TextureSpace::new(&machine, vectors.layout()).unwrap();
        // As many diagonals as a pass takes, and more; each with holes.
        for count in [1, 5, 14, 15] {
            let numbers: Vec<_> = (0..count).map(|_| random.signed()).collect();
            let places = (0..n).flat_map(|i| (0..count).map(move |k| (i, k)));
            let places: Vec<_> = places.filter(|_| random.signed() < 0.5).collect();
            let entries = places.iter();
            let entries = entries.map(|&(i, k)| (i, (i + k * k) % n, numbers[k]));
            let a = Csr::from_triplets(n, n, entries).unwrap();
            let x: Vec<f32> = (0..n).map(|_| random.signed() as f32).collect();
            let on_x = upload(&space, vectors, &x);
            let before = machine.ledger().bytes_allocated;
            let shared = QuarterMatrix::shared(&machine, vectors, &a, Sum::Difference).unwrap();
            let Some(matrix) = shared else {
                // A diagonal and its counterpart beyond the last column are two.
                assert!(count >= 14, "{count} diagonals of {n} rows");
                continue;
            };
            assert!(matrix.counts()[0] <= 14);
            assert_eq!(machine.ledger().bytes_allocated - before, on_x.bytes());
            let mut y = space.zeros().unwrap();
            matrix.multiply(&space, &on_x, &on_x, &mut y).unwrap();
            let y = gather(vectors, n, &y.read().unwrap());
            for (row, y) in y.into_iter().enumerate() {
                let product: f64 = a.row(row).map(|(j, v)| v * f64::from(x[j])).sum();
                let error = (f64::from(y) - (f64::from(x[row]) - product)).abs();
                assert!(error <= 1e-5, "{n}, {count} diagonals, row {row}");
            }
        }
    }
}

/// Solves with a right side of random numbers.
fn solve(machine: &Machine, a: &Csr<f64>, layout: Layout) -> Solution {
    let mut random = SplitMix64::new(11);
    let b: Vec<f64> = (0..a.rows()).map(|_| random.signed()).collect();
    let options = Options { method: Some(Method::Pcg), layout: Some(layout), ..Options::default() };
    let solution = solve_csr(machine, a, &b, &options).unwrap();
    assert_eq!(solution.reason, Reason::Converged);
    assert!(true_residual(a, &b, &solution.x).unwrap().relative <= 1e-8);
    solution
}

#[test]
fn two_colours_halve_the_iterations_three_nearly_do_and_a_fourth_one_leaves_them() {
    let machine = machine();
    // A membrane whose stiffness varies; with a link across each cell, which makes triangles of it; and with
    // both links across one.
    let mut random = SplitMix64::new(5);
    let m = 23;
    let factors: Vec<f64> = (0..m * m).map(|_| 2.0_f64.powf(3.0 * random.signed())).collect();
    let linked = |a: &Csr<f64>, links: &[[usize; 2]]| {
        let of_one = |&[i, j]: &[usize; 2]| [(i, i, 0.1), (j, j, 0.1), (i, j, -0.1), (j, i, -0.1)];
        let links = links.iter().flat_map(of_one);
        Csr::from_triplets(m * m, m * m, a.triplets().chain(links)).unwrap()
    };
    let two = membrane(m).scaled(&factors, &factors);
    let cells = (0..m * m).filter(|i| i % m + 1 < m && i / m + 1 < m);
    let across: Vec<_> = cells.map(|i| [i, i + m + 1]).collect();
    let three = linked(&two, &across);
    let four = linked(&three, &[[4, 3 + m]]);
    for (a, share, expected) in [
        (two, Some("half of the unknowns"), 0.4..0.6),
        (three, Some("two thirds of the unknowns"), 0.4..0.65),
        (four, None, 0.9..1.1),
    ] {
        let [whole, quarters] = [ROWS, QUARTERS].map(|l| solve(&machine, &a, l));
        let storage = &quarters.storage;
        match share {
            Some(share) => assert!(storage.ends_with(share), "{storage}"),
            None => assert!(!storage.contains("unknowns"), "{storage}"),
        }
        let [all, own] = [&whole, &quarters].map(|solution| solution.iterations as f64);
        assert!(expected.contains(&(own / all)), "{own} of {all}");
    }
}

#[test]
fn a_block_and_the_transposes_of_two_are_sums_over_vectors_above_each_other() {
    let machine = machine();
    let mut random = SplitMix64::new(8);
    for (n, width) in [(7, 2), (155, 3), (1001, 5), (1300, 64)] {
        let two = Quarters::of_width(n, 2, width).unwrap();
        let space = TextureSpace::new(&machine, two.layout()).unwrap();
        let [a, b] = [&[0, 1, 6, n - 1][..], &[2, 5, n / 2]].map(|k| banded(n, k, &mut random));
        let [x, z] =
            [(); 2].map(|()| (0..2 * n).map(|_| random.signed() as f32).collect::<Vec<_>>());
        let [on_x, on_z] = [&x, &z].map(|v| upload(&space, two, v));
        let product = |a: &Csr<f64>, row: usize, from: usize| -> f64 {
            let entries = a.row(row);
            entries.map(|(j, v)| v * f64::from(x[from * n + j])).sum()
        };
        let transposes = [a.transpose(), b.transpose()];
        let sum = |row: usize| product(&transposes[0], row, 0) + product(&transposes[1], row, 1);
        let difference = |to: usize, from: usize, row: usize| {
            f64::from(z[to * n + row]) - product(&a, row, from)
        };
        let block = |a: &Csr<f64>, place| {
            QuarterMatrix::new(&machine, two, (a, place), Sum::Difference).unwrap()
        };
        let [own, other] = [block(&a, [0, 0]), block(&b, [0, 0])];
        let both = [(&own, 0), (&other, 1)];
        let transposed = QuarterMatrix::of_transposes(&machine, two, &both).unwrap();
        // A product, the vector that it is for, and its entries.
        type Case<'a> = (QuarterMatrix, usize, &'a dyn Fn(usize) -> f64);
        let cases: [Case; 3] = [
            (block(&a, [1, 0]), 1, &|row| difference(1, 0, row)),
            (block(&a, [0, 1]), 0, &|row| difference(0, 1, row)),
            (transposed, 0, &sum),
        ];
        for (number, (matrix, to, exact)) in cases.iter().enumerate() {
            let mut y = space.zeros().unwrap();
            matrix.multiply(&space, &on_z, &on_x, &mut y).unwrap();
            let texels = y.read().unwrap();
            let written = texels.iter().filter(|&&value| value != 0.0).count();
            assert_eq!(written, n, "neither padding nor the other vector");
            for (row, &y) in gather(two, 2 * n, &texels)[to * n..][..n].iter().enumerate() {
                let error = (f64::from(y) - exact(row)).abs();
                assert!(error <= 1e-5, "{n}, case {number}, row {row}: {y}");
            }
        }
    }
}

#[test]
fn two_colours_take_a_diagonal_for_each_neighbour_on_rows_of_odd_length() {
    let machine = machine();
    let mut random = SplitMix64::new(6);
    for (m, is_scattered) in [(23, false), (22, true)] {
        let mut a = membrane(m);
        if is_scattered {
            let mut order: Vec<u32> = (0..(m * m) as u32).collect();
            random.shuffle(&mut order);
            a = a.permuted(&order, &order);
        }
        let storage = solve(&machine, &a, QUARTERS).storage;
        let is_short = storage == "8 diagonals in 2 passes, for half of the unknowns";
        assert_eq!(is_short, !is_scattered, "{storage}");
    }
}

#[test]
fn classes_of_any_size_are_solved_one_for_the_other() {
    let machine = machine();
    // A star of one centre, pairs, and no link at all.
    let star = (1..40).flat_map(|i| [(0, i, -0.1), (i, 0, -0.1)]).collect();
    let pairs = (0..20).flat_map(|i| [(2 * i, 2 * i + 1, 0.5), (2 * i + 1, 2 * i, 0.5)]).collect();
    for links in [star, pairs, Vec::new()] {
        let diagonal = (0..40).map(|i| (i, i, 1.0 + (i % 3) as f64));
        let a = Csr::from_triplets(40, 40, diagonal.chain(links)).unwrap();
        solve(&machine, &a, QUARTERS);
    }
}

#[test]
fn a_footprint_has_the_bytes_of_what_is_stored_and_every_texture_has_a_role() {
    let machine = machine();
    let mut random = SplitMix64::new(4);
    let side = machine.description().rectangle_limit;
    for a in [
        membrane(12),
        membrane(12).scaled(&[0.25; 144], &[1.0; 144]),
        banded(155, &[0, 3, 40], &mut random),
    ] {
        for layout in ALL {
            let footprint = match (layout.footprint)(&a, side) {
                Ok(footprint) => footprint,
                Err(LayoutsError::Unsuited(_)) => continue,
                Err(error) => panic!("{layout}: {error}"),
            };
            let stored = (layout.store)(&machine, &a, &Upload::default()).unwrap();
            let (x, mut y) =
                (stored.vector(&vec![1.0; a.rows()]).unwrap(), stored.space.zeros().unwrap());
            let operands = ["vector", "partial sum", "partial sums"];
            let seen = observe(&machine, &operands, false, || stored.multiply(&x, &mut y)).unwrap();
            assert_eq!(footprint.bytes, seen.bytes(), "{layout}");
            for texture in &seen.data {
                assert!(layout.role(&texture.name).is_some(), "{layout}: {}", texture.name);
            }
            let sums = row_sums(&a);
            for (row, (y, sum)) in stored.read(&y).unwrap().into_iter().zip(sums).enumerate() {
                assert!((f64::from(y) - sum).abs() < 1e-5, "{layout}, row {row}: {y}, {sum}");
            }
        }
    }
}

/// The sum of each row.
fn row_sums(a: &Csr<f64>) -> Vec<f64> {
    (0..a.rows()).map(|row| a.row(row).map(|(_, value)| value).sum()).collect()
}

#[test]
fn solve_takes_quarters_where_the_page_of_layouts_advises_them() {
    let page = include_str!("../../figures/layouts/README.md");
    let advice = page.split("| D up to ").nth(1).and_then(|rest| rest.split(" m").next());
    let most: f64 = advice.expect("a row of the table").parse().expect("a number");
    let n = 1024;
    for others in 1..6 {
        // The diagonal, and one entry in each of some others.
        let diagonal = (0..n).map(|row| (row, row, 1.0));
        let a = Csr::from_triplets(n, n, diagonal.chain((1..=others).map(|k| (0, k, 0.1))));
        let a = a.expect("a matrix");
        let [diagonals, mean] = [(1 + others) as f64, (n + others) as f64 / n as f64];
        let is_quarters = suited(&a, Method::Bicgstab) == QUARTERS;
        assert_eq!(is_quarters, diagonals <= most * mean, "{diagonals} diagonals, rows of {mean}");
    }
}

#[test]
fn a_matrix_of_any_shape_is_multiplied_as_its_dense_array_is() {
    let machine = machine();
    let mut random = SplitMix64::new(5);
    for (rows, columns) in [(60, 7), (7, 60), (1, 20), (33, 1)] {
        let mut dense = vec![0.0; rows * columns];
        let (mut entries, empty) = (Vec::new(), rows / 2 + 1);
        for k in (0..rows * columns).filter(|k| k / columns != empty && k % 3 != 1) {
            // Some of them are stored zeros.
            dense[k] = if k % 5 == 0 { 0.0 } else { random.signed() };
            entries.push((k / columns, k % columns, dense[k]));
        }
        let a = Csr::from_triplets(rows, columns, entries).unwrap().squared().unwrap();
        let x: Vec<f32> = (0..rows.max(columns)).map(|_| random.signed() as f32).collect();
        for layout in ALL {
            let stored = match (layout.store)(&machine, &a, &Upload::default()) {
                Err(LayoutsError::Unsuited(_)) => continue,
                stored => stored.unwrap(),
            };
            let (input, mut y) = (stored.vector(&x).unwrap(), stored.space.zeros().unwrap());
            stored.multiply(&input, &mut y).unwrap();
            for (row, y) in stored.read(&y).unwrap().into_iter().enumerate() {
                let own = dense.chunks(columns).nth(row).into_iter().flatten();
                let sum: f64 = own.zip(&x).map(|(a, &x)| a * f64::from(x)).sum();
                let error = (f64::from(y) - sum).abs();
                assert!(error < 1e-5, "{layout}, {rows} x {columns}, row {row}: {y}, {sum}");
            }
        }
    }
}
