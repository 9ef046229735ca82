//! Systems in textures: every method on every layout, to the tolerance in double precision.

use fragstream::base::error::{ErrorKind, WithKind};
use fragstream::layouts::{
    COLUMNS, DIAGONALS, ELLPACK, Layout, LayoutsError, ONE_TEXTURE, POINTS, QUARTERS, ROWS, SLICES,
    WRAPPED,
};
use fragstream::solve::{Method, Options, Prepared, Solution, SolveError, Solver, solve_csr};
use fragstream::solver::{Csr, Reason, true_residual};

use crate::common::machine;
use crate::solver::samples::{bar, chain, condition, helmholtz, membrane, network, plate, wind};

/// Layouts that hold nothing but boxes of cells.
pub const BOXES: [Layout; 3] = [WRAPPED, ONE_TEXTURE, SLICES];

fn options(method: Method, layout: Layout) -> Options {
    Options { method: Some(method), layout: Some(layout), ..Options::default() }
}

/// That a solution is one, to 1e-8.
fn check(what: &str, a: &Csr<f64>, b: &[f64], solution: &Solution) {
    assert_eq!(solution.reason, Reason::Converged, "{what}: {solution:?}");
    let residual = true_residual(a, b, &solution.x).unwrap();
    assert!(residual.relative <= 1e-8, "{what}: {residual:?}");
    assert!((residual.norm - solution.residual).abs() <= 1e-6 * solution.tolerance);
    assert_eq!(solution.history.len(), solution.iterations + 1, "{what}");
}

#[test]
fn bars_plates_and_networks_of_condition_a_million_are_solved_to_1e_8() {
    let machine = machine();
    for (what, a) in
        [("bar", bar(100, 2e4)), ("plate", plate(13, 1000.0)), ("network", network(120, 1e-5))]
    {
        assert!(condition(&a) > 2e5);
        let b = vec![1.0; a.rows()];
        let solution = solve_csr(&machine, &a, &b, &Options::default()).unwrap();
        assert_eq!(solution.method, Method::Pcg, "{what}");
        check(what, &a, &b, &solution);
        let solution = solve_csr(&machine, &a, &b, &options(Method::Lu, COLUMNS));
        check(what, &a, &b, &solution.unwrap());
    }
}

#[test]
fn helmholtz_systems_are_solved_by_minres_in_few_products() {
    let machine = machine();
    // Twice the products of SciPy's bicg in double precision, two per iteration; its 217 of the last one are too few
    // for corrections in single precision, at a condition number of 2e5.
    for (m, shift, most) in [
        (36, 0.3, 360),
        (40, 2.0, 980),
        (40, 3.7, 1840),
        (60, 0.1, 628),
        (60, 0.5, 1076),
        (40, 1.2345, 2000),
    ] {
        let a = helmholtz(m, shift);
        let b = vec![1.0; a.rows()];
        let options = Options { method: Some(Method::Minres), ..Options::default() };
        let solution = solve_csr(&machine, &a, &b, &options).unwrap();
        check(&format!("{m}², {shift}"), &a, &b, &solution);
        assert!(solution.iterations <= most, "{m}², {shift}: {} products", solution.iterations);
    }
}

#[test]
fn an_iteration_of_conjugate_gradients_waits_twice_and_a_correction_three_times() {
    let machine = machine();
    let a = membrane(30);
    let b = vec![1.0; a.rows()];
    for layout in [DIAGONALS, ELLPACK, ROWS] {
        for method in [Method::Cg, Method::Pcg] {
            let system = Solver::new(&machine, &a, &options(method, layout), &mut |_| ()).unwrap();
            machine.take_ledger();
            let solution = system.solve(&b, None, &mut |_| ()).unwrap();
            let ledger = machine.take_ledger();
            check(&format!("{method} on {layout}"), &a, &b, &solution);
            let (iterations, corrections) = (solution.iterations, solution.corrections);
            // Each takes two digits more.
            assert!((3..=8).contains(&corrections), "{corrections}");
            // Two sums per iteration; per correction those of b and of r, and x.
            let waits = 2 * iterations + 3 * corrections;
            assert_eq!(ledger.read_backs, waits as u64, "{method} on {layout}");
            // A correction uploads r and its first x, an iteration nothing.
            assert_eq!(ledger.uploads, 2 * corrections as u64, "{method} on {layout}");
        }
    }
}

#[test]
fn quarters_are_taken_where_diagonals_are_few() {
    let prepared = |a: &Csr<f64>| Prepared::new(a, &Options::default()).unwrap();
    assert_eq!(prepared(&membrane(30)).layout, QUARTERS);
    assert_eq!(prepared(&network(120, 1e-5)).layout, ROWS);
    let n = 99_452;
    let rows = (0..n).flat_map(|i| {
        let before = [1, 47, 2209].into_iter().filter(move |&k| k <= i);
        before.flat_map(move |k| [(i, i - k, -1.0), (i - k, i, -1.0)]).chain([(i, i, 6.5)])
    });
    let system = prepared(&Csr::from_triplets(n, n, rows).unwrap());
    assert_eq!((system.method, system.layout), (Method::Pcg, QUARTERS));
}

#[test]
fn one_matrix_serves_many_right_sides_and_a_start_at_the_solution_needs_no_step() {
    let machine = machine();
    let a = wind(6);
    let mut done = 0;
    let system = Solver::new(&machine, &a, &Options::default(), &mut |_| done += 1).unwrap();
    assert_eq!(done, 0, "nothing is decomposed");
    for seed in 1..4 {
        let b: Vec<f64> = (0..36).map(|i| f64::from(i * seed % 5)).collect();
        let solution = system.solve(&b, None, &mut |_| ()).unwrap();
        assert_eq!(solution.method, Method::Bicgstab);
        check("wind", &a, &b, &solution);
        let again = system.solve(&b, Some(&solution.x), &mut |_| ()).unwrap();
        assert_eq!((again.iterations, *again.reason), (0, Reason::Converged));
    }
}

#[test]
fn a_solution_beyond_all_numbers_is_not_finite() {
    // x = 1e200 / 1e-200.
    let a = Csr::from_triplets(2, 2, [(0, 0, 1e-200), (1, 1, 1e-200)]).unwrap();
    let solution = solve_csr(&machine(), &a, &[1e200; 2], &Options::default()).unwrap();
    assert_eq!(solution.reason, Reason::NotFinite);
    assert!(!solution.has_x());
}

#[test]
fn what_cannot_be_tried_is_an_error_with_the_next_method() {
    let machine = machine();
    let one_way = Csr::from_triplets(2, 2, [(0, 0, 1.0), (1, 1, 1.0), (0, 1, 0.5)]).unwrap();
    let cg = options(Method::Cg, ROWS);
    let error = solve_csr(&machine, &one_way, &[1.0; 2], &cg).unwrap_err();
    assert!(error.to_string().contains("Take the method bicgstab"), "{error}");
    let combination = options(Method::Lu, POINTS);
    let error = solve_csr(&machine, &one_way, &[1.0; 2], &combination).unwrap_err();
    assert!(matches!(error, SolveError::Combination { .. }));
    let error = solve_csr(&machine, &one_way, &[1.0; 3], &Options::default()).unwrap_err();
    assert_eq!(error.error_kind(), ErrorKind::Input);
}

#[test]
fn a_dense_layout_of_many_rows_is_refused_before_anything_is_allocated() {
    let machine = machine();
    let n = 12_000;
    let a = Csr::from_triplets(n, n, (0..n).map(|i| (i, i, 2.0))).unwrap();
    let checked = |method, layout, limit: u64| {
        let system = Prepared::new(&a, &options(method, layout)).unwrap();
        system.check(&machine, Some(limit))
    };
    // Three matrices of 188 rows of 64 tiles, each of 110² texels: the tiles of a pass are in one row.
    let bytes = checked(Method::Lu, COLUMNS, u64::MAX).unwrap();
    assert_eq!(bytes, 12 * 188 * 64 * 110u64.pow(2));
    let refused = checked(Method::Lu, COLUMNS, 1 << 30);
    let line = refused.unwrap_err().to_string();
    for part in ["lu on columns", "1.7 GB", "1.1 GB", "Take the method bicgstab"] {
        assert!(line.contains(part), "{part}: {line}");
    }
    assert!(checked(Method::Cg, ROWS, 1 << 30).is_ok());
}

#[test]
fn a_box_of_cells_is_solved_in_the_layouts_of_boxes_and_no_other_matrix_is() {
    let machine = machine();
    // A tridiagonal matrix is a box of one row of cells.
    let n = 64;
    let a = chain(n, 2.5);
    let b = vec![1.0; n];
    for layout in BOXES {
        for method in [Method::Pcg, Method::Bicg] {
            let solution = solve_csr(&machine, &a, &b, &options(method, layout)).unwrap();
            check(&format!("{method} on {layout}"), &a, &b, &solution);
        }
    }
    let other = network(120, 1e-5);
    let refused = solve_csr(&machine, &other, &[1.0; 120], &options(Method::Pcg, SLICES));
    assert!(matches!(refused, Err(SolveError::Layouts(LayoutsError::Unsuited(_)))));
}

#[test]
fn a_layout_that_products_have_chosen_solves_bit_by_bit_as_the_same_layout_asked_for() {
    let machine = machine();
    let n = 4000;
    // A ring with chords, whose diagonals are many.
    let links = (0..2 * n).map(|k| (k % n, if k < n { (k + 1) % n } else { k * 7919 % n }));
    let links: Vec<_> = links.filter(|(i, j)| i != j).collect();
    let of_link = |&(i, j): &(usize, usize)| [(i, j, -1.0), (j, i, -1.0), (i, i, 1.0), (j, j, 1.0)];
    let diagonal = (0..n).map(|i| (i, i, 1e-3));
    let a = Csr::from_triplets(n, n, diagonal.chain(links.iter().flat_map(of_link))).unwrap();
    let b: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
    let chosen = solve_csr(&machine, &a, &b, &Options::default()).unwrap();
    let choice = &chosen.layout_choice;
    assert!(choice.products.contains_key("rows"), "{choice:?}");
    assert!(choice.products.contains_key(chosen.layout.name), "{choice:?}");
    let fixed = Options { layout: Some(chosen.layout), ..Options::default() };
    let fixed = solve_csr(&machine, &a, &b, &fixed).unwrap();
    assert_eq!((fixed.x, fixed.iterations), (chosen.x, chosen.iterations));
    assert_eq!(fixed.layout_choice.reason, "asked for");
    let open = Options { measures: false, ..Options::default() };
    let untimed = solve_csr(&machine, &a, &b, &open).unwrap();
    assert_eq!((untimed.layout, untimed.layout_choice.products.len()), (ROWS, 0));
    let few = Csr::from_triplets(3, 3, (0..3).map(|i| (i, 2 - i, 1.0))).unwrap();
    let small = solve_csr(&machine, &few, &[1.0; 3], &Options::default()).unwrap();
    assert!(small.layout_choice.products.is_empty());
}
