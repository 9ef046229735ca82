//! Systems in textures: every method on every layout, to the tolerance in double precision.

use fragstream::error::{ErrorKind, WithKind};
use fragstream::random::SplitMix64;
use fragstream::solver::{Csr, Reason, TextureSpace, VectorSpace, true_residual};
use fragstream::stream::{Format, Layout as VectorLayout, Machine};
use fragstream::system::{
    Estimate, Layout, Limit, Method, Options, Plan, Solution, Solver, SystemError, solve_csr,
};

use crate::solver::samples::{bar, condition, membrane, network, plate, wind};

fn machine() -> Machine {
    Machine::headless().expect("this machine has OpenGL")
}

fn options(method: Method, layout: Layout) -> Options {
    Options {
        method: Some(method),
        layout: Some(layout),
        ..Options::default()
    }
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
fn what_is_not_symmetric_is_solved_on_every_layout() {
    let machine = machine();
    // Rows of several lengths, so that padding of the transpose differs.
    let n = 30;
    let entries = (0..n).flat_map(|i| {
        let ahead = (1..=1 + i % 3).map(move |k| (i, (i + 7 * k) % n, 1.0 / k as f64));
        ahead.chain([(i, i, 4.0 + (i % 4) as f64)])
    });
    let a = Csr::from_triplets(n, n, entries.collect::<Vec<_>>()).unwrap();
    let b: Vec<f64> = (0..n).map(|i| 1.0 - (i % 3) as f64).collect();
    for method in Method::ALL.into_iter().filter(|&m| m != Method::Multigrid) {
        if method.is_conjugate_gradients() {
            continue;
        }
        for &layout in method.layouts() {
            let solution = solve_csr(&machine, &a, &b, &options(method, layout)).unwrap();
            check(&format!("{method} on {layout}"), &a, &b, &solution);
        }
    }
}

#[test]
fn bars_plates_and_networks_of_condition_a_million_are_solved_to_1e_8() {
    let machine = machine();
    for (what, a) in [
        ("bar", bar(100, 2e4)),
        ("plate", plate(13, 1000.0)),
        ("network", network(120, 1e-5)),
    ] {
        assert!(condition(&a) > 2e5);
        let b = vec![1.0; a.rows()];
        let solution = solve_csr(&machine, &a, &b, &Options::default()).unwrap();
        assert_eq!(solution.method, Method::Pcg, "{what}");
        check(what, &a, &b, &solution);
        let solution = solve_csr(&machine, &a, &b, &options(Method::Lu, Layout::Columns));
        check(what, &a, &b, &solution.unwrap());
    }
}

#[test]
fn an_iteration_of_conjugate_gradients_waits_once_and_changes_the_target_four_and_a_quarter_times()
{
    let machine = machine();
    let a = membrane(30);
    let b = vec![1.0; a.rows()];
    for (layout, corrects) in [(Layout::Diagonals, 3), (Layout::Ellpack, 3)] {
        for method in [Method::Cg, Method::Pcg] {
            let system = Solver::new(&machine, &a, &options(method, layout), &mut |_| ()).unwrap();
            machine.take_ledger();
            let solution = system.solve(&b, None, &mut |_| ()).unwrap();
            let ledger = machine.take_ledger();
            check(&format!("{method} on {layout}"), &a, &b, &solution);
            let (iterations, corrections) = (solution.iterations, solution.corrections);
            assert!(corrections >= corrects && corrections <= 8);
            // Each correction: its residual's norm, r and p, no p behind the last; and it is read back. It
            // goes along four directions at once, at the end along those that are left.
            let passes = 4 * iterations + 2 * corrections;
            let least = (passes + iterations.div_ceil(4)) as u64;
            let passes = ledger.total().passes;
            assert!(
                (least..=least + corrections as u64).contains(&passes),
                "{method} on {layout}"
            );
            let waits = iterations + 2 * corrections;
            assert_eq!(ledger.read_backs, waits as u64, "{method} on {layout}");
        }
    }
}

#[test]
fn as_many_terms_as_there_are_are_added_in_passes_of_four() {
    let machine = machine();
    for (n, format) in [(7, Format::R32F), (4 * 71 * 3, Format::Rgba32F)] {
        let layout = VectorLayout::square(n, format).unwrap();
        let space = TextureSpace::new(&machine, layout).unwrap();
        for count in 0..10 {
            let entries: Vec<_> = (0..=count)
                .map(|seed| SplitMix64::new(seed).vector(n))
                .collect();
            let vectors: Vec<_> = (entries.iter())
                .map(|entries| space.vector(entries).unwrap())
                .collect();
            let terms: Vec<_> = (1i8..)
                .map(|k| 0.75 - f64::from(k))
                .zip(&vectors[1..])
                .collect();
            let mut sum = space.vector(&entries[0]).unwrap();
            space.add_all(&mut sum, &terms).unwrap();
            for (place, value) in sum.read().unwrap().into_iter().take(n).enumerate() {
                let of = |vector: &Vec<f32>| f64::from(vector[place]);
                let added = terms
                    .iter()
                    .zip(&entries[1..])
                    .map(|(term, x)| term.0 * of(x));
                let exact = of(&entries[0]) + added.sum::<f64>();
                let error = (f64::from(value) - exact).abs();
                assert!(error <= 1e-5, "{count} terms: {value}, {exact}");
            }
        }
    }
}

#[test]
fn the_four_products_of_an_iteration_are_what_their_formulas_say() {
    let machine = machine();
    for (n, format) in [
        (1, Format::R32F),
        (35 * 41, Format::R32F),
        (4 * 71 * 3, Format::Rgba32F),
    ] {
        let layout = VectorLayout::square(n, format).unwrap();
        let space = TextureSpace::new(&machine, layout)
            .unwrap()
            .stopping_at(100)
            .unwrap();
        let [r, p, q] = [1, 2, 3].map(|seed| SplitMix64::new(seed).vector(n));
        let [on, pn, qn] = [&r, &p, &q].map(|v| space.vector(v).unwrap());
        let products = space.products(&on, &pn, &qn).unwrap();
        let exact = [(&r, &r), (&p, &q), (&r, &q), (&q, &q)].map(|(x, y)| {
            let terms = x.iter().zip(y).map(|(&x, &y)| f64::from(x) * f64::from(y));
            (terms.clone().sum::<f64>(), terms.map(f64::abs).sum::<f64>())
        });
        for (product, (exact, size)) in products.into_iter().zip(exact) {
            assert!(
                (product - exact).abs() <= 1e-6 * size,
                "{n}: {product}, {exact}"
            );
        }
    }
}

#[test]
fn quarters_are_taken_where_diagonals_are_few_and_are_expected_to_take_what_they_took() {
    let plan = |a: &Csr<f64>| Plan::new(a, &Options::default()).unwrap();
    assert_eq!(plan(&membrane(30)).layout, Layout::Quarters);
    assert_eq!(plan(&network(120, 1e-5)).layout, Layout::Rows);
    // Seven diagonals of 99 452 rows: 190 iterations took half a second.
    let n = 99_452;
    let rows = (0..n).flat_map(|i| {
        let before = [1, 47, 2209].into_iter().filter(move |&k| k <= i);
        before
            .flat_map(move |k| [(i, i - k, -1.0), (i - k, i, -1.0)])
            .chain([(i, i, 6.5)])
    });
    let plan = plan(&Csr::from_triplets(n, n, rows).unwrap());
    let Plan {
        method,
        layout,
        estimate,
        ..
    } = plan;
    assert_eq!((method, layout), (Method::Pcg, Layout::Quarters));
    assert!((0.1..0.6).contains(&estimate.seconds), "{estimate}");
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
        assert_eq!((again.iterations, again.reason), (0, Reason::Converged));
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
    let cg = options(Method::Cg, Layout::Rows);
    let error = solve_csr(&machine, &one_way, &[1.0; 2], &cg).unwrap_err();
    assert!(
        error.to_string().contains("take the method bicgstab"),
        "{error}"
    );
    let combination = options(Method::Lu, Layout::Points);
    let error = solve_csr(&machine, &one_way, &[1.0; 2], &combination).unwrap_err();
    assert!(matches!(error, SystemError::Combination { .. }));
    let error = solve_csr(&machine, &one_way, &[1.0; 3], &Options::default()).unwrap_err();
    assert_eq!(error.error_kind(), ErrorKind::Input);
}

#[test]
fn a_dense_layout_of_many_rows_is_refused_before_anything_is_allocated() {
    let machine = machine();
    let n = 12_000;
    let a = Csr::from_triplets(n, n, (0..n).map(|i| (i, i, 2.0))).unwrap();
    let estimate = Estimate::new(&a, Method::Lu, Layout::Columns, 0);
    assert_eq!(
        estimate.bytes,
        12 * (n * n) as u64,
        "three matrices of floats"
    );
    let limited = |method, layout, limit| Options {
        limit,
        ..options(method, layout)
    };
    let bytes = Limit {
        bytes: Some(1 << 30),
        seconds: None,
    };
    let checked = |method, layout, limit| {
        let plan = Plan::new(&a, &limited(method, layout, limit)).unwrap();
        plan.check(&machine, n, &limit)
    };
    let refused = checked(Method::Lu, Layout::Columns, bytes);
    let line = refused.unwrap_err().to_string();
    for part in [
        "lu on columns",
        "1.7 GB",
        "1.1 GB",
        "bicgstab on the layout rows",
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }
    let seconds = Limit {
        bytes: Some(u64::MAX),
        seconds: Some(60.0),
    };
    assert!(checked(Method::Lu, Layout::Columns, seconds).is_err());
    assert!(checked(Method::Cg, Layout::Rows, seconds).is_ok());
}
