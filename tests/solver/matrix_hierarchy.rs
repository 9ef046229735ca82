//! Multigrid on matrices alone against what is known of Poisson's equation.

use fragstream::solver::multigrid::matrix_hierarchy::{MatrixHierarchy, MatrixLevel, Transfer};
use fragstream::solver::multigrid::{default_criteria, factors};
use fragstream::solver::{
    Criteria, Csr, Cycle, DiagonalPreconditioner, HostSpace, Lu, Multigrid, Reason,
};

use crate::solver::samples::{chain, membrane};

type Host = MatrixHierarchy<HostSpace<f64>>;

/// −u″ on n inner nodes, times h².
fn line(n: usize) -> Csr<f64> {
    chain(n, 2.0)
}

/// Linear interpolation to n inner nodes, n odd: every second one lies on a coarser node.
fn along_a_line(n: usize) -> Csr<f64> {
    let coarse = n / 2;
    let column = |j: usize| [(2 * j, j, 0.5), (2 * j + 1, j, 1.0), (2 * j + 2, j, 0.5)];
    Csr::from_triplets(n, coarse, (0..coarse).flat_map(column)).unwrap()
}

/// A ⊗ B
fn kronecker(a: &Csr<f64>, b: &Csr<f64>) -> Csr<f64> {
    let entries = a.triplets().flat_map(|(i, j, a)| {
        b.triplets().map(move |(k, l, entry)| (i * b.rows() + k, j * b.columns() + l, a * entry))
    });
    let (rows, columns) = (a.rows() * b.rows(), a.columns() * b.columns());
    Csr::from_triplets(rows, columns, entries).unwrap()
}

/// Bilinear interpolation to n × n inner nodes.
fn over_a_square(n: usize) -> Csr<f64> {
    kronecker(&along_a_line(n), &along_a_line(n))
}

/// The interpolations from n nodes down, of so many levels.
fn down(n: usize, levels: usize, interpolation: fn(usize) -> Csr<f64>) -> Vec<Csr<f64>> {
    let size = |level: usize| ((n + 1) >> level) - 1;
    (0..levels - 1).map(|level| interpolation(size(level))).collect()
}

/// Jacobi's method on the levels below a matrix, A ← Pᵀ A P from level to level; on the coarsest,
/// conjugate gradients go as far as double precision does.
fn galerkin(finest: Csr<f64>, prolongations: Vec<Csr<f64>>, omega: f64) -> Host {
    let level = |a: &Csr<f64>| MatrixLevel {
        space: HostSpace::new(a.rows()),
        preconditioner: Box::new(DiagonalPreconditioner::new(a).unwrap()),
        matrix: Box::new(a.clone()),
    };
    let (mut matrix, mut levels, mut transfers) = (finest, Vec::new(), Vec::new());
    for prolongation in prolongations {
        let restriction = prolongation.transpose();
        levels.push(level(&matrix));
        matrix = matrix.triple_product(&restriction, &prolongation).unwrap();
        transfers.push(Transfer {
            restriction: Box::new(restriction),
            prolongation: Box::new(prolongation),
        });
    }
    levels.push(level(&matrix));
    Host::new(levels, transfers, Criteria::to(1e-13), omega).unwrap()
}

/// The factor by which a cycle reduces the residual of A u = 0 in the end, from a start with all
/// waves in it.
fn convergence_factor(hierarchy: &Host, cycle: Cycle, n: usize) -> f64 {
    let b = vec![0.0; n];
    let mut u: Vec<f64> = (0..n).map(|i| ((i * i * 7919) % 1009) as f64).collect();
    let criteria = Criteria { rtol: 1e-10, max_iterations: 200, ..default_criteria() };
    let mut multigrid = Multigrid::new(hierarchy, cycle).unwrap();
    let outcome = multigrid.solve(&b, &mut u, &criteria, |_, _| ()).unwrap();
    assert_eq!(outcome.reason, Reason::Converged);
    *factors(&outcome.history).last().unwrap()
}

#[test]
fn linear_interpolation_gives_the_coarser_grids_own_difference() {
    // Pᵀ A P of −u″ is that of the grid with twice the spacing, whose h² is four times as large and
    // whose sums run over half as many nodes.
    let (fine, p) = (line(31), along_a_line(31));
    let coarse = fine.triple_product(&p.transpose(), &p).unwrap();
    assert_eq!(coarse, line(15).map(|entry| entry / 2.0));
}

/// On a line, the error after a coarse correction lies in one direction for each pair of waves, and
/// ν sweeps of Jacobi leave s (1 − 2ωs)^ν + c (1 − 2ωc)^ν of it, with s + c = 1. For ω = 2/3 and
/// ν = 2 that is 1/9 whatever the wave.
#[test]
fn two_levels_on_a_line_leave_a_ninth_of_the_error_a_cycle() {
    for n in [15, 63, 255] {
        let hierarchy = galerkin(line(n), down(n, 2, along_a_line), 2.0 / 3.0);
        for (before, after) in [(1, 1), (2, 0), (0, 2)] {
            let factor = convergence_factor(&hierarchy, Cycle::v(before, after), n);
            assert!((factor - 1.0 / 9.0).abs() < 1e-6, "{n}: {factor}");
        }
    }
}

/// With a coarse correction that leaves a part δ of its error, a symmetric cycle leaves at most
/// 1/9 + 8/9 δ: the exact correction's ninth, and δ of the rest.
#[test]
fn three_levels_stay_below_the_bound_from_two() {
    for n in [31, 127, 511] {
        let hierarchy = galerkin(line(n), down(n, 3, along_a_line), 2.0 / 3.0);
        let v = convergence_factor(&hierarchy, Cycle::v(1, 1), n);
        assert!(v <= 17.0 / 81.0, "{n}: {v}");
        // Visited twice, the coarser levels leave 1/81 of their error.
        let w = convergence_factor(&hierarchy, Cycle::w(1, 1), n);
        assert!(w <= 1.0 / 9.0 + 8.0 / 9.0 / 81.0 && w < v, "{n}: {w}");
    }
}

/// Trottenberg, Oosterlee, Schüller, *Multigrid*, table 2.3: with ω = 4/5, ν sweeps and two grids
/// leave 0.6^ν, the smoothing factor.
#[test]
fn two_levels_on_a_square_converge_at_the_smoothing_rate_whatever_the_grid() {
    for sweeps in [1, 2] {
        let bound = 0.6f64.powi(sweeps as i32);
        for n in [15, 31] {
            let hierarchy = galerkin(membrane(n), down(n, 2, over_a_square), 0.8);
            let factor = convergence_factor(&hierarchy, Cycle::v(sweeps, 0), n * n);
            assert!(factor <= bound && factor > 0.85 * bound, "{n}: {factor}");
        }
    }
}

#[test]
fn cycles_over_all_levels_solve_what_the_factors_of_the_matrix_solve() {
    let n = 31;
    let a = membrane(n);
    let b: Vec<f64> = (0..n * n).map(|i| f64::from(i as u32 * 37 % 101)).collect();
    let exact = Lu::new(n * n, a.to_dense()).unwrap().solve(1, &b);
    let hierarchy = galerkin(a, down(n, 4, over_a_square), 0.8);
    let criteria = Criteria { rtol: 1e-11, ..default_criteria() };
    let mut multigrid = Multigrid::new(&hierarchy, Cycle::v(2, 1)).unwrap();
    let mut u = vec![0.0; n * n];
    multigrid.full(1, &b, &mut u).unwrap();
    let distance = |u: &[f64]| {
        let far = |(u, exact): (&f64, &f64)| (u - exact).abs() / exact.abs();
        u.iter().zip(&exact).map(far).fold(0.0, f64::max)
    };
    assert!(distance(&u) < 0.1, "full multigrid: {}", distance(&u));
    let outcome = multigrid.solve(&b, &mut u, &criteria, |_, _| ()).unwrap();
    assert_eq!(outcome.reason, Reason::Converged);
    assert!(distance(&u) < 1e-10, "{}", distance(&u));
}
