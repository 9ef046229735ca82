//! §4.1 and §4.2: the convergence of V-cycles, and periodic grids.

use std::f64::consts::TAU;
use std::rc::Rc;

use crate::base::parallel::collect;
use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::hierarchy::GridHierarchy;
use crate::bolz2003::scenes::poisson::{Equation, Options, PoissonSolver, RightSide};
use crate::bolz2003::solves::POISSON;
use crate::bolz2003::solves::poisson::Settings;
use crate::bolz2003::study::reference::Reference;
use crate::claim::{BoxedError, Checked, Claim, Found, Printed, Run, Table, worst};
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::picture::plot::Axis;
use crate::settings::GridSize;
use crate::solver::multigrid::{default_criteria, factors};
use crate::solver::{Criteria, Cycle, Hierarchy, Multigrid};
use crate::stream::Machine;
use crate::timing::interval::short;

use super::problems::{KINDS, PERIODIC, TORUS, poisson};
use super::rings::borders;

/// Factor by which a Jacobi sweep with ω = 2/3 reduces, in theory, the waves that coarser grids cannot hold: 1 − ω/2.
const SWEEP: f64 = 2.0 / 3.0;
/// Sweeps before and after the coarser grid.
const SWEEPS: [usize; 2] = [4, 2];
/// The theoretical factor of V(4,2), which ignores sides and intermediate grids.
pub const FACTOR: f64 = SWEEP * SWEEP * SWEEP * SWEEP * SWEEP * SWEEP;
/// Largest distance from it that agrees, and the bounds.
pub const NEAR: f64 = 0.1 * FACTOR;
const AGREES: [f64; 2] = [FACTOR - NEAR, FACTOR + NEAR];
/// Sides of grids, as far as they are below the largest one.
const SIZES: [usize; 3] = [65, 129, 257];
/// Cycles, and the one after which the mixture of frequencies in the start is forgotten.
const CYCLES_OF: usize = 8;
const SETTLED: usize = 4;
/// Largest difference of a cycle's factor from double precision until it has settled, far above rounding errors. A
/// weight that is off by a thousandth changes (1 − ω/2)⁶ by 0.00026.
const WEIGHTS: f64 = 0.0002;

/// Bounds of the order of the error.
const ORDER: [f64; 2] = [1.9, 2.1];
/// Columns of a table.
const GPU: &str = "GPU";
const DOUBLE: &str = "double precision";

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

/// Factors over the size by kind of sides, and the largest difference from double precision.
fn of_kinds(records: &[Rc<Record>]) -> Result<(Table, f64), BoxedError> {
    let mut table = Table::new("", ["sides", "n", GPU, DOUBLE]);
    let mut largest = 0.0;
    for record in records {
        let sides = record.text_of("settings.boundary").unwrap_or_default();
        let mut names = KINDS.iter().chain(&PERIODIC);
        let known = names.find(|(_, kind)| kind.to_string() == sides);
        let factors = record.all("factor")?.iter().zip(record.all("factor_double")?);
        for (&n, (&gpu, &cpu)) in record.all("sizes")?.iter().zip(factors) {
            table.point(known.map_or("sides", |(name, _)| name), n as usize, [gpu, cpu]);
        }
        largest = worst([record.last("difference")?, largest]);
    }
    Ok((table, largest))
}

pub(super) fn vcycle(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let records = run.records::<3>(claim)?;
    let (table, largest) = of_kinds(&records)?;
    let axes = [
        Axis::logarithmic("nodes per side"),
        Axis::linear("factor per cycle").with_range(0.0, 0.2),
    ];
    let title = "A cycle reduces the residual equally on all sizes";
    let caption = "Factor by which a cycle reduces the residual, on the GPU and in double precision on the CPU: mean \
                   of cycles 5 to 8 from a random start.";
    run.chart("vcycle-factor", caption, &table.chart(title, axes, &[GPU, DOUBLE]))?;
    let (name, range) = ("factor per cycle", table.range(GPU));
    let found = if run.given.words.is_empty() {
        Found::value(name, range)
    } else {
        // Relative to theory, as is the row's bound.
        let [pre, post] = ["pre", "post"].map(|name| format!("settings.{name}"));
        let [pre, post] = [records[0].last(&pre)? as usize, records[0].last(&post)? as usize];
        let theory = SWEEP.powi((pre + post) as i32);
        let bounds = AGREES.map(|bound| theory * bound / FACTOR);
        let factor = short(theory);
        let theory = format!("theory: (2/3)^{} = {factor} for V({pre},{post})", pre + post);
        let found = Found::new().between(name, range, bounds);
        // With more sweeps, or without sweeps on one side, the coarser grids change the factor.
        match (1..=SWEEPS[0]).contains(&pre) && (1..=SWEEPS[1]).contains(&post) {
            true => {
                found.expecting(Printed::Words("(2/3) to the number of sweeps")).quoting(theory)
            }
            false => Found::value(name, range),
        }
    };
    Ok(found
        .headline("per cycle")
        .at_most("largest difference from double precision", largest, WEIGHTS)
        .because(
            "A weight that is wrong by a thousandth would exceed the bound of the difference.",
        ))
}

pub(super) fn periodic(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [torus, cylinder, errors] = run.records(claim)?;
    let grids = PERIODIC.map(|(_, sides)| [(13, 21), (33, 9)].map(|(n, m)| Grid::new(n, m, sides)));
    let grids = grids.into_iter().flatten().collect::<Result<Vec<_>, _>>()?;
    let (table, largest) = of_kinds(&[torus, cylinder])?;
    let mut found = (borders(run.machine, &grids)?)
        .between("factor per cycle", table.range(GPU), AGREES)
        .at_most("largest difference from double precision", largest, WEIGHTS);
    for (pair, n) in errors.all("error")?.windows(2).zip(&errors.all("sizes")?[1..]) {
        let name = format!("order of the error, to {n}²");
        found = found.between(name, (pair[0] / pair[1]).log2(), ORDER);
    }
    Ok(found)
}

/// Errors on the torus, on square grids up to `size`.
pub static TORUS_ERRORS: Study = Study::measuring(
    "bolz2003/torus",
    "Error of the solution on a torus by the paper's stencils and cycles, on square grids up to --size",
    Takes::of(&POISSON, "paper", "size"),
    &[
        ("sizes", "nodes", "sides of the grids"),
        ("error", "", "largest error at a node, of each grid"),
    ],
    torus,
);

fn torus(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let Settings { size, .. } = experiment.typed()?;
    let (sizes, mut record) = (sizes(size), Record::new());
    let errors = sizes.iter().map(|&n| error_on_torus(place.machine, n));
    record.each("error", errors.collect::<Result<Vec<_>, _>>()?);
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
