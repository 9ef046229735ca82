//! Methods and layouts against elimination in double precision.

use fragstream::bundled::{MATRICES, matrix};
use fragstream::layouts::Layout;
use fragstream::solve::{Method, Options, Solution, solve_csr};
use fragstream::solver::{Criteria, Csr, Reason, true_residual};
use fragstream::stream::Machine;

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
fn every_method_on_every_layout_solves_the_bundled_matrices_as_double_precision_does() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    for (name, file) in
        MATRICES.into_iter().filter(|(name, _)| ["unit_cube", "bcsstk01"].contains(name))
    {
        let a = matrix(file).unwrap();
        let n = a.rows();
        let inverse = inverse(n, a.to_dense());
        let exact: Vec<f64> = inverse.chunks(n).map(|row| row.iter().sum()).collect();
        let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|v| v * v).sum::<f64>().sqrt();
        // The Frobenius norm is no less than that by which a residual grows to an error.
        let growth = norm(&mut inverse.iter().copied());
        for (method, layout) in combinations() {
            // Sweeps creep on this one: what is left after a few is compared.
            let slow = method == Method::GaussSeidel && name == "bcsstk01";
            let rtol = if slow { 3e-2 } else { 1e-8 };
            let x = solve(&machine, &a, (method, layout), rtol).x;
            let what = format!("{name}, {method} on {layout}");
            let residual = true_residual(&a, &vec![1.0; n], &x).unwrap();
            assert!(residual.relative <= rtol * (1.0 + 1e-6), "{what}: {residual:?}");
            let error = norm(&mut x.iter().zip(&exact).map(|(x, e)| x - e));
            assert!(error <= growth * residual.norm, "{what}: off by {error}");
        }
    }
}

#[test]
fn the_smallest_matrices_are_solved_by_all() {
    let machine = Machine::headless().expect("this machine has OpenGL");
    let one = Csr::from_triplets(1, 1, [(0, 0, 4.0)]).unwrap();
    let two = [(0, 0, 4.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 3.0)];
    for a in [one, Csr::from_triplets(2, 2, two).unwrap()] {
        for combination in combinations() {
            let x = solve(&machine, &a, combination, 1e-8).x;
            let residual = true_residual(&a, &vec![1.0; a.rows()], &x).unwrap();
            assert!(residual.norm < 2e-8, "{combination:?}: {residual:?}");
        }
    }
}
