//! Conjugate gradients against their theory: steps, bounds, costs, and every reason to stop.

use std::cell::Cell;
use std::f64::consts::PI;

use fragstream::bundled::{matrix, named};
use fragstream::kruger2003::{DiagonalMatrix, ProductOptions};
use fragstream::solver::{
    Criteria, Csr, HostSpace, LengthMismatch, LinearSystem, Operator, Outcome, Reason,
    TextureDiagonal, TextureSpace, Workspace, conjugate_gradients, true_residual,
};
use fragstream::stream::{Format, Layout, Machine, Stream};
use proptest::prelude::*;

use crate::common::machine;
use crate::solver::samples::{chain, times};

/// The matrix of −u″ on n interior points.
fn laplacian(n: usize) -> Csr<f64> {
    chain(n, 2.0)
}

fn diagonal(values: &[f64]) -> Csr<f64> {
    let n = values.len();
    Csr::from_triplets(n, n, values.iter().enumerate().map(|(i, &a)| (i, i, a))).unwrap()
}

/// Deterministic numbers in (−1, 1) that excite every eigenvector.
fn scattered(n: usize) -> Vec<f64> {
    (1..=n).map(|i| (i as f64 * 12.9898).sin()).collect()
}

/// √(eᵀ A e)
fn energy_norm(a: &Csr<f64>, e: &[f64]) -> f64 {
    let product = times(a, e);
    e.iter().zip(&product).map(|(e, ae)| e * ae).sum::<f64>().sqrt()
}

fn solve(
    a: &Csr<f64>,
    preconditioner: Option<&dyn Operator<HostSpace<f64>>>,
    b: &[f64],
    x: &mut Vec<f64>,
    criteria: &Criteria,
) -> Outcome {
    let space = HostSpace::new(a.rows());
    conjugate_gradients(&space, a, preconditioner, &b.to_vec(), x, criteria, |_| ()).unwrap()
}

fn to(rtol: f64) -> Criteria {
    Criteria { rtol, ..Criteria::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn n_steps_solve_n_equations(n in 1usize..60, seed in prop::collection::vec(-1.0f64..1.0, 60)) {
        let a = laplacian(n);
        let solution = &seed[..n];
        prop_assume!(solution.iter().any(|value| value.abs() > 1e-3));
        let b = times(&a, solution);
        let mut x = vec![0.0; n];
        let outcome = solve(&a, None, &b, &mut x, &to(1e-9));
        prop_assert_eq!(outcome.reason, Reason::Converged);
        prop_assert!(outcome.iterations <= n, "{} steps for {n}", outcome.iterations);
        // ‖e‖ ≤ ‖A⁻¹‖ ‖r‖, and the smallest eigenvalue is 4 sin²(π / 2(n+1)).
        let smallest = 4.0 * (PI / (2.0 * (n as f64 + 1.0))).sin().powi(2);
        let error = x.iter().zip(solution).map(|(x, s)| (x - s).powi(2)).sum::<f64>().sqrt();
        let residual = true_residual(&a, &b, &x).unwrap().norm;
        prop_assert!(error <= residual / smallest * 1.001 + 1e-12);
    }

    #[test]
    fn as_many_steps_as_distinct_eigenvalues(
        distinct in prop::collection::btree_set(1u32..1000, 1..8),
        copies in 1usize..9,
    ) {
        let values: Vec<f64> = distinct.iter().flat_map(|&a| vec![f64::from(a); copies]).collect();
        let b = vec![1.0; values.len()];
        let mut x = vec![0.0; values.len()];
        let outcome = solve(&diagonal(&values), None, &b, &mut x, &to(1e-7));
        prop_assert_eq!(outcome.reason, Reason::Converged);
        prop_assert!(outcome.iterations <= distinct.len());
    }
}

#[test]
fn the_error_falls_within_the_chebyshev_bound_and_monotonically_in_the_norm_of_a() {
    let n = 300;
    let a = laplacian(n);
    let solution = scattered(n);
    let b = times(&a, &solution);
    // The eigenvalues are 4 sin²(k π / 2(n+1)), k = 1 … n.
    let angle = PI / (2.0 * (n as f64 + 1.0));
    let condition: f64 = ((n as f64 * angle).sin() / angle.sin()).powi(2);
    let rate = (condition.sqrt() - 1.0) / (condition.sqrt() + 1.0);

    let mut errors = Vec::new();
    let mut x = vec![0.0; n];
    let space = HostSpace::new(n);
    conjugate_gradients(&space, &a, None, &b, &mut x, &to(1e-6), |progress| {
        let error: Vec<f64> = solution.iter().zip(progress.x).map(|(s, x)| s - x).collect();
        errors.push(energy_norm(&a, &error));
    })
    .unwrap();

    assert!(errors.len() > 50);
    for (k, pair) in errors.windows(2).enumerate() {
        assert!(pair[1] < pair[0], "the error grew in step {}", k + 1);
        let bound = 2.0 * rate.powi(k as i32 + 1) * errors[0];
        assert!(pair[1] <= bound * (1.0 + 1e-9), "step {}: {} > {bound}", k + 1, pair[1]);
    }
}

/// Conjugate gradients in textures, whose ledger has all passes and all memory: the matrix of [`laplacian`], its
/// diagonal, and a right-hand side.
struct InTextures {
    machine: Machine,
    space: TextureSpace,
    matrix: DiagonalMatrix,
    diagonal: Stream,
    b: Stream,
}

impl InTextures {
    fn new() -> Self {
        let (machine, layout) = (machine(), Layout::square(100, Format::R32F).unwrap());
        let space = TextureSpace::new(&machine, layout).unwrap();
        let (a, options) = (laplacian(100), ProductOptions::default());
        let matrix = DiagonalMatrix::new(&machine, layout, &a, options).unwrap();
        let diagonal = space.vector(&[2.0; 100]).unwrap();
        let b: Vec<f32> = scattered(100).into_iter().map(|b| b as f32).collect();
        let b = space.vector(&b).unwrap();
        Self { machine, space, matrix, diagonal, b }
    }

    /// Solves from zero, with the diagonal as preconditioner or without: x, and how it went.
    fn solve(
        &self,
        workspace: &mut Workspace<TextureSpace>,
        is_preconditioned: bool,
        criteria: &Criteria,
    ) -> (Vec<f32>, Outcome) {
        let diagonal = TextureDiagonal::new(&self.space, &self.diagonal).unwrap();
        let preconditioner = is_preconditioned.then_some(&diagonal as _);
        let (space, operator, b) = (&self.space, &self.matrix, &self.b);
        let system = LinearSystem { space, operator, preconditioner, b };
        let mut x = space.zeros().unwrap();
        let outcome = workspace.solve(&system, &mut x, criteria, |_| ()).unwrap();
        (x.read().unwrap(), outcome)
    }
}

#[test]
fn an_iteration_costs_one_product_and_two_reductions_and_one_of_each_for_a_preconditioner() {
    let system = InTextures::new();
    for is_preconditioned in [false, true] {
        let mut workspace = Workspace::new(&system.space).unwrap();
        system.machine.take_ledger();
        let (_, outcome) = system.solve(&mut workspace, is_preconditioned, &to(1e-3));
        let ledger = system.machine.take_ledger();
        assert_eq!((outcome.reason, outcome.replacements), (Reason::Converged, 0));
        let (n, more) = (outcome.iterations as u64, u64::from(is_preconditioned));
        let passes = |name: &str| {
            let kernels = ledger.kernels.iter().filter(|(text, _)| text.name.starts_with(name));
            kernels.map(|(_, account)| account.sum().passes).sum::<u64>()
        };
        assert_eq!(passes("kruger2003/matrices/diagonals"), n + 2, "one to start, one to verify");
        assert_eq!(passes("stream/divide_by_diagonal"), more * n);
        let reductions = (2 + more) * n + 3;
        assert_eq!(passes("stream/reduce_product"), reductions, "two to start, one to verify");
        let combinations = passes("stream/vector_op");
        assert_eq!(combinations, 3 * n + 1, "two residuals, no new direction after the last step");
        assert_eq!(passes("stream/scale"), 1, "the first direction");
    }
}

#[test]
fn a_workspace_that_is_kept_changes_nothing_and_allocates_nothing_anew() {
    let system = InTextures::new();
    // The tolerance is out of reach: a result is kept to fall back to.
    let criteria = Criteria { rtol: 1e-17, patience: 20, ..Criteria::default() };
    let fresh = [false, true].map(|is_preconditioned| {
        let mut workspace = Workspace::new(&system.space).unwrap();
        system.solve(&mut workspace, is_preconditioned, &criteria)
    });
    let before = system.machine.ledger().bytes_allocated;
    let mut workspace = Workspace::new(&system.space).unwrap();
    // Three vectors at first, one to fall back to, one with the preconditioner, and no more.
    for (is_preconditioned, vectors) in [(false, 4), (true, 5), (false, 5), (true, 5)] {
        let found = system.solve(&mut workspace, is_preconditioned, &criteria);
        assert_eq!(found, fresh[usize::from(is_preconditioned)]);
        let allocated = system.machine.ledger().bytes_allocated - before;
        assert_eq!(allocated, vectors * system.b.bytes());
    }
}

#[test]
fn a_solve_ends_at_once_for_the_reason_that_its_system_gives() {
    use Reason::{Converged, Indefinite, IndefinitePreconditioner, NotFinite};
    let singular = [(0, 0, 1.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 1.0)];
    let singular = Csr::from_triplets(2, 2, singular).unwrap();
    let negative = diagonal(&[-1.0, -1.0]);
    let of = |a, b| diagonal(&[a, b]);
    let (one, zero) = ([1.0; 2], [0.0; 2]);
    // A matrix, b, a start, and the end.
    for (a, b, start, reason) in [
        (laplacian(2), zero, zero, Converged),
        // At the solution, even of an indefinite matrix.
        (of(1.0, -1.0), [3.0, -4.0], [3.0, 4.0], Converged),
        (of(1.0, -1.0), one, zero, Indefinite),
        (of(-1.0, -2.0), one, zero, Indefinite),
        // The first direction has pᵀAp = 0.
        (singular, one, zero, Indefinite),
        (laplacian(2), [1.0, f64::NAN], zero, NotFinite),
        (laplacian(2), [1.0, f64::INFINITY], zero, NotFinite),
        (of(1.0, f64::NAN), one, zero, NotFinite),
        // An overflow on the way: b and A are finite, their products are not.
        (of(1e200, 1e308), [1e150; 2], zero, NotFinite),
    ] {
        let mut x = start.to_vec();
        let outcome = solve(&a, None, &b, &mut x, &Criteria::default());
        assert_eq!((outcome.reason, outcome.iterations), (reason, 0), "{a:?} {b:?}");
        assert_eq!(x, start);
    }
    let mut x = vec![0.0; 2];
    let outcome = solve(&of(1.0, -5.0), None, &one, &mut x, &Criteria::default());
    assert_eq!(outcome.reason, Indefinite);
    let outcome = solve(&laplacian(2), Some(&negative), &[1.0, 2.0], &mut x, &to(1e-8));
    assert_eq!(outcome.reason, IndefinitePreconditioner);
}

#[test]
fn a_zero_right_side_leads_any_start_to_zero_by_the_relative_tolerance() {
    let a = laplacian(10);
    let mut x = scattered(10);
    let outcome = solve(&a, None, &[0.0; 10], &mut x, &Criteria::default());
    assert_eq!(outcome.reason, Reason::Converged);
    assert!(outcome.residual <= 1e-5 * outcome.history[0]);
    assert!(x.iter().all(|value| value.abs() < 1e-3), "{x:?}");
}

#[test]
fn the_absolute_tolerance_counts_where_it_is_the_larger() {
    let a = laplacian(50);
    let criteria = Criteria { rtol: 1e-12, atol: 0.5, ..Criteria::default() };
    let b = scattered(50);
    let mut x = vec![0.0; 50];
    let outcome = solve(&a, None, &b, &mut x, &criteria);
    assert_eq!(outcome.reason, Reason::Converged);
    let (last, before) = outcome.history.split_last().unwrap();
    assert!(*last <= 0.5 && before.iter().all(|&residual| residual > 0.5));
}

#[test]
fn the_iterations_allowed_are_not_exceeded_and_the_history_holds_every_one() {
    let a = laplacian(100);
    for allowed in [0, 1, 7] {
        let criteria = Criteria { max_iterations: allowed, ..Criteria::default() };
        let mut x = vec![0.0; 100];
        let outcome = solve(&a, None, &scattered(100), &mut x, &criteria);
        assert_eq!((outcome.reason, outcome.iterations), (Reason::MaximumIterations, allowed));
        assert_eq!(outcome.history.len(), allowed + 1);
        assert_eq!(outcome.history.last(), Some(&outcome.residual));
        assert_eq!(outcome.verified, None);
    }
}

/// A matrix whose product number `fault` is wrong in one element.
struct Faulty {
    matrix: Csr<f64>,
    fault: usize,
    products: Cell<usize>,
}

impl Operator<HostSpace<f64>> for Faulty {
    fn apply(
        &self,
        space: &HostSpace<f64>,
        x: &Vec<f64>,
        y: &mut Vec<f64>,
    ) -> Result<(), LengthMismatch> {
        self.matrix.apply(space, x, y)?;
        if self.products.get() == self.fault {
            y[0] += 1e-3;
        }
        self.products.set(self.products.get() + 1);
        Ok(())
    }
}

#[test]
fn a_recursion_that_went_wrong_is_found_out_replaced_and_brought_to_convergence() {
    let a = laplacian(30);
    let b = scattered(30);
    let faulty = Faulty { matrix: a.clone(), fault: 5, products: Cell::default() };
    let mut x = vec![0.0; 30];
    let outcome =
        conjugate_gradients(&HostSpace::new(30), &faulty, None, &b, &mut x, &to(1e-8), |_| ())
            .unwrap();
    assert_eq!(outcome.reason, Reason::Converged);
    assert!(outcome.replacements >= 1);
    assert!(true_residual(&a, &b, &x).unwrap().relative <= 1.0001e-8);
}

#[test]
fn a_tolerance_below_the_precision_stagnates_at_the_precision() {
    let a = laplacian(30);
    let b = scattered(30);
    let mut x = vec![0.0; 30];
    let outcome = solve(&a, None, &b, &mut x, &to(0.0));
    assert_eq!(outcome.reason, Reason::Stagnated);
    let relative = true_residual(&a, &b, &x).unwrap().relative;
    assert!(relative < 1e-13, "{relative}");
    approx::assert_relative_eq!(
        outcome.verified.unwrap(),
        true_residual(&a, &b, &x).unwrap().norm,
        max_relative = 0.5
    );
}

#[test]
fn patience_decides_whether_a_residual_that_first_grows_is_waited_for() {
    let a = matrix(named("bcsstk01".as_ref()).unwrap()).unwrap();
    let b = vec![1.0; a.rows()];
    let space = HostSpace::new(a.rows());
    let run = |patience| {
        let criteria = Criteria { patience, ..Criteria::default() };
        let mut x = vec![0.0; a.rows()];
        conjugate_gradients(&space, &a, None, &b, &mut x, &criteria, |_| ()).unwrap()
    };
    let (patient, impatient) = (run(Criteria::default().patience), run(3));
    assert!(patient.history.iter().any(|&residual| residual > 10.0 * patient.history[0]));
    assert_eq!(patient.reason, Reason::Converged);
    assert_eq!(impatient.reason, Reason::Stagnated);
    assert!(impatient.iterations < patient.iterations);
}
