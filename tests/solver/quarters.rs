//! Diagonals in quarters, and unknowns in colours, against sums in double precision.

use fragstream::layouts::textures::{seen, total_bytes};
use fragstream::random::SplitMix64;
use fragstream::solver::{Csr, Operator, Reason, TextureSpace, true_residual};
use fragstream::stream::Machine;
use fragstream::system::quarters::{QuarterMatrix, Quarters, Sum};
use fragstream::system::{
    Estimate, Layout, Method, Options, Solution, Solver, SystemError, solve_csr,
};

use crate::solver::samples::membrane;

/// Entries of both signs wherever column − row is one of these, or less than that by n.
fn banded(n: usize, offsets: &[usize], random: &mut SplitMix64) -> Csr<f64> {
    let rows = (0..n).flat_map(|i| offsets.iter().map(move |k| (i, (i + k) % n)));
    let entries: Vec<_> = rows.map(|(i, j)| (i, j, random.signed())).collect();
    Csr::from_triplets(n, n, entries).unwrap()
}

#[test]
fn products_in_quarters_are_sums_in_double_precision_wherever_diagonals_begin() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    let mut random = SplitMix64::new(3);
    for (n, width) in [
        (1, 2),
        (3, 1),
        (7, 2),
        (64, 4),
        (155, 3),
        (1001, 5),
        (1300, 64),
    ] {
        let vectors = Quarters::new(n, width).unwrap();
        let space = TextureSpace::new(&machine, vectors.layout()).unwrap();
        let quarter = vectors.layout().capacity() / 4;
        let few = [0, 1, 6, n - 1, n.saturating_sub(6)];
        let edges = [
            quarter - 1,
            quarter,
            quarter + 1,
            2 * quarter,
            3 * quarter + 2,
        ];
        let many: Vec<usize> = (0..33).map(|k| k * k).collect();
        for offsets in [&few[..], &edges, &many] {
            let mut offsets: Vec<usize> = offsets.iter().map(|k| k % n).collect();
            offsets.sort_unstable();
            offsets.dedup();
            let a = banded(n, &offsets, &mut random);
            let [x, z] =
                [(); 2].map(|()| (0..n).map(|_| random.signed() as f32).collect::<Vec<_>>());
            let [on_x, on_z] = [&x, &z].map(|v| space.vector(&vectors.scatter(v)).unwrap());
            for sum in [Sum::Product, Sum::Difference] {
                let matrix = QuarterMatrix::new(&machine, vectors, &a, sum, false).unwrap();
                let mut y = space.zeros().unwrap();
                matrix.multiply(&space, &on_z, &on_x, &mut y).unwrap();
                let texels = y.read().unwrap();
                assert_eq!(
                    texels.iter().filter(|&&value| value != 0.0).count(),
                    n,
                    "padding"
                );
                for (row, y) in vectors.gather(&texels).into_iter().enumerate() {
                    let terms: Vec<f64> = a.row(row).map(|(j, v)| v * f64::from(x[j])).collect();
                    let size = terms.iter().map(|term| term.abs()).sum::<f64>() + 1.0;
                    let product: f64 = terms.iter().sum();
                    let exact = match sum {
                        Sum::Product => product,
                        Sum::Difference => f64::from(z[row]) - product,
                    };
                    let error = (f64::from(y) - exact).abs();
                    assert!(
                        error <= 1e-6 * size,
                        "{n}, {sum:?}, row {row}: {y}, {exact}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_diagonal_of_ones_is_not_stored() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    let vectors = Quarters::new(9, 2).unwrap();
    let space = TextureSpace::new(&machine, vectors.layout()).unwrap();
    let x: Vec<f32> = (0..9).map(|i| 1.0 + i as f32).collect();
    let on_x = space.vector(&vectors.scatter(&x)).unwrap();
    let ones = (0..9).map(|i| (i, i, 1.0));
    for (beside, count) in [(None, 0), (Some((2, 7, 3.0)), 1)] {
        let a = Csr::from_triplets(9, 9, ones.clone().chain(beside)).unwrap();
        let matrix = QuarterMatrix::new(&machine, vectors, &a, Sum::Product, false).unwrap();
        assert_eq!(matrix.count(), count);
        let mut y = space.zeros().unwrap();
        matrix.apply(&space, &on_x, &mut y).unwrap();
        let mut expected = x.clone();
        expected[2] += beside.map_or(0.0, |_| 3.0 * 8.0);
        assert_eq!(vectors.gather(&y.read().unwrap()), expected);
    }
}

#[test]
fn diagonals_of_one_number_each_take_one_texture_and_multiply_as_others_do() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    let mut random = SplitMix64::new(8);
    for (n, width) in [(7, 2), (155, 3), (1300, 5)] {
        let vectors = Quarters::new(n, width).unwrap();
        let space = TextureSpace::new(&machine, vectors.layout()).unwrap();
        // As many diagonals as a pass takes, and more; each with holes.
        for count in [1, 5, 14, 15] {
            let entries: Vec<_> = (0..n.min(count)).map(|_| random.signed()).collect();
            let places = (0..n).flat_map(|i| (0..entries.len()).map(move |k| (i, k)));
            let places: Vec<_> = places.filter(|_| random.signed() < 0.5).collect();
            let triplets = places
                .iter()
                .map(|&(i, k)| (i, (i + k * k) % n, entries[k]));
            let a = Csr::from_triplets(n, n, triplets).unwrap();
            let x: Vec<f32> = (0..n).map(|_| random.signed() as f32).collect();
            let on_x = space.vector(&vectors.scatter(&x)).unwrap();
            let before = machine.ledger().bytes_allocated;
            let matrix = QuarterMatrix::new(&machine, vectors, &a, Sum::Difference, true).unwrap();
            let textures = (machine.ledger().bytes_allocated - before) / on_x.bytes();
            let expected = if matrix.count() <= 14 {
                1
            } else {
                matrix.count()
            };
            if n > 7 {
                assert_eq!(textures, expected as u64, "{count} diagonals");
            }
            let transposed =
                QuarterMatrix::of_transposes(&machine, vectors, &[(&matrix, 0)], Sum::Product);
            let cases = [
                (matrix, a.clone(), -1.0),
                (transposed.unwrap(), a.transpose(), 1.0),
            ];
            for (matrix, a, sign) in cases {
                let mut y = space.zeros().unwrap();
                matrix.multiply(&space, &on_x, &on_x, &mut y).unwrap();
                let y = vectors.gather(&y.read().unwrap());
                for (row, y) in y.into_iter().enumerate() {
                    let product: f64 = a.row(row).map(|(j, v)| v * f64::from(x[j])).sum();
                    let before = if sign < 0.0 { x[row] } else { 0.0 };
                    let error = (f64::from(y) - (f64::from(before) + sign * product)).abs();
                    assert!(error <= 1e-5, "{n}, {count} diagonals, {sign}, row {row}");
                }
            }
        }
    }
}

/// Solves with a right side of random numbers.
fn solve(machine: &Machine, a: &Csr<f64>, layout: Layout) -> Solution {
    let mut random = SplitMix64::new(11);
    let b: Vec<f64> = (0..a.rows()).map(|_| random.signed()).collect();
    let options = Options {
        method: Some(Method::Pcg),
        layout: Some(layout),
        ..Options::default()
    };
    let solution = solve_csr(machine, a, &b, &options).unwrap();
    assert_eq!(solution.reason, Reason::Converged);
    assert!(true_residual(a, &b, &solution.x).unwrap().relative <= 1e-8);
    solution
}

#[test]
fn two_colours_halve_the_iterations_three_nearly_do_and_a_fourth_one_leaves_them() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    // A membrane whose stiffness varies; with a link across each cell, which makes triangles of it; and with
    // both links across one.
    let mut random = SplitMix64::new(5);
    let m = 23;
    let factors: Vec<f64> = (0..m * m)
        .map(|_| 2.0_f64.powf(3.0 * random.signed()))
        .collect();
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
        let [whole, quarters] = [Layout::Rows, Layout::Quarters].map(|l| solve(&machine, &a, l));
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
    let machine = Machine::headless().expect("this machine has OpenGL");
    let mut random = SplitMix64::new(8);
    for (n, width) in [(7, 2), (155, 3), (1001, 5), (1300, 64)] {
        let one = Quarters::new(n, width).unwrap();
        let two = one.stacked(2).unwrap();
        let space = TextureSpace::new(&machine, two.layout()).unwrap();
        let [a, b] = [&[0, 1, 6, n - 1][..], &[2, 5, n / 2]].map(|k| banded(n, k, &mut random));
        let [x, z] = [(); 2].map(|()| {
            (0..2 * n)
                .map(|_| random.signed() as f32)
                .collect::<Vec<_>>()
        });
        let [on_x, on_z] = [&x, &z].map(|v| space.vector(&two.scatter(v)).unwrap());
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
            QuarterMatrix::of_block(&machine, two, (a, place), Sum::Difference, false).unwrap()
        };
        let [own, other] = [block(&a, [0, 0]), block(&b, [0, 0])];
        let both = [(&own, 0), (&other, 1)];
        let transposed = QuarterMatrix::of_transposes(&machine, two, &both, Sum::Product).unwrap();
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
            for (row, &y) in two.gather(&texels)[to * n..][..n].iter().enumerate() {
                let error = (f64::from(y) - exact(row)).abs();
                assert!(error <= 1e-5, "{n}, case {number}, row {row}: {y}");
            }
        }
    }
}

#[test]
fn two_colours_take_a_diagonal_for_each_neighbour_whether_rows_are_even_or_odd() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    for (m, scattered) in [(22, false), (23, false), (22, true)] {
        let mut a = membrane(m);
        if scattered {
            // Neither order has few diagonals, and half of the places would be none's.
            let mut random = SplitMix64::new(6);
            let mut order: Vec<u32> = (0..(m * m) as u32).collect();
            random.shuffle(&mut order);
            a = a.permuted(&order, &order);
        }
        let storage = solve(&machine, &a, Layout::Quarters).storage;
        assert_eq!(
            storage.starts_with("8 in 2 passes, for half"),
            !scattered,
            "{storage}"
        );
    }
}

#[test]
fn classes_of_any_size_are_solved_one_for_the_other() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    // A star of one centre, pairs, and no link at all.
    let star = (1..40).flat_map(|i| [(0, i, -0.1), (i, 0, -0.1)]).collect();
    let pairs = (0..20)
        .flat_map(|i| [(2 * i, 2 * i + 1, 0.5), (2 * i + 1, 2 * i, 0.5)])
        .collect();
    for links in [star, pairs, Vec::new()] {
        let diagonal = (0..40).map(|i| (i, i, 1.0 + (i % 3) as f64));
        let a = Csr::from_triplets(40, 40, diagonal.chain(links)).unwrap();
        solve(&machine, &a, Layout::Quarters);
    }
}

#[test]
fn the_estimate_has_the_bytes_of_what_is_stored() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    // 40 x 40 nodes of two colours; and the same with links across the cells, which takes three.
    // Entries beside the diagonal vary, or else diagonals of two colours would share a texture.
    let m = 40;
    let varied = |(i, j, v): (usize, usize, f64)| match i == j {
        true => (i, j, v),
        false => (i, j, v * (1.0 - 1e-4 * i.min(j) as f64)),
    };
    let two = Csr::from_triplets(m * m, m * m, membrane(m).triplets().map(varied)).unwrap();
    let cells = (0..m * m).filter(|i| i % m + 1 < m && i / m + 1 < m);
    let links = cells.flat_map(|i| [(i, i + m + 1, -0.5), (i + m + 1, i, -0.5)]);
    let links = links.map(varied);
    let three = Csr::from_triplets(m * m, m * m, two.triplets().chain(links)).unwrap();
    // Divided by four its diagonal is all ones, and of this it is not.
    let other = two.map(|entry| 1.5 * entry);
    let b = vec![1.0; m * m];
    // How many diagonals: five or seven, of which corrections and such a division leave out the main one; of
    // colours the blocks of the lower part, on half or a third of the unknowns.
    let cases = [
        (&two, Method::Cg, Layout::Quarters, 50, Some(4 * 7)),
        (&other, Method::Cg, Layout::Quarters, 50, Some(5 * 7)),
        (&other, Method::Pcg, Layout::Quarters, 0, Some(5 * 7)),
        (&other, Method::Pcg, Layout::Quarters, 50, None),
        (&other, Method::Bicg, Layout::Quarters, 50, Some(2 * 5 * 7)),
        (&two, Method::Pcg, Layout::Diagonals, 50, Some(5 * 7)),
        (&three, Method::Pcg, Layout::Quarters, 50, Some(9 * 3)),
        (&three, Method::Pcg, Layout::Diagonals, 50, Some(7 * 7)),
    ];
    for (a, method, layout, corrections, expected) in cases {
        let options = Options {
            method: Some(method),
            layout: Some(layout),
            corrections,
            ..Options::default()
        };
        let estimate = Estimate::new(a, method, layout, corrections);
        let solver = Solver::new(&machine, a, &options, &mut |_| ()).unwrap();
        let read = seen(&machine, &[], false, || {
            solver.solve(&b, None, &mut |_| ()).map(drop)
        });
        let mut stored = read.unwrap().data;
        stored.retain(|texture| texture.name.starts_with("diagonal "));
        assert_eq!(estimate.bytes, total_bytes(&stored), "{method} on {layout}");
        // 1600 entries and padding fill seven rows of 256, half of them four, and a third three.
        let textures = expected.unwrap_or(4 * stored.len());
        assert_eq!(estimate.bytes, 1024 * textures as u64);
    }
    // What is not square is still refused, not estimated.
    let wide = Csr::from_triplets(2, 9, [(0, 0, 1.0), (1, 1, 1.0), (0, 8, 1.0)]).unwrap();
    for method in [Method::Pcg, Method::Bicgstab] {
        let options = Options {
            method: Some(method),
            ..Options::default()
        };
        let refused = solve_csr(&machine, &wide, &[1.0; 2], &options);
        assert!(matches!(refused, Err(SystemError::NotSquare { .. })));
    }
}
