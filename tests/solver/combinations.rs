//! Methods and layouts against elimination in double precision.

use fragstream::bundled::{MATRICES, matrix};
use fragstream::layouts::Layout;
use fragstream::solve::{Method, Options, Solution, solve_csr};
use fragstream::solver::{Criteria, Csr, CsrError, Reason, true_residual};
use fragstream::stream::Machine;

use crate::common::machine;
use crate::solver::dense::inverse;
use crate::solver::systems::BOXES;

/// Every method on every layout that holds any matrix.
fn combinations() -> impl Iterator<Item = (Method, Layout)> {
    let all = Method::ALL.into_iter().flat_map(|method| {
        let layouts = method.layouts().iter();
        layouts.map(move |&layout| (method, layout))
    });
    all.filter(|(method, layout)| *method != Method::Multigrid && !BOXES.contains(layout))
}

/// Solves for a right side of ones.
fn solve(
    machine: &Machine,
    a: &Csr<f64>,
    (method, layout): (Method, Layout),
    rtol: f64,
) -> Solution {
    let options = Options {
        method: Some(method),
        layout: Some(layout),
        criteria: Criteria { rtol, ..Options::default().criteria },
        ..Options::default()
    };
    let solution = solve_csr(machine, a, &vec![1.0; a.rows()], &options);
    let solution = solution.unwrap_or_else(|error| panic!("{method} on {layout}: {error}"));
    assert_eq!(solution.reason, Reason::Converged, "{method} on {layout}");
    solution
}

#[test]
fn every_method_on_every_layout_solves_as_double_precision_does() {
    let machine = machine();
    let bundled = MATRICES.into_iter().filter(|(name, _)| ["unit_cube", "bcsstk01"].contains(name));
    let bundled = bundled.map(|(name, file)| (name, matrix(file).unwrap()));
    let own = [
        ("one row", Csr::from_triplets(1, 1, [(0, 0, 4.0)])),
        (
            "two rows",
            Csr::from_triplets(2, 2, [(0, 0, 4.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 3.0)]),
        ),
        ("not symmetric", not_symmetric(30)),
    ];
    for (name, a) in bundled.chain(own.map(|(name, a)| (name, a.unwrap()))) {
        let n = a.rows();
        let inverse = inverse(n, a.to_dense());
        let exact: Vec<f64> = inverse.chunks(n).map(|row| row.iter().sum()).collect();
        let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|v| v * v).sum::<f64>().sqrt();
        // The Frobenius norm is no less than that by which a residual grows to an error.
        let growth = norm(&mut inverse.iter().copied());
        let is_symmetric = a.first_asymmetry(0.0).is_none();
        for (method, layout) in combinations() {
            if method.is_symmetric() && !is_symmetric {
                continue;
            }
            // Sweeps creep on this one: what is left after a few is compared.
            let slow = method == Method::GaussSeidel && name == "bcsstk01";
            let rtol = if slow { 0.1 } else { 1e-8 };
            let x = solve(&machine, &a, (method, layout), rtol).x;
            let what = format!("{name}, {method} on {layout}");
            let residual = true_residual(&a, &vec![1.0; n], &x).unwrap();
            assert!(residual.relative <= rtol * (1.0 + 1e-6), "{what}: {residual:?}");
            let error = norm(&mut x.iter().zip(&exact).map(|(x, e)| x - e));
            assert!(error <= growth * (residual.norm + 1e-15), "{what}: off by {error}");
        }
    }
}

/// A matrix with rows of several lengths, so that padding of the transpose differs.
fn not_symmetric(n: usize) -> Result<Csr<f64>, CsrError> {
    let entries = (0..n).flat_map(|i| {
        let ahead = (1..=1 + i % 3).map(move |k| (i, (i + 7 * k) % n, 1.0 / k as f64));
        ahead.chain([(i, i, 4.0 + (i % 4) as f64)])
    });
    Csr::from_triplets(n, n, entries)
}
