//! §5.1: the solver on the GPU against the same algorithm on the CPU.

use crate::claim::{BoxedError, Checked, Claim, Found, Run, worst};
use crate::goodnight2003::problem::manufactured::{Coordinates, Kind, Manufactured};
use crate::goodnight2003::{
    Grid, HostSolver, Problem, ProblemError, Settings, Solver, SolverError,
};
use crate::solver::{Criteria, Cycle};
use crate::stream::Machine;

/// Unit roundoff of single precision.
const ROUNDOFF: f64 = 1.0 / (1u32 << 24) as f64;

/// The root of Σ 1/(k² + l²)² over all integers but k = l = 0.
const TORUS: f64 = 2.5;

/// Numbers of cycles after which both are compared.
const CYCLES: [usize; 4] = [1, 2, 4, 10];

/// Comparisons with the paper's settings and with fragstream's.
fn compared(run: &mut Run<'_>) -> Result<[Vec<Agreement>; 2], BoxedError> {
    let variants = [Settings::paper_2003(), Settings::default()];
    let mut compared = [Vec::new(), Vec::new()];
    for stated in problems() {
        for side in run.sizes(&[33_u32, 50], &[33, 50, 129]) {
            let Ok((problem, _)) = stated.problem(side, side) else {
                // A period takes an odd number of nodes.
                continue;
            };
            let eigenvalue = smallest_eigenvalue(&problem)?;
            for (settings, all) in variants.iter().zip(&mut compared) {
                let found = agreement(run.machine, &problem, settings, eigenvalue, &CYCLES)?;
                all.extend(found.into_iter().map(|(_, agreement)| agreement));
            }
        }
    }
    Ok(compared)
}

pub(super) fn paper(run: &mut Run<'_>, _: &Claim) -> Checked {
    Ok(judged(&run.once(compared)?[0]))
}

pub(super) fn ours(run: &mut Run<'_>, _: &Claim) -> Checked {
    Ok(judged(&run.once(compared)?[1]))
}

fn judged(compared: &[Agreement]) -> Found {
    let difference = worst(compared.iter().map(|a| a.difference));
    let share = worst(compared.iter().map(|a| a.difference / a.bound));
    Found::new()
        .at_most("largest share of the rounding bound", share, 1.0)
        .shows("largest difference, of the largest value", difference)
        .at_least("comparisons", compared.len() as f64, 1.0)
        .because("The bound is the effect of every sweep's rounding errors on the solution.")
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

/// How far cycles on the GPU are from those in double precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// The root mean square of the difference, relative to the largest value of start and solution.
    pub difference: f64,
    /// What rounding explains.
    pub bound: f64,
}

impl Agreement {
    /// Whether rounding explains the difference.
    pub fn holds(&self) -> bool {
        self.difference <= self.bound
    }
}

/// Cycles on the GPU and in double precision, from the same random start, with the same maps
/// and source: the difference after each of these numbers of cycles.
///
/// **The bound.** A cycle without rounding is V ← M V + N F, with I − M = N A. On the GPU each of
/// its kernels rounds. At a node, a sweep adds terms a_k U_k, F and the side's, and divides by the
/// diagonal: a handful of roundings, each of at most u (unit roundoff) times the sum of their
/// magnitudes, g = |F| + |s γ/β| + (2 Σ a_k + |s α/β|) max |U|. Four of them lie on the way of every
/// term to the result. So what comes out is what exact arithmetic would make of a right side that is
/// off by δ, |δ| ≤ 4 u g; and the same for the residual, and for the correction as it is added. With
/// q such roundings of the finest grid a cycle (each sweep, residual, correction; those of coarser
/// grids are roundings of a correction that is smaller by the factor of convergence), k cycles are
/// off by
///
///   (Σ_{j<k} M^j) N q δ = (I − M^k) A⁻¹ q δ,
///
/// where I − M^k is no larger than one if cycles converge. Were all δ of one sign and shaped like the
/// smoothest field, the root mean square of this were q 4 u rms(g) / λ, λ being the smallest
/// eigenvalue of A (beside zero, where a constant is free, which is taken off on both sides). But
/// roundings are of either sign, independently: of n nodes, each eigenvector gets 1/√n of rms(δ), and
/// what is left is √(Σ (λ/λ_i)²) / √n of that. In two dimensions the sum is at most 6.03, that of
/// 1/(k² + l²)² over all whole numbers, as on a torus. So the bound is
///
///   2.5 · 4 q u rms(g) / (λ √n).
///
/// It grows like 1/h: the condition of the equations, 1/h², over √n. `eigenvalue` is λ,
/// [`smallest_eigenvalue`].
pub fn agreement(
    machine: &Machine,
    problem: &Problem,
    settings: &Settings,
    eigenvalue: f64,
    after: &[usize],
) -> Result<Vec<(usize, Agreement)>, SolverError> {
    let mut solver = Solver::new(machine, problem, settings)?;
    let exact = reference(&solver, settings)?;
    let start = start(&problem.grid);
    solver.set_solution(&start)?;
    let mut double: Vec<f64> = start.iter().map(|u| f64::from(*u)).collect();
    let unknowns = problem.grid.originals(0).count() as f64;
    let sensitivity = TORUS * roundings(settings) / (eigenvalue * unknowns.sqrt());
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
        // Where the value is prescribed, nothing is rounded.
        let g = |node| match level.is_held(node) {
            true => 0.0,
            false => level.magnitude(node, f[node], largest),
        };
        let agreement = Agreement {
            difference: rms(problem, |node| f64::from(u[node]) - v[node]) / largest,
            bound: sensitivity * 4.0 * ROUNDOFF * rms(problem, g) / largest,
        };
        all.push((cycles, agreement));
    }
    Ok(all)
}

/// The same solver on the CPU, with the maps and the source that the GPU has.
pub fn reference(solver: &Solver, settings: &Settings) -> Result<HostSolver, SolverError> {
    let (maps, problem) = (solver.maps(), solver.problem());
    let levels = (0..maps.atlas.places.len()).map(|level| maps.twin(&problem.grid, level));
    let levels = levels.collect::<Result<_, _>>()?;
    let source = solver.source()?.into_iter().map(f64::from).collect();
    let singular = problem.is_singular();
    Ok(HostSolver::with_levels(levels, source, singular, settings)?)
}

/// What kernels of the finest grid round in a cycle: sweeps, residual, correction.
fn roundings(settings: &Settings) -> f64 {
    (settings.cycle.before + settings.cycle.after + 2) as f64
}

/// Numbers between -1 and 1, always the same; a replica has its original's.
fn start(grid: &Grid) -> Vec<f32> {
    let (columns, _) = grid.size(0);
    let value = |(column, row)| {
        let node = f64::from(grid.y.original(0, row) * columns + grid.x.original(0, column));
        ((node * 0.7).sin() * (node * node * 0.013).cos()) as f32
    };
    grid.places(0).map(value).collect()
}

/// λ of −L and its sides, by inverse iteration in double precision: some solves of the homogeneous
/// problem.
pub fn smallest_eigenvalue(problem: &Problem) -> Result<f64, ProblemError> {
    let settings = Settings {
        coarsest_sweeps: 64,
        ..Settings::default()
    };
    let homogeneous = Problem {
        boundaries: problem.boundaries.homogeneous(),
        source: vec![0.0; problem.source.len()],
        ..problem.clone()
    };
    let mut exact = HostSolver::new(&homogeneous, &settings)?;
    let balanced = |exact: &HostSolver, mut x: Vec<f64>| {
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
        match exact.level(0).is_held(node) {
            true => 0.0,
            false => 1.0 + 0.5 * (6.0 * x).cos() + 0.4 * (5.0 * y).cos(),
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

/// The root mean square over the nodes that are no replicas.
pub fn rms(problem: &Problem, value: impl Fn(usize) -> f64) -> f64 {
    problem.grid.mean(|node| value(node) * value(node)).sqrt()
}
