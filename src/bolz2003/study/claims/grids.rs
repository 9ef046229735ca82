//! §4.1 and §4.2: the convergence of V-cycles, and periodic grids.

use std::f64::consts::TAU;

use crate::base::error::BoxedError;
use crate::base::parallel::collect;
use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::hierarchy::GridHierarchy;
use crate::bolz2003::scenes::poisson::{Equation, Options, PoissonSolver, RightSide};
use crate::bolz2003::solves::POISSON;
use crate::bolz2003::solves::poisson::Settings;
use crate::bolz2003::study::reference::Reference;
use crate::claim::worst;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::settings::GridSize;
use crate::solver::multigrid::{default_criteria, factors};
use crate::solver::{Criteria, Cycle, Hierarchy, Multigrid};
use crate::stream::Machine;

use super::problems::{TORUS, poisson};

/// Sides of grids, as far as they are below the largest one.
const SIZES: [usize; 3] = [65, 129, 257];
/// Cycles, and the one after which the mixture of frequencies in the start is forgotten.
const CYCLES_OF: usize = 8;
const SETTLED: usize = 4;

/// Relative residuals of a solve with b = 0.
fn history<H: Hierarchy>(
    hierarchy: &H,
    shape: Cycle,
    u: &mut H::Vector,
) -> Result<Vec<f64>, H::Error> {
    let b = hierarchy.zeros(0)?;
    let mut multigrid = Multigrid::new(hierarchy, shape)?;
    let outcome = multigrid.solve(&b, u, &Criteria::exactly(CYCLES_OF), |_, _| ())?;
    let first = outcome.history[0];
    Ok(outcome.history.into_iter().map(|r| r / first).collect())
}

/// Sides of square grids up to the largest one.
fn sizes(largest: Option<GridSize>) -> Vec<usize> {
    let largest = largest.map_or(257, |size| size.columns as usize);
    SIZES.into_iter().filter(|&n| n < largest).chain([largest]).collect()
}

/// Settings that cycles depend on.
pub(super) const OF_CYCLES: &str =
    "size boundary layout omega coarsest_nodes coarsest pre post cycle";

/// Cycles from a random start with b = 0, on square grids up to `size`.
pub static CYCLES: Study = Study::measuring(
    "bolz2003/cycles",
    "V-cycles from a random start with b = 0, on square grids up to --size",
    Takes::of(&POISSON, "paper", OF_CYCLES),
    &[
        ("sizes", "nodes", "sides of the grids"),
        ("factor", "", "reduction of the residual per cycle after it has settled, of each grid"),
        ("factor_double", "", "the same in double precision on the CPU"),
        ("difference", "", "largest difference of a cycle's factor from double precision"),
    ],
    cycles,
);

fn cycles(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let Settings { size, boundary, options, .. } = experiment.typed()?;
    let (sizes, Options { cycle: shape, hierarchy: paper, .. }) = (sizes(size), options);
    // The geometric mean after the cycles have settled.
    let settled = |history: &[f64]| match history.get(CYCLES_OF) {
        Some(last) => Ok((last / history[SETTLED]).powf(1.0 / (CYCLES_OF - SETTLED) as f64)),
        None => Err(format!(
            "the residual is zero or not finite after {} of {CYCLES_OF} cycles: choose another --omega, --pre or --post",
            history.len() - 1
        )),
    };
    let ([mut single, mut double], mut largest) = ([const { Vec::new() }; 2], 0.0);
    for &n in &sizes {
        let grid = Grid::new(n, n, boundary)?;
        let start = grid.random(1);
        let gpu = GridHierarchy::stored(place.machine, &poisson(grid), paper)?;
        let gpu = history(&gpu, shape, &mut gpu.grid().upload(&start)?)?;
        let cpu = Reference::<f64>::new(poisson(grid), &paper);
        let cpu = history(&cpu, shape, &mut start.into_iter().map(f64::from).collect())?;
        let pairs = factors(&gpu).into_iter().zip(factors(&cpu));
        let differences = pairs.take(SETTLED).map(|(gpu, cpu)| (gpu - cpu).abs());
        largest = worst(differences.chain([largest]));
        single.push(settled(&gpu)?);
        double.push(settled(&cpu)?);
    }
    let mut record = Record::new();
    record.each("sizes", sizes.into_iter().map(|n| n as f64));
    record.each("factor", single);
    record.each("factor_double", double);
    record.one("difference", largest);
    Ok(record)
}

/// Errors on the torus, on square grids up to `size`.
pub static TORUS_ERRORS: Study = Study::measuring(
    "bolz2003/torus",
    "Error of the solution on a torus by the paper's stencils and cycles, on square grids up to --size",
    Takes::of(&POISSON, "paper", "size"),
    &[
        ("sizes", "nodes", "sides of the grids"),
        ("error", "", "largest error at a node, of each grid"),
        ("order", "", "order of the error, from each grid to the next"),
    ],
    torus,
);

fn torus(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let Settings { size, .. } = experiment.typed()?;
    let (sizes, mut record) = (sizes(size), Record::new());
    let errors = sizes.iter().map(|&n| error_on_torus(place.machine, n));
    let errors = errors.collect::<Result<Vec<_>, _>>()?;
    record.each("order", errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()));
    record.each("error", errors);
    record.each("sizes", sizes.into_iter().map(|n| n as f64));
    Ok(record)
}

/// Largest error of the solution of −∇²u = g on the torus by the paper's stencils and cycles, where
/// u = exp(sin 2πx) sin 2πy.
fn error_on_torus(machine: &Machine, nodes: usize) -> Result<f64, BoxedError> {
    let grid = Grid::new(nodes, nodes, TORUS)?;
    let spacing = 1.0 / grid.cells[0] as f64;
    let options = Options {
        criteria: Criteria { rtol: 1e-8, ..default_criteria() },
        refine: 2,
        balance: true,
        ..Options::default()
    };
    let solver = PoissonSolver::new(machine, Equation::poisson(grid, spacing), options)?;
    let at = |place: usize| grid.node(place).map(|n| TAU * n as f64 * spacing);
    let u = |[x, y]: [f64; 2]| x.sin().exp() * y.sin();
    let g = |[x, y]: [f64; 2]| {
        let along = x.cos() * x.cos() - x.sin() - 1.0;
        -TAU * TAU * along * u([x, y])
    };
    let g: Vec<f64> = collect(grid.nodes(), |place| g(at(place)));
    let solution = solver.solve(&RightSide::new(&g), |_, _| ())?;
    let errors = solution.u.iter().enumerate();
    let errors = errors.map(|(place, found)| (found - u(at(place))).abs());
    Ok(worst(errors))
}
