//! Poisson and Helmholtz solves, as users ask for them.

use std::f64::consts::PI;

use fragstream::bolz2003::Error;
use fragstream::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use fragstream::bolz2003::scenes::poisson::{
    Coefficient, Equation, Options, PoissonSolver, RightSide, Solution,
};
use fragstream::bolz2003::study::claims::problems::{DIRICHLET, KINDS, MIXED, NEUMANN, PERIODIC};
use fragstream::solver::{Criteria, Reason, multigrid};
use fragstream::stream::Machine;

use crate::common::machine;

/// Poisson's equation on the rectangle of width 1.
fn unit(columns: usize, rows: usize, sides: Sides) -> Equation {
    let grid = Grid::new(columns, rows, sides).unwrap();
    Equation::poisson(grid, 1.0 / grid.cells[0] as f64)
}

/// A function of x and y at the nodes.
fn sample(equation: &Equation, f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let (grid, h) = (equation.grid, equation.spacing);
    let nodes = (0..grid.nodes()).map(|k| (k % grid.columns(), k / grid.columns()));
    nodes.map(|(i, j)| f(i as f64 * h, j as f64 * h)).collect()
}

fn largest_error(equation: &Equation, u: &[f64], exact: impl Fn(f64, f64) -> f64) -> f64 {
    let (grid, h) = (equation.grid, equation.spacing);
    let error = |(k, u): (usize, &f64)| {
        let (i, j) = (k % grid.columns(), k / grid.columns());
        (u - exact(i as f64 * h, j as f64 * h)).abs()
    };
    u.iter().enumerate().map(error).fold(0.0, f64::max)
}

fn solve(
    machine: &Machine,
    equation: &Equation,
    options: Options,
    right: &RightSide<'_>,
) -> Result<Solution, Error> {
    PoissonSolver::new(machine, equation.clone(), options)?.solve(right, |_, _| ())
}

/// ‖b − A u‖ / ‖b‖; zero for b = 0 and u = 0.
fn relative_residual(solution: &Solution) -> f64 {
    match solution.true_residual {
        0.0 => 0.0,
        residual => residual / solution.norm_of_b,
    }
}

#[test]
fn known_values_and_flux_are_taken_over_from_all_kinds_of_sides() {
    let machine = machine();
    // Harmonic and quadratic: the discrete solution is the exact one.
    let exact = |x: f64, y: f64| x * x - y * y + x + 0.5;
    for (columns, rows) in [(65, 65), (65, 17)] {
        for sides in [DIRICHLET, MIXED] {
            let equation = unit(columns, rows, sides);
            let (width, height) = (1.0, equation.grid.cells[1] as f64 * equation.spacing);
            let on = |side: f64, x: f64| (x - side).abs() < 1e-9;
            let mut boundary = sample(&equation, |x, y| {
                if sides == DIRICHLET || on(0.0, x) || on(height, y) {
                    exact(x, y)
                } else if on(width, x) && !on(0.0, y) {
                    2.0 * x + 1.0
                } else {
                    2.0 * y
                }
            });
            if sides == MIXED {
                // The corner of two Neumann sides takes one number for both fluxes, 3 and 0.
                boundary[columns - 1] = 1.5;
            }
            let g = vec![0.0; equation.grid.nodes()];
            let right = RightSide { boundary: Some(&boundary), ..RightSide::new(&g) };
            let refined = Options {
                criteria: Criteria { rtol: 1e-10, ..multigrid::default_criteria() },
                ..Options::robust()
            };
            let solution = solve(&machine, &equation, refined, &right).unwrap();
            assert_eq!(solution.reason, Reason::Converged);
            let error = largest_error(&equation, &solution.u, exact);
            assert!(error < 1e-6, "{sides:?}: {error}");
        }
    }
}

#[test]
fn coefficients_may_vary() {
    let machine = machine();
    // a = 1 + x, sigma = 1 + y, u = x: -(a u')' + sigma u = -1 + (1 + y) x, exact on the grid.
    let mut equation = unit(65, 33, DIRICHLET);
    equation.diffusion = Coefficient::Nodes(sample(&equation, |x, _| 1.0 + x));
    equation.sigma = Coefficient::Nodes(sample(&equation, |_, y| 1.0 + y));
    let g = sample(&equation, |x, y| -1.0 + (1.0 + y) * x);
    let boundary = sample(&equation, |x, _| x);
    let right = RightSide { boundary: Some(&boundary), ..RightSide::new(&g) };
    let mut options = Options::robust();
    options.criteria.rtol = 1e-7;
    let solution = solve(&machine, &equation, options, &right).unwrap();
    assert_eq!(solution.reason, Reason::Converged);
    assert!(relative_residual(&solution) <= 1e-7);
    assert!(largest_error(&equation, &solution.u, |x, _| x) < 2e-5);
}

#[test]
fn the_residual_reported_is_the_true_one_and_refinement_goes_beyond_single_precision() {
    let machine = machine();
    let equation = unit(129, 129, DIRICHLET);
    let g = sample(&equation, |x, y| (7.0 * x * y).sin() + 1.0);
    let tight = |refine| Options {
        refine,
        criteria: Criteria { rtol: 1e-12, ..multigrid::default_criteria() },
        ..Options::robust()
    };
    let single = solve(&machine, &equation, tight(0), &RightSide::new(&g)).unwrap();
    assert_eq!(single.reason, Reason::Stagnated);
    let reported = single.residual / single.norm_of_b;
    let truth = relative_residual(&single);
    assert!((0.5..2.0).contains(&(reported / truth)), "{reported} for {truth}");
    assert!((1e-6..1e-3).contains(&truth), "single precision ends at {truth}");

    let refined = solve(&machine, &equation, tight(3), &RightSide::new(&g)).unwrap();
    assert_eq!(refined.reason, Reason::Converged);
    assert!(relative_residual(&refined) <= 1e-12);
}

#[test]
fn equations_in_any_unit_and_with_points_of_heat_are_solved_to_a_small_error() {
    let machine = machine();
    let equation = unit(257, 257, DIRICHLET);
    let mut g = vec![0.0; equation.grid.nodes()];
    g[257 * 100 + 60] = 65536.0;
    let solved = |g: &[f64], rtol| {
        let criteria = Criteria { rtol, max_iterations: 200, ..multigrid::default_criteria() };
        let options = Options { criteria, ..Options::robust() };
        let solution = solve(&machine, &equation, options, &RightSide::new(g)).unwrap();
        assert_eq!(solution.reason, Reason::Converged);
        solution
    };
    let (exact, rtol) = (solved(&g, 1e-12), 1e-5);
    let found = solved(&g, rtol);
    let differences = found.u.iter().zip(&exact.u).map(|(a, b)| (a - b).abs());
    assert!(differences.fold(0.0, f64::max) <= 100.0 * rtol * exact.u_max);
    for power in [-1000, -150, 150, 1000] {
        let factor = 2.0_f64.powi(power);
        let scaled: Vec<f64> = g.iter().map(|g| g * factor).collect();
        let other = solved(&scaled, rtol);
        assert!(other.u.iter().zip(&found.u).all(|(a, b)| *a == b * factor), "2^{power}");
        assert_eq!(other.true_residual, factor * found.true_residual);
    }
}

#[test]
fn a_neumann_problem_needs_a_balanced_right_side_and_its_solution_has_mean_zero() {
    let machine = machine();
    let equation = unit(65, 65, NEUMANN);
    let exact = |x: f64, y: f64| (PI * x).cos() * (PI * y).cos();
    let g = sample(&equation, |x, y| 2.0 * PI * PI * exact(x, y));
    let balanced = solve(&machine, &equation, Options::robust(), &RightSide::new(&g)).unwrap();
    assert_eq!(balanced.reason, Reason::Converged);

    let shifted: Vec<f64> = g.iter().map(|g| g + 3.0).collect();
    let refused = solve(&machine, &equation, Options::robust(), &RightSide::new(&shifted));
    assert!(matches!(refused, Err(Error::Incompatible(_))));
    let options = Options { balance: true, ..Options::robust() };
    let solution = solve(&machine, &equation, options, &RightSide::new(&shifted)).unwrap();
    assert!((solution.removed_mean - 3.0).abs() < 1e-4);
    let error = largest_error(&equation, &solution.u, exact);
    assert!(error < 1e-3, "{error}");
    let difference = solution.u.iter().zip(&balanced.u).map(|(a, b)| (a - b).abs());
    assert!(difference.fold(0.0, f64::max) < 1e-4);

    // With sigma the constant is known, and nothing needs to balance.
    let mut helmholtz = equation.clone();
    helmholtz.sigma = Coefficient::Constant(2.0);
    let ones = vec![1.0; equation.grid.nodes()];
    let solution = solve(&machine, &helmholtz, options, &RightSide::new(&ones)).unwrap();
    assert!(largest_error(&equation, &solution.u, |_, _| 0.5) < 1e-4);
}

#[test]
fn input_that_makes_no_problem_is_refused_in_one_line() {
    let machine = machine();
    let error = |result: Result<Solution, Error>| {
        let message = result.expect_err("no problem").to_string();
        assert!(!message.contains('\n'), "{message}");
        message
    };
    let size = Grid::new(100, 100, DIRICHLET).unwrap_err();
    assert!(matches!(size, Error::Size { .. }));
    assert!(size.to_string().contains("105 x 105") || size.to_string().contains("113 x 113"));
    let unpaired = Sides { left: Boundary::Periodic, ..DIRICHLET };
    assert_eq!(Grid::new(33, 17, unpaired), Err(Error::Unpaired));

    let equation = unit(17, 17, DIRICHLET);
    let good = vec![0.0; 289];
    let options = Options::robust();
    let with = |change: &dyn Fn(&mut Equation)| {
        let mut changed = equation.clone();
        change(&mut changed);
        error(solve(&machine, &changed, options, &RightSide::new(&good)))
    };
    assert!(with(&|e| e.spacing = 0.0).contains("spacing"));
    assert!(with(&|e| e.diffusion = Coefficient::Constant(0.0)).contains("coefficient a"));
    assert!(with(&|e| e.sigma = Coefficient::Constant(f64::NAN)).contains("sigma"));
    assert!(with(&|e| e.sigma = Coefficient::Nodes(vec![1.0; 3])).contains("289"));

    let mut bad = good.clone();
    bad[18] = f64::INFINITY;
    let message = error(solve(&machine, &equation, options, &RightSide::new(&bad)));
    assert!(message.contains("column 1, row 1"), "{message}");
    let message = error(solve(&machine, &equation, options, &RightSide::new(&bad[..7])));
    assert!(message.contains("7 values"), "{message}");

    // Nothing to do is no error.
    let nothing = solve(&machine, &equation, options, &RightSide::new(&good)).unwrap();
    assert_eq!(nothing.reason, Reason::Converged);
    assert_eq!(relative_residual(&nothing), 0.0);
}

#[test]
fn with_residuals_on_the_gpu_a_solve_takes_no_more_cycles_one_upload_and_the_corrections_back() {
    let machine = machine();
    let criteria = Criteria { rtol: 1e-11, ..multigrid::default_criteria() };
    let options = Options { criteria, ..Options::robust() };
    let kinds = KINDS.into_iter().chain(PERIODIC).map(|(_, sides)| (sides, 0.0));
    for (sides, sigma) in kinds.chain([(DIRICHLET, 3.7), (MIXED, 3.7)]) {
        let mut equation = unit(65, 33, sides);
        equation.sigma = Coefficient::Constant(sigma);
        let g: Vec<f64> = equation.grid.random(4).into_iter().map(f64::from).collect();
        let solved = |is_on_gpu| {
            let solver = PoissonSolver::new(&machine, equation.clone(), options).unwrap();
            let solver = solver.with_residual_on_gpu(is_on_gpu);
            machine.take_ledger();
            let solution = solver.solve(&RightSide::new(&g), |_, _| ()).unwrap();
            assert_eq!(solution.reason, Reason::Converged, "{sides:?}");
            assert!(relative_residual(&solution) <= 1e-11);
            (solution, machine.take_ledger())
        };
        let ((on_cpu, before), (on_gpu, after)) = (solved(false), solved(true));
        assert!(on_gpu.cycles <= on_cpu.cycles, "{sides:?}");
        let largest = on_cpu.u.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        let differences = on_cpu.u.iter().zip(&on_gpu.u).map(|(a, b)| (a - b).abs());
        assert!(differences.fold(0.0, f64::max) < 1e-9 * largest, "{sides:?}");
        // The history is that of the CPU, and its last norm is the true one.
        for (a, b) in on_cpu.history.iter().zip(&on_gpu.history) {
            assert!(a.0 == b.0 && (a.1 / b.1 - 1.0).abs() < 0.02, "{a:?} {b:?}, {sides:?}");
        }
        assert_eq!(on_gpu.residual, on_gpu.true_residual);
        let corrections = on_cpu.history.len() as u64 - 1;
        let nodes = equation.grid.nodes() as u64;
        assert_eq!((before.uploads, before.read_backs), (corrections, corrections));
        assert_eq!(after.uploads, 1, "{sides:?}");
        // A correction, and the norm of the residual after it.
        assert_eq!(after.read_backs, 2 * corrections);
        assert_eq!(after.texels_read_back, corrections * (nodes + 1));
        assert_eq!(after.bytes_uploaded, 8 * nodes);
    }
}

#[test]
fn with_residuals_on_the_gpu_a_known_solution_is_found_in_double_precision() {
    let machine = machine();
    // Harmonic and quadratic, of numbers that single precision holds: the discrete solution is the exact one.
    let exact = |x: f64, y: f64| x * x - y * y + x + 0.5;
    let equation = unit(65, 65, DIRICHLET);
    let (boundary, g) = (sample(&equation, exact), vec![0.0; equation.grid.nodes()]);
    let right = RightSide { boundary: Some(&boundary), ..RightSide::new(&g) };
    let criteria = Criteria { rtol: 1e-13, ..multigrid::default_criteria() };
    let options = Options { criteria, ..Options::robust() };
    let solver = PoissonSolver::new(&machine, equation.clone(), options).unwrap();
    let solution = solver.with_residual_on_gpu(true).solve(&right, |_, _| ()).unwrap();
    assert_eq!(solution.reason, Reason::Converged);
    assert!(largest_error(&equation, &solution.u, exact) < 1e-11);
}

#[test]
fn with_residuals_on_the_gpu_a_solve_that_cannot_end_ends_as_on_the_cpu() {
    let machine = machine();
    let equation = unit(33, 33, DIRICHLET);
    let g = sample(&equation, |x, y| (7.0 * x * y).sin() + 1.0);
    let start = sample(&equation, |x, _| x);
    let solved = |equation: &Equation, rtol, refine, is_on_gpu| {
        let criteria = Criteria { rtol, ..multigrid::default_criteria() };
        let options = Options { criteria, refine, ..Options::robust() };
        let solver = PoissonSolver::new(&machine, equation.clone(), options).unwrap();
        let solver = solver.with_residual_on_gpu(is_on_gpu);
        solver.solve(&RightSide { start: Some(&start), ..RightSide::new(&g) }, |_, _| ()).unwrap()
    };
    // Below double precision; too few cycles; a negative sigma, with which cycles diverge.
    let mut indefinite = equation.clone();
    indefinite.sigma = Coefficient::Constant(-1000.0);
    for (equation, rtol) in [(&equation, 1e-18), (&equation, 0.0), (&indefinite, 1e-5)] {
        for refine in [1, 5] {
            let [on_cpu, on_gpu] =
                [false, true].map(|is_on_gpu| solved(equation, rtol, refine, is_on_gpu));
            assert!(!on_cpu.reason.is_converged());
            assert_eq!(on_cpu.reason, on_gpu.reason, "{rtol}, {refine}");
            assert!(on_gpu.true_residual <= 2.0 * on_cpu.true_residual);
        }
    }
}
