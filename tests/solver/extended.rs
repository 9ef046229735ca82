//! Solves held against a residual in twice double precision: what is called converged is.

use std::collections::BTreeMap;

use fragstream::base::random::SplitMix64;
use fragstream::solve::{Method, Options, solve_csr};
use fragstream::solver::Csr;

use crate::common::machine;
use crate::common::nightly::{seed, share};

/// Times a power of two that may be beyond the exponents of double precision.
fn shifted(mut value: f64, mut exponent: i32) -> f64 {
    while exponent != 0 {
        let step = exponent.clamp(-900, 900);
        value *= 2f64.powi(step);
        exponent -= step;
    }
    value
}

/// Numbers with the largest near 1, and the power of two that they were divided by.
fn normalised(values: &[f64]) -> (Vec<f64>, i32) {
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let exponent = match largest {
        0.0 => 0,
        // A subnormal's logarithm is right, too.
        _ => largest.log2().floor() as i32,
    };
    (values.iter().map(|&v| shifted(v, -exponent)).collect(), exponent)
}

/// ‖b − A x‖ / ‖b‖, each sum as a pair of numbers in double precision.
fn residual(a: &Csr<f64>, b: &[f64], x: &[f64]) -> f64 {
    let (values, of_a) = normalised(a.values());
    let (b, of_b) = normalised(b);
    let (x, of_x) = normalised(x);
    let mut values = values.into_iter();
    let mut square = 0.0;
    for (row, &b) in b.iter().enumerate() {
        // The sum and its rounding errors; products split by a fused multiplication.
        let (mut sum, mut error) = (0.0_f64, 0.0_f64);
        let mut add = |term: f64| {
            let next = sum + term;
            let part = next - sum;
            error += (sum - (next - part)) + (term - part);
            sum = next;
        };
        for ((column, _), value) in a.row(row).zip(&mut values) {
            let product = value * x[column];
            add(-shifted(product, of_a + of_x - of_b));
            add(-shifted(value.mul_add(x[column], -product), of_a + of_x - of_b));
        }
        add(b);
        square += (sum + error).powi(2);
    }
    let norm = b.iter().map(|b| b * b).sum::<f64>().sqrt();
    if square == 0.0 { 0.0 } else { square.sqrt() / norm }
}

/// A random matrix of one of the kinds that people solve, and of some that they should not.
fn matrix(random: &mut SplitMix64) -> Csr<f64> {
    let n = 1 + random.below(40);
    let kind = random.below(6);
    let mut entries: Vec<(usize, usize, f64)> =
        (0..n).map(|i| (i, i, 4.0 + random.uniform())).collect();
    match kind {
        0 => {}
        // A permutation, a saddle point.
        1 => entries = (0..n).map(|i| (i, (i + 1) % n, random.signed())).collect(),
        2 => {
            entries = (0..n).map(|i| (i, i, if i < n / 2 { 1.0 } else { 0.0 })).collect();
            entries.extend((0..n).map(|i| (i, (i + n / 2) % n, 1.0)));
        }
        // Symmetric, not symmetric, dense.
        _ => {
            for i in 0..n {
                let beside = if kind == 5 { n } else { 3 };
                for _ in 0..beside {
                    let (j, value) = (random.below(n), random.signed());
                    entries.push((i, j, value));
                    if kind == 3 {
                        entries.push((j, i, value));
                    }
                }
            }
        }
    }
    // Scales of all sizes, some of them by rows.
    let scale = |random: &mut SplitMix64, most: f64| 10f64.powf((most * random.signed()).round());
    let whole = match random.below(3) {
        0 => scale(random, 240.0),
        _ => 1.0,
    };
    let rows: Vec<f64> = (0..n).map(|_| if kind == 4 { scale(random, 3.0) } else { 1.0 }).collect();
    let entries = entries.into_iter().map(|(i, j, value)| (i, j, whole * rows[i] * value));
    Csr::from_triplets(n, n, entries).unwrap()
}

fn solves(cases: usize, seed: u64) {
    let machine = machine();
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    for case in 0..cases {
        let mut random = SplitMix64::new(seed).skip(100_000 * case as u64);
        let a = matrix(&mut random);
        let of_b = match random.below(3) {
            0 => 10f64.powf((300.0 * random.signed()).round()),
            _ => 1.0,
        };
        let b: Vec<f64> = (0..a.rows()).map(|_| of_b * random.signed()).collect();
        let methods = [Method::Bicgstab, Method::Lu, Method::Bicg];
        let options =
            Options { method: methods.get(random.below(6)).copied(), ..Options::default() };
        let end = match solve_csr(&machine, &a, &b, &options) {
            Ok(solution) => {
                let found = residual(&a, &b, &solution.x);
                // The residual in double precision has a rounding error of its own.
                let rounding = solution.rounding.double / solution.norm_of_b;
                let claimed = solution.tolerance / solution.norm_of_b + 8.0 * rounding;
                let is_true = found <= claimed;
                assert!(
                    is_true || !solution.reason.is_converged(),
                    "case {case} of seed {seed}: {found:e}, not {claimed:e}"
                );
                solution.reason.to_string()
            }
            Err(_) => "refused".to_owned(),
        };
        *ends.entry(end).or_default() += 1;
    }
    let ends: Vec<String> = ends.iter().map(|(end, count)| format!("{count} {end}")).collect();
    println!("solves | {cases} | {}; no false converged", ends.join(", "));
}

#[test]
fn what_is_called_converged_is() {
    solves(40, 1);
}

#[test]
#[ignore = "minutes: tests/nightly.sh"]
fn what_is_called_converged_is_two_thousand_times() {
    solves(share(2000), seed());
}

#[test]
fn an_x_that_underflows_is_not_called_converged() {
    let machine = machine();
    for (entry, b) in [(2e145, -8.9e-303), (1e10, 3e-300), (1e245, 1e-300)] {
        let a = Csr::from_triplets(1, 1, [(0, 0, entry)]).unwrap();
        let solution = solve_csr(&machine, &a, &[b], &Options::default()).unwrap();
        let found = residual(&a, &[b], &solution.x);
        let within = solution.tolerance / solution.norm_of_b;
        assert_eq!(solution.reason.is_converged(), found <= within, "{entry:e}: {found:e}");
        assert!(found > within || entry < 1e100, "{entry:e}: {found:e}");
    }
}
