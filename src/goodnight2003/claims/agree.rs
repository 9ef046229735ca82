//! §5.1: the solver on the GPU compared with the same algorithm on the CPU.

use crate::claim::{Checked, Claim, Found, Run, worst};
use crate::goodnight2003::problem::manufactured::{Coordinates, Kind, Manufactured};
use crate::goodnight2003::{Error, Grid, Problem, Reference, Settings, Solver};
use crate::solver::{Criteria, Cycle};
use crate::stream::Machine;

/// Unit roundoff of single precision.
const ROUNDOFF: f64 = 1.0 / (1u32 << 24) as f64;

/// The root of Σ 1/(k² + l²)² over all integers except k = l = 0.
const TORUS: f64 = 2.5;

/// Numbers of cycles after which both are compared.
const CYCLES: [usize; 4] = [1, 2, 4, 10];

/// Compares cycles with the paper's settings.
pub(super) fn paper(run: &mut Run<'_>, _: &Claim) -> Checked {
    let mut compared = Vec::new();
    for stated in problems() {
        for side in run.sizes(&[33_u32, 50], &[33, 50, 129]) {
            let Ok((problem, _)) = stated.problem(side, side) else {
                // A period has an odd number of nodes.
                continue;
            };
            let eigenvalue = smallest_eigenvalue(&problem)?;
            let settings = Settings::paper_2003();
            let found = agreement(run.machine, &problem, &settings, eigenvalue, &CYCLES)?;
            compared.extend(found.into_iter().map(|(_, agreement)| agreement));
        }
    }
    let difference = worst(compared.iter().map(|a| a.difference));
    let share = worst(compared.iter().map(|a| a.difference / a.bound));
    Ok(Found::new()
        .at_most("largest share of the rounding bound", share, 1.0)
        .shows(
            "largest difference, relative to the largest value",
            difference,
        )
        .at_least("comparisons", compared.len() as f64, 1.0)
        .because("The bound is the effect of every sweep's rounding errors on the solution."))
}

/// All kinds of sides and coordinates.
pub fn problems() -> Vec<Manufactured> {
    use Coordinates::{Cartesian, Conductive, Polar, Square};
    let [d, n, m] = Kind::ALL.map(Some);
    let all = [
        (Cartesian, [d; 4]),
        (Cartesian, [n; 4]),
        (Cartesian, [m; 4]),
        (Cartesian, [d, n, m, n]),
        (Cartesian, [None, None, d, m]),
        (Cartesian, [n, m, None, None]),
        (Cartesian, [None; 4]),
        (Conductive, [m, d, n, m]),
        (Polar, [d, n, d, m]),
        (Square, [n, d, m, n]),
    ];
    let stated = |(coordinates, kinds)| Manufactured { coordinates, kinds };
    all.map(stated).into()
}

/// Difference between cycles on the GPU and in double precision, with its bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// The root mean square of the difference, relative to the largest value of start and solution.
    pub difference: f64,
    /// Bound from rounding errors.
    pub bound: f64,
}

impl Agreement {
    /// Tests whether rounding errors explain the difference.
    pub fn holds(&self) -> bool {
        self.difference <= self.bound
    }
}

/// Runs cycles on the GPU and in double precision, from the same random start and with the same maps
/// and source, and compares them after each of these numbers of cycles.
///
/// **The bound.** A cycle without rounding is V ← M V + N F, with I − M = N A. On the GPU each of
/// its kernels rounds. At a node, a sweep adds terms a_k U_k, F and the side's, and divides by the
/// diagonal: a few rounding errors, each of at most u (unit roundoff) times the sum of their
/// magnitudes, g = |F| + |s γ/β| + (2 Σ a_k + |s α/β|) max |U|. Each term undergoes four of them.
/// So the result is that of exact arithmetic for a right-hand side with an
/// error δ, |δ| ≤ 4 u g; and the same holds for the residual, and for the correction when it is added. With
/// q such rounding errors per cycle on the finest grid (each sweep, residual, correction; those of coarser
/// grids affect a correction that is smaller by the factor of convergence), k cycles have
/// the error
///
///   (Σ_{j<k} M^j) N q δ = (I − M^k) A⁻¹ q δ,
///
/// where I − M^k is no larger than one if cycles converge. If all δ had one sign and the shape of the
/// smoothest field, the root mean square of this would be q 4 u rms(g) / λ, where λ is the smallest
/// eigenvalue of A (except zero if a constant is free, which is subtracted on both sides). But
/// rounding errors have either sign, independently: of n nodes, each eigenvector gets 1/√n of rms(δ), and
/// the result is √(Σ (λ/λ_i)²) / √n of that. In two dimensions the sum is at most 6.03, that of
/// 1/(k² + l²)² over all integers, as on a torus. So the bound is
///
///   2.5 · 4 q u rms(g) / (λ √n).
///
/// It grows like 1/h: the condition number of the equations, 1/h², over √n. `eigenvalue` is λ,
/// [`smallest_eigenvalue`].
pub fn agreement(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
    eigenvalue: f64,
    after: &[usize],
) -> Result<Vec<(usize, Agreement)>, Error> {
    let mut solver = Solver::new(machine, problem, settings)?;
    let mut exact = reference(&solver, settings)?;
    let start = start(&problem.grid);
    solver.set_solution(&start)?;
    let mut double: Vec<f64> = start.iter().map(|u| f64::from(*u)).collect();
    let unknowns = problem.grid.originals(0).count() as f64;
    let sensitivity = TORUS * rounding_errors(settings) / (eigenvalue * unknowns.sqrt());
    let mut all = Vec::new();
    let mut done = 0;
    for &cycles in after {
        for _ in done..cycles {
            solver.cycle()?;
        }
        exact.cycles(cycles - done, settings.cycle, &mut double);
        done = cycles;
        let mut v = double.clone();
        exact.remove_mean(&mut v);
        let u = solver.solution()?;
        let largest = double.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
        let (level, f) = (exact.level(0), exact.right_side());
        // A prescribed value is not rounded.
        let g = |node| {
            if level.is_held(node) {
                0.0
            } else {
                level.magnitude(node, f[node], largest)
            }
        };
        let agreement = Agreement {
            difference: rms(problem, |node| f64::from(u[node]) - v[node]) / largest,
            bound: sensitivity * 4.0 * ROUNDOFF * rms(problem, g) / largest,
        };
        all.push((cycles, agreement));
    }
    Ok(all)
}

/// The same solver on the CPU, with the maps and the source of the GPU.
pub fn reference(solver: &Solver, settings: &Settings) -> Result<Reference, Error> {
    let (maps, problem) = (solver.maps(), solver.problem());
    let levels = (0..maps.atlas.places.len()).map(|level| maps.level(&problem.grid, level));
    let levels = levels.collect::<Result<_, _>>()?;
    let source = solver.source()?.into_iter().map(f64::from).collect();
    let singular = problem.is_singular();
    Ok(Reference::with_levels(levels, source, singular, settings)?)
}

/// Number of rounding errors per cycle on the finest grid: sweeps, residual, correction.
fn rounding_errors(settings: &Settings) -> f64 {
    (settings.cycle.before + settings.cycle.after + 2) as f64
}

/// Fixed pseudo-random numbers between -1 and 1; a replica has its original's.
fn start(grid: &Grid) -> Vec<f32> {
    let (columns, _) = grid.size(0);
    let value = |(column, row)| {
        let node = f64::from(grid.y.original(0, row) * columns + grid.x.original(0, column));
        ((node * 0.7).sin() * (node * node * 0.013).cos()) as f32
    };
    grid.places(0).map(value).collect()
}

/// λ of −L with its sides, by inverse iteration in double precision: several solves of the homogeneous
/// problem.
pub fn smallest_eigenvalue(problem: &Problem) -> Result<f64, Error> {
    let settings = Settings {
        coarsest_sweeps: 64,
        ..Settings::default()
    };
    let homogeneous = Problem {
        boundaries: problem.boundaries.homogeneous(),
        source: vec![0.0; problem.source.len()],
        ..problem.clone()
    };
    let mut exact = Reference::<f64>::new(&homogeneous, &settings)?;
    let balanced = |exact: &Reference, mut x: Vec<f64>| {
        exact.remove_mean(&mut x);
        let size = rms(problem, |node| x[node]);
        x.iter_mut().for_each(|x| *x /= size);
        x
    };
    let (columns, rows) = problem.grid.size(0);
    let slope = |node: usize| {
        let (column, row) = problem.grid.place(node);
        let x = f64::from(problem.grid.x.original(0, column)) / f64::from(columns);
        let y = f64::from(problem.grid.y.original(0, row)) / f64::from(rows);
        if exact.level(0).is_held(node) {
            0.0
        } else {
            1.0 + 0.5 * (6.0 * x).cos() + 0.4 * (5.0 * y).cos()
        }
    };
    let criteria = Criteria {
        rtol: 1e-4,
        max_iterations: 60,
        ..Criteria::default()
    };
    let mut x = balanced(&exact, (0..problem.grid.nodes(0)).map(slope).collect());
    let mut value = f64::INFINITY;
    for _ in 0..4 {
        exact.set_right_side(x)?;
        let y = exact.solve(Cycle::v(2, 2), &criteria).u;
        value = 1.0 / rms(problem, |node| y[node]);
        x = balanced(&exact, y);
    }
    Ok(value)
}

/// The root mean square over the nodes, without replicas.
pub fn rms(problem: &Problem, value: impl Fn(usize) -> f64) -> f64 {
    problem.grid.mean(|node| value(node) * value(node)).sqrt()
}
