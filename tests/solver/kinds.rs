//! Twenty-four matrices of the kinds that people bring, each with its solution; and what cannot be solved.

use std::time::Instant;

use fragstream::base::random::SplitMix64;
use fragstream::solve::{Method, Options, Tried, solve_csr};
use fragstream::solver::{Csr, Reason, true_residual};

use crate::common::machine;
use crate::solver::samples::{membrane, times};

type Entries = Vec<(usize, usize, f64)>;

/// Central differences on m × m points for −Δu + w · ∇u, where `peclet` is |w| h / 2. The wind is diagonal, or a vortex.
fn convection(m: usize, peclet: f64, is_vortex: bool) -> (usize, Entries) {
    let mut entries = membrane(m).triplets().collect::<Entries>();
    let centred = |k: usize| 2.0 * (k as f64 + 0.5) / m as f64 - 1.0;
    for k in 0..m * m {
        let (x, y) = (k % m, k / m);
        let wind = if is_vortex { [centred(y), -centred(x)] } else { [0.8, 0.6] };
        for (place, step, wind) in [(x, 1, wind[0]), (y, m, wind[1])] {
            if place > 0 {
                entries.push((k, k - step, -peclet * wind));
            }
            if place + 1 < m {
                entries.push((k, k + step, peclet * wind));
            }
        }
    }
    (m * m, entries)
}

/// Modified nodal analysis: resistors of `decades` between random nodes, amplifiers, and voltage sources, whose currents
/// are unknowns without a diagonal.
fn circuit(nodes: usize, sources: usize, decades: f64, seed: u64) -> (usize, Entries) {
    let mut random = SplitMix64::new(seed);
    let mut entries = Entries::new();
    for k in 0..3 * nodes {
        // A chain to ground holds the rest together.
        let i = k % nodes;
        let j = if k < nodes { i.checked_sub(1) } else { Some(random.below(nodes)) };
        let conductance = 10_f64.powf(decades * random.signed() / 2.0);
        entries.push((i, i, conductance));
        if let Some(j) = j.filter(|&j| j != i) {
            entries.extend([(j, j, conductance), (i, j, -conductance), (j, i, -conductance)]);
        }
        if k % 7 == 0 {
            let (from, to) = (random.below(nodes), random.below(nodes));
            entries.push((to, from, 0.3 * conductance));
        }
    }
    for k in 0..sources {
        let (node, current) = (k * nodes / sources, nodes + k);
        entries.extend([(node, current, 1.0), (current, node, 1.0)]);
    }
    (nodes + sources, entries)
}

/// [A Bᵀ; B −εI] with a membrane A and constraints B of that size.
fn saddle(m: usize, constraints: usize, size: f64, epsilon: f64) -> (usize, Entries) {
    let mut random = SplitMix64::new(constraints as u64);
    let mut entries = membrane(m).triplets().collect::<Entries>();
    for k in 0..constraints {
        let row = m * m + k;
        for (column, value) in [(k, 1.0), (random.below(m * m), random.signed())] {
            let value = size * value;
            entries.extend([(row, column, value), (column, row, value)]);
        }
        entries.push((row, row, -epsilon));
    }
    (m * m + constraints, entries)
}

/// A ring with chords, minus a shift between its eigenvalues.
fn graph(n: usize, shift: f64) -> (usize, Entries) {
    let chords = [1, n / 3, n / 4 + 1];
    let edges = (0..n).flat_map(|i| chords.map(move |chord| (i, (i + chord) % n)));
    let mut entries: Entries = edges.flat_map(|(i, j)| [(i, j, 1.0), (j, i, 1.0)]).collect();
    entries.extend((0..n).map(|i| (i, i, -shift)));
    (n, entries)
}

/// H₁ D H₂ with reflections H and D from 1 to 1 / `condition`: its condition number.
fn graded(n: usize, condition: f64, seed: u64) -> (usize, Entries) {
    let mut random = SplitMix64::new(seed);
    let mut reflection = || {
        let v: Vec<f64> = (0..n).map(|_| random.signed()).collect();
        let square: f64 = v.iter().map(|v| v * v).sum();
        move |i: usize, j: usize| f64::from(i == j) - 2.0 * v[i] * v[j] / square
    };
    let (left, right) = (reflection(), reflection());
    let d = |k: usize| condition.powf(-(k as f64) / (n - 1) as f64);
    let entry = |i, j| (0..n).map(|k| left(i, k) * d(k) * right(k, j)).sum();
    (n, (0..n * n).map(|k| (k / n, k % n, entry(k / n, k % n))).collect())
}

fn csr((n, entries): (usize, Entries)) -> Csr<f64> {
    Csr::from_triplets(n, n, entries).unwrap()
}

#[test]
fn matrices_of_many_kinds_are_solved() {
    let convections = [0.1, 1.0, 10.0, 100.0].map(|peclet| convection(12, peclet, false));
    let vortices = [1.0, 30.0].map(|peclet| convection(11, peclet, true));
    let circuits = [1, 2, 3, 4, 5, 6]
        .map(|k| circuit(60 + 5 * k, 3 * (k - 1), 2.0 * k as f64 - 1.0, k as u64));
    let saddles = [(1.0, 0.0), (1e-3, 0.0), (1e3, 0.0), (1.0, 1e-3), (1e-3, 1e-6), (1e3, 1.0)]
        .map(|(size, epsilon)| saddle(9, 20, size, epsilon));
    let graphs = [0.1, 1.7, 2.9].map(|shift| graph(100, shift));
    let graded = [1e2, 1e4, 1e6].map(|condition| graded(40, condition, 3));
    let all: Vec<_> = [&convections[..], &vortices, &circuits, &saddles, &graphs, &graded].concat();
    assert_eq!(all.len(), 24);
    let machine = machine();
    for (number, a) in all.into_iter().map(csr).enumerate() {
        let right: Vec<f64> = (0..a.rows()).map(|k| 1.0 + (k as f64).sin()).collect();
        let b = times(&a, &right);
        let solution = solve_csr(&machine, &a, &b, &Options::default()).unwrap();
        let residual = true_residual(&a, &b, &solution.x).unwrap();
        assert!(residual.relative <= 1e-8, "{number}: {residual:?}, {:?}", solution.tried);
        // Before LU there is one attempt, of about LU's time, because a second one would take longer than LU. None of
        // these is positive definite: an iteration takes two products, or one by MINRES.
        let n = a.rows();
        assert!(solution.tried.len() <= 1, "{number}: {:?}", solution.tried);
        for Tried { method, iterations, .. } in &solution.tried {
            let products = if *method == Method::Minres { 1 } else { 2 };
            assert!(products * iterations <= 2 * (50 + n + n * n / 50), "{number}: {iterations}");
        }
        if a.first_asymmetry(0.0).is_none() {
            assert_ne!(solution.method, Method::Bicg, "{number}: MINRES takes one product");
        }
        assert!(solution.reason.is_converged());
        // A⁻¹ takes the residual to the error: at most 1e6 times as large on these.
        let error = right.iter().zip(&solution.x).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(error <= 0.05, "{number}: {error}");
    }
}

#[test]
fn rows_and_columns_of_very_different_size_are_solved_by_the_method_asked_for() {
    // A well-conditioned matrix between diagonals over 24 decades.
    let (n, entries) = convection(8, 1.0, false);
    let size = |k: usize| 10_f64.powi((k * 7 % 13) as i32 - 6);
    let entries = entries.into_iter().map(|(i, j, value)| (i, j, value * size(i) * size(j + 5)));
    let a = csr((n, entries.collect()));
    let b: Vec<f64> = (0..n).map(size).collect();
    for method in [Method::Bicg, Method::Bicgstab, Method::Lu] {
        let options = Options { method: Some(method), ..Options::default() };
        let solution = solve_csr(&machine(), &a, &b, &options).unwrap();
        assert_eq!(solution.reason, Reason::Converged, "{method}");
        assert!(true_residual(&a, &b, &solution.x).unwrap().relative <= 1e-8);
    }
}

#[test]
fn rows_of_very_different_size_end_within_seconds_with_a_true_reason() {
    // Strongly dominant, with rows times powers of two from −40 to 40: x has up to 80 binary digits more than b needs.
    let machine = machine();
    for n in [60, 300] {
        let mut random = SplitMix64::new(n as u64);
        let mut entries = Entries::new();
        for i in 0..n {
            let size = 2_f64.powi((80.0 * random.uniform()).round() as i32 - 40);
            entries.push((i, i, 8.0 * size));
            entries.extend((0..4).map(|_| (i, random.below(n), size * random.signed())));
        }
        let a = csr((n, entries));
        let started = Instant::now();
        let solution = solve_csr(&machine, &a, &vec![1.0; n], &Options::default()).unwrap();
        assert_eq!(solution.reason, Reason::Stagnated, "{n}");
        // Rounding x to double precision leaves more than the tolerance.
        assert!(solution.rounding.double > solution.tolerance, "{n}: {:?}", solution.rounding);
        assert!(solution.rounding.single > 1e8 * solution.rounding.double, "{n}");
        let iterations = solution.tried.iter().map(|tried| tried.iterations).sum::<usize>();
        assert!(iterations + solution.iterations < 100, "{n}: {iterations}");
        // Measured: 0.1 and 2 s.
        assert!(started.elapsed().as_secs() < 60, "{n}");
        // With a right-hand side of the same sizes the system is an easy one, and so it is with equal rows.
        let b = times(&a, &vec![1.0; n]);
        let solution = solve_csr(&machine, &a, &b, &Options::default()).unwrap();
        assert_eq!(solution.reason, Reason::Converged, "{n}");
    }
}

#[test]
fn lines_of_zeros_are_named_unless_they_leave_the_others_alone() {
    let machine = machine();
    let solved = |entries: &[(usize, usize, f64)], b: [f64; 3]| {
        let a = csr((3, entries.to_vec()));
        solve_csr(&machine, &a, &b, &Options::default()).map_err(|error| error.to_string())
    };
    let named = |entries: &[(usize, usize, f64)], line: &str| {
        let error = solved(entries, [1.0; 3]).unwrap_err();
        assert!(error.contains(line), "{error}");
    };
    let two = [(0, 0, 2.0), (1, 1, 3.0)];
    named(&two, "singular: row 3");
    named(&[two[0], two[1], (2, 2, 0.0)], "singular: row 3");
    named(&[two[0], two[1], (2, 1, 1.0)], "singular: column 3");
    named(&[two[0], two[1], (0, 2, 1.0), (2, 0, 0.0)], "singular: row 3");
    for last in [&[][..], &[(2, 2, 0.0)]] {
        let entries = [&two[..], last].concat();
        let solution = solved(&entries, [2.0, 3.0, 0.0]).unwrap();
        assert_eq!(solution.reason, Reason::Converged);
        assert!((solution.x[0] - 1.0).abs() < 1e-8 && (solution.x[1] - 1.0).abs() < 1e-8);
    }
}

#[test]
fn singular_matrices_are_called_that_with_the_least_residual() {
    // Free at both ends: constants are in the null space of A and of Aᵀ.
    let neumann = |n: usize| {
        let links = (1..n).flat_map(|k| [(k, k, 1.0), (k - 1, k - 1, 1.0), (k, k - 1, -1.0)]);
        let mirrored = (1..n).map(|k| (k - 1, k, -1.0));
        csr((n, links.chain(mirrored).collect()))
    };
    let machine = machine();
    for n in [40, 2000] {
        let a = neumann(n);
        let solution = solve_csr(&machine, &a, &vec![1.0; n], &Options::default()).unwrap();
        assert_eq!(solution.reason, Reason::Incompatible, "{n}");
        // The mean of b remains.
        let least = solution.least.unwrap();
        assert!((least / (n as f64).sqrt() - 1.0).abs() < 1e-8, "{n}: {least}");
        let mut b = vec![0.0; n];
        (b[0], b[n - 1]) = (1.0, -1.0);
        let solution = solve_csr(&machine, &a, &b, &Options::default()).unwrap();
        assert_eq!(solution.reason, Reason::Converged, "{n}: compatible");
    }
    // Two columns are each there twice.
    let pairs = [(0, 0), (1, 1), (2, 0), (3, 1)];
    let pairs = pairs.into_iter().flat_map(|(i, j)| [(i, j, 1.0), (i, j + 2, 1.0)]);
    let twice = csr((4, pairs.collect()));
    let options = |method| Options { method, ..Options::default() };
    for method in [None, Some(Method::Bicgstab), Some(Method::Lu)] {
        let b = [1.0, 1.0, 1.0, 2.0];
        let solution = solve_csr(&machine, &twice, &b, &options(method)).unwrap();
        assert_eq!(solution.reason, Reason::Incompatible, "{method:?}");
        // (0, −1, 0, 1) / √2 is the only direction of b without an x.
        assert!(solution.least.unwrap() <= 0.5_f64.sqrt() * (1.0 + 1e-12));
    }
    // Nonsingular, but beyond single precision: not called singular.
    let a = csr(graded(12, 1e11, 3));
    let b = times(&a, &[1.0; 12]);
    let solution = solve_csr(&machine, &a, &b, &options(Some(Method::Bicgstab))).unwrap();
    assert!(!matches!(*solution.reason, Reason::Singular | Reason::Incompatible));
}
