//! §4.2: V-cycles converge by the same factor whatever the size, as they do in double precision.

use crate::bolz2003::grid::geometry::{Grid, Sides};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::twin::GridTwin;
use crate::claim::worst;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::solver::multigrid::factors;
use crate::solver::{Criteria, Cycle, Hierarchy, Multigrid};
use crate::stream::Machine;
use crate::timing::rig::range;

use super::grid_problem::{DIRICHLET, KINDS, poisson};

const CLAIM: Claim = Claim {
    id: "bolz2003/vcycle",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§4.2",
    statement: "V-cycles of weighted Jacobi (ω = 2/3), full weighting, bilinear interpolation and \
                Galerkin operators on the coarser grids, for Dirichlet and Neumann conditions.",
    paper: "V(4,2); the convergence of multigrid does not depend on the size; theory (2/3)⁶ = 0.088",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/v-cycles",
    section: "§4.2",
    title: "The convergence factor of V(4,2), size by size",
    claims: &[CLAIM],
    run,
};

/// Nodes of a side.
const QUICK: &[usize] = &[65, 129, 257];
const FULL: &[usize] = &[65, 129, 257, 513];
/// Cycles, and the one after which the start's own mixture of frequencies is forgotten.
const CYCLES: usize = 8;
const SETTLED: usize = 4;
/// What a sweep of Jacobi with ω = 2/3 leaves, by theory, of the waves that coarser grids do not see:
/// 1 − ω/2.
const SWEEP: f64 = 2.0 / 3.0;
/// Sweeps before and after the coarser grid.
pub const SWEEPS: [usize; 2] = [4, 2];
/// How far a factor may be from theory, relative to it, which knows of no sides and no grid between.
const NEAR: f64 = 0.1;
/// How far a cycle's factor may be from the twin's while the residual is far above what single precision
/// rounds, in the cycles until it has settled. A weight that is off by a thousandth changes (1 − ω/2)⁶ by
/// 0.00026.
const TOLERANCE: f64 = 0.0002;

/// Eight cycles on a grid with n² nodes.
pub struct Trial {
    n: usize,
    /// Norms of the residual, relative to the first one.
    gpu: Vec<f64>,
    twin: Vec<f64>,
}

/// The shapes whose histories are drawn.
const SHAPES: [(&str, Cycle); 3] = [
    ("V(1,1)", Cycle::v(1, 1)),
    ("V(2,2)", Cycle::v(2, 2)),
    ("V(4,2)", Cycle::v(4, 2)),
];

/// The history of cycles of this shape on the GPU.
fn gpu_history(machine: &Machine, grid: Grid, shape: Cycle) -> Result<Vec<f64>, BoxedError> {
    let gpu = GridHierarchy::stored(machine, &poisson(grid), HierarchyOptions::paper_2003())?;
    let mut u = gpu.grid().upload(&grid.random(1))?;
    Ok(history(&gpu, shape, &mut u)?)
}

impl Trial {
    fn new(machine: &Machine, grid: Grid, shape: Cycle) -> Result<Self, BoxedError> {
        let twin = GridTwin::<f64>::new(poisson(grid), &HierarchyOptions::paper_2003());
        let mut u = grid.random(1).into_iter().map(f64::from).collect();
        Ok(Self {
            n: grid.columns(),
            gpu: gpu_history(machine, grid, shape)?,
            twin: history(&twin, shape, &mut u)?,
        })
    }

    /// The largest difference of one of the first cycles' factors from the twin's.
    fn deviation(&self) -> f64 {
        let pairs = factors(&self.gpu).into_iter().zip(factors(&self.twin));
        let differences = pairs.map(|(gpu, twin)| (gpu - twin).abs());
        worst(differences.take(SETTLED))
    }
}

/// The factor of a cycle: the geometric mean once it has settled.
fn settled(history: &[f64]) -> f64 {
    (history[CYCLES] / history[SETTLED]).powf(1.0 / (CYCLES - SETTLED) as f64)
}

/// The relative residuals of a solve with b = 0.
fn history<H: Hierarchy>(
    hierarchy: &H,
    shape: Cycle,
    u: &mut H::Vector,
) -> Result<Vec<f64>, H::Error> {
    let criteria = Criteria::exactly(CYCLES);
    let b = hierarchy.zeros(0)?;
    let mut multigrid = Multigrid::new(hierarchy, shape)?;
    let outcome = multigrid.solve(&b, u, &criteria, |_, _| ())?;
    let first = outcome.history[0];
    Ok(outcome.history.into_iter().map(|r| r / first).collect())
}

/// Cycles on grids with so many nodes a side, for each kind of sides.
type Trials = Vec<(&'static str, Vec<Trial>)>;

/// What cycles on several grids come to.
pub struct Convergence {
    /// Whether all are as near to theory and to the twin as they have to be.
    pub holds: bool,
    /// The factors.
    pub measured: String,
    /// How near they are to the twin's.
    pub why: String,
    trials: Trials,
}

/// Measures and judges cycles of so many sweeps on grids with so many nodes a side.
pub fn check(
    machine: &Machine,
    kinds: &[(&'static str, Sides)],
    sizes: &[usize],
    [before, after]: [usize; 2],
) -> Result<Convergence, BoxedError> {
    let theory = SWEEP.powi((before + after) as i32);
    let near = |factor: f64| (factor / theory - 1.0).abs() <= NEAR;
    let (mut all, mut measured, mut why, mut holds) = (Vec::new(), Vec::new(), Vec::new(), true);
    for &(name, sides) in kinds {
        let trial = |&n| Trial::new(machine, Grid::new(n, n, sides)?, Cycle::v(before, after));
        let trials = sizes.iter().map(trial).collect::<Result<Vec<_>, _>>()?;
        let (low, high) = range(trials.iter().map(|trial| settled(&trial.gpu)));
        let deviation = worst(trials.iter().map(Trial::deviation));
        holds &= near(low) && near(high) && deviation <= TOLERANCE;
        measured.push(format!("{name} {low:.3} to {high:.3}"));
        why.push(format!("{name} {deviation:.1e}"));
        all.push((name, trials));
    }
    let measured = format!(
        "factor {} from {}² to {}²",
        measured.join(", "),
        sizes.first().unwrap_or(&0),
        sizes.last().unwrap_or(&0)
    );
    let why = format!(
        "The largest difference of the first {SETTLED} cycles' factors from those in double precision: {}; \
         more than {TOLERANCE} would come from a weight that is off by a thousandth. As \
         in the paper: nine stored stencils a level, borders copied, three nodes a side on the coarsest \
         grid, solved by Jacobi.",
        why.join(", ")
    );
    Ok(Convergence {
        holds,
        measured,
        why,
        trials: all,
    })
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let usual = if options.quick { QUICK } else { FULL };
    let given = options.given.grid.map(|grid| [grid]);
    let sizes = given.as_ref().map_or(usual, |grid| grid);
    let sweeps = options.given.sweeps.unwrap_or(SWEEPS);
    let found = check(machine, &KINDS, sizes, sweeps)?;
    let finding = CLAIM.judge(found.holds, found.measured, found.why);
    Ok(vec![
        finding
            .with_figure(
                "bolz2003/vcycle-factor.png",
                "The factor by which a V(4,2)-cycle reduces the residual, on the GPU (lines) and in double \
                 precision on the CPU (points): the mean of cycles 5 to 8 from a random start.",
                draw_factors(&found.trials)?,
            )
            .with_figure(
                "bolz2003/vcycle.png",
                "Residuals of eight cycles from a random start with b = 0 and Dirichlet conditions, for \
                 three numbers of Jacobi sweeps before and after; the largest grid beside the smallest.",
                draw_histories(machine, sizes)?,
            ),
    ])
}

fn draw_factors(kinds: &[(&str, Vec<Trial>)]) -> Result<Vec<u8>, BoxedError> {
    let points = |trials: &[Trial], history: fn(&Trial) -> &[f64]| {
        let point = |trial: &Trial| (trial.n as f64, settled(history(trial)));
        trials.iter().map(point).collect::<Vec<_>>()
    };
    let gpu = kinds
        .iter()
        .map(|(name, trials)| Series::new(*name, Style::Line, points(trials, |t| &t.gpu)));
    let twin = kinds
        .iter()
        .flat_map(|(_, trials)| points(trials, |t| &t.twin));
    let twin = Series::new("double precision", Style::Points, twin);
    Ok(chart(&Chart {
        title: "A V(4,2)-cycle reduces the residual alike on all sizes".into(),
        x: Axis::logarithmic("nodes of a side"),
        y: Axis::linear("factor of a cycle").with_range(0.0, 0.2),
        series: gpu.chain([twin]).collect(),
        marks: Vec::new(),
    })?)
}

fn draw_histories(machine: &Machine, sizes: &[usize]) -> Result<Vec<u8>, BoxedError> {
    let (Some(&small), Some(&large)) = (sizes.first(), sizes.last()) else {
        return Err("there is no size".into());
    };
    let mut series = Vec::new();
    for (name, shape) in SHAPES {
        for (n, style) in [(large, Style::Points), (small, Style::Line)] {
            let history = gpu_history(machine, Grid::new(n, n, DIRICHLET)?, shape)?;
            let residuals = history.into_iter().enumerate();
            let points = residuals.map(|(cycle, residual)| (cycle as f64, residual));
            let label = match style {
                Style::Line => name,
                _ => "",
            };
            series.push(Series::new(label, style, points));
        }
    }
    Ok(chart(&Chart {
        title: format!("V-cycles on {large}² nodes (points) and {small}² (lines)"),
        x: Axis::linear("cycles"),
        y: Axis::logarithmic("relative residual"),
        series,
        marks: Vec::new(),
    })?)
}
