//! §4.1.2, §4.2, §5.1: the solver's smoothers, its boundary conditions, and the same algorithm on the CPU.

use std::rc::Rc;

use crate::base::interval::range;
use crate::base::random::SplitMix64;
use crate::card::cost::GEFORCE_FX_5800_ULTRA;
use crate::claim::{BoxedError, Checked, Claim, Found, Race, Run, times, worst};
use crate::experiment::{Record, Study, Takes};
use crate::goodnight2003::solves::{HEAT, heat};
use crate::goodnight2003::study::cases::{cycle, measure};
use crate::goodnight2003::study::manufactured::{Kind, errors};
use crate::goodnight2003::{Error, Grid, Norm, Problem, Reference, Settings, Solver, Test};
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::solver::{Cycle, Real};
use crate::stream::Machine;
use crate::timing::cost::all;

use super::speed::of_tests;

/// The stated problems of several kinds of sides and coordinates.
#[rustfmt::skip]
pub(super) const PROBLEMS: [&str; 10] = [
    "--boundary dirichlet",
    "--boundary neumann",
    "--boundary mixed",
    "--boundary dirichlet,neumann,mixed,neumann",
    "--boundary periodic,periodic,dirichlet,mixed",
    "--boundary neumann,mixed,periodic,periodic",
    "--boundary periodic",
    "--coordinates conductive --boundary mixed,dirichlet,neumann,mixed",
    "--coordinates polar --boundary dirichlet,neumann,dirichlet,mixed",
    "--coordinates square --boundary neumann,dirichlet,mixed,neumann",
];

/// Compares how far some cycles with red-black and with damped Jacobi iteration reduce the residual.
pub(super) fn red_black(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let records = run.records::<6>(claim)?;
    let [d, damped_d, n, damped_n, m, damped_m] =
        all(records.each_ref().map(|record| record.last("reduction")))?;
    let ratios = Kind::ALL.into_iter().zip([d / damped_d, n / damped_n, m / damped_m]);
    let found = ratios.fold(Found::new(), |found, (kind, ratio)| {
        found.ratio(times(format!("as many cycles by Jacobi, {kind:?}")), ratio)
    });
    Ok(found
        .each("times")
        .because("A red-black sweep uses the new values of its first half in the second."))
}

/// Norms of a test.
const NORMS: [Norm; 3] = [Norm::L1, Norm::L2, Norm::Maximum];

/// Sources of each kind for each problem, in quick and in full mode.
const SOURCES: [u64; 2] = [2, 20];

/// Largest number of nodes with a source, where the residual has local concentrations.
const POINTS: usize = 10;

/// Cycles and run times of one problem with several sources of a kind, by norm.
#[derive(Default)]
struct Solves {
    /// Cycles of each solve.
    cycles: [Vec<f64>; 3],
    /// Largest residual left by each solve, relative to the tolerance.
    left: [Vec<f64>; 3],
}

/// Seconds of a cycle and of a test by each norm, in the model.
fn seconds(run: &Run<'_>, problem: &Problem, settings: &Settings) -> Result<[f64; 4], BoxedError> {
    let test = |test, norm| Settings { test, norm, ..settings.clone() };
    let tests = [
        test(Test::Reduction, Norm::L1),
        test(Test::Reduction, Norm::L2),
        test(Test::Occlusion, Norm::Maximum),
    ];
    let [sum, square, most] = all(tests.each_ref().map(|one| measure(run.machine, problem, one)))?;
    let cycle = cycle(run.machine, problem, settings)?;
    let works = [("0", sum), ("1", square), ("2", most), ("cycle", cycle)];
    let race =
        Race::new(works).on(run.machine, GEFORCE_FX_5800_ULTRA, |ledger| ledger.buffer_switches)?;
    let model = race.model().ok_or("a program that cannot be counted")?;
    Ok(["0", "1", "2", "cycle"].map(|name| model[name]))
}

impl Solves {
    /// Solves a problem with random sources and zero on its sides: in all nodes, or in a few.
    fn of(
        run: &Run<'_>,
        one: &heat::Settings,
        random: &mut SplitMix64,
        in_points: bool,
    ) -> Result<Self, BoxedError> {
        let (stated, mut solves) = (one.problem()?, Self::default());
        for _ in 0..run.pick(SOURCES[0], SOURCES[1]) {
            let boundaries = stated.boundaries.scaled(0.0);
            let mut problem = Problem { boundaries, ..stated.clone() };
            if in_points {
                problem.source.fill(0.0);
                for _ in 0..=random.below(POINTS) {
                    let at = random.below(problem.source.len());
                    problem.source[at] = random.signed();
                }
            } else {
                problem.source.fill_with(|| random.signed());
            }
            if problem.is_singular() {
                problem.make_compatible()?;
            }
            solves.solve(run.machine, &problem, one)?;
        }
        Ok(solves)
    }

    /// Solves a problem until all tests have passed, with one tolerance: for the mean magnitude of the residuals, for their
    /// root mean square, and for the largest.
    fn solve(
        &mut self,
        machine: &Machine,
        problem: &Problem,
        one: &heat::Settings,
    ) -> Result<(), BoxedError> {
        let criteria = one.method.criteria();
        let mut solver = Solver::new(machine, problem, &one.method.settings())?;
        solver.smooth(0, 1)?;
        let count = problem.grid.originals(0).count() as f64;
        let mut measure = |cycles| -> Result<_, Error> {
            (0..cycles).try_for_each(|_| solver.cycle())?;
            let residual = solver.residual()?.residual;
            let [sum, square, most] =
                NORMS.map(|norm| norm.of(problem.grid.originals(0).map(|node| residual[node])));
            Ok([sum / count, square / count.sqrt(), most])
        };
        let (tolerance, mut is_open) = (criteria.rtol * measure(0)?[2], [true; 3]);
        for cycle in 1..=criteria.max_iterations {
            let now = measure(1)?;
            for norm in 0..3 {
                if is_open[norm] && now[norm] <= tolerance {
                    is_open[norm] = false;
                    self.cycles[norm].push(cycle as f64);
                    self.left[norm].push(now[2] / tolerance);
                }
            }
            if !is_open.contains(&true) {
                return Ok(());
            }
        }
        let most = criteria.max_iterations;
        Err(format!("{most} cycles are not enough. Allow more (--maxiter)").into())
    }
}

/// Compares run times by tests of all residuals together with those by a test of the largest residual.
pub(super) fn norms(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let each = run.each::<heat::Settings, 10>(claim)?;
    let costs = each.each_ref().map(|one| seconds(run, &one.problem()?, &one.method.settings()));
    let (costs, mut random) = (all(costs)?, SplitMix64::new(1));
    let mut found = Found::new();
    for (sources, in_points) in [("in points", true), ("in all nodes", false)] {
        let solves = each.each_ref().map(|one| Solves::of(run, one, &mut random, in_points));
        let solves = all(solves)?;
        let of = |value: &dyn Fn(&Solves, &[f64; 4]) -> f64| {
            solves.iter().zip(&costs).map(|(solves, cost)| value(solves, cost)).sum::<f64>()
        };
        let count = of(&|solves, _| solves.cycles[2].len() as f64);
        let [sum, square, most] = [0, 1, 2].map(|norm| {
            let cycles = of(&|solves, _| solves.cycles[norm].iter().sum());
            let time = of(&|solves, cost| {
                solves.cycles[norm].iter().sum::<f64>() * (cost[3] + cost[norm])
            });
            let variance = of(&|solves, _| variance(&solves.cycles[norm])) / solves.len() as f64;
            let left = solves.iter().flat_map(|solves| solves.left[norm].iter().copied());
            (cycles / count, time, variance.sqrt(), worst(left), of(&|_, cost| cost[norm]))
        });
        found = found
            .shows(format!("cycles by each node, sources {sources}"), most.0)
            .shows(format!("scatter of cycles by each node, sources {sources}"), most.2);
        for (name, own) in [("L1", sum), ("L2", square)] {
            let time = times(format!("the run time by each node as by {name}, sources {sources}"));
            let test = times(format!("the cost of a test by {name} as by each node"));
            let scatter = format!("scatter of cycles by {name}, sources {sources}");
            let left = format!("largest residual left by {name}, relative to the tolerance");
            found = found.shows(format!("cycles by {name}, sources {sources}"), own.0);
            found = if in_points {
                found
                    .ratio(time, most.1 / own.1)
                    .at_most(scatter, own.2, most.2)
                    .at_least(left, own.3, 1.0)
                    .ratio(test, own.4 / most.4)
            } else {
                found.shows(time, most.1 / own.1).shows(scatter, own.2).shows(left, own.3)
            };
        }
    }
    Ok(found.each("times").because(
        "Sources in single nodes are local concentrations: the mean of the residuals passes while the largest does not. \
         Sources in all nodes have none, and are shown.",
    ))
}

/// Mean square of the differences from the mean.
fn variance(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count
}

/// Largest share of rounding in the errors of two grids between which an order is measured: the order is
/// then wrong by at most 2 · 0.02 / ln 2 = 0.06.
const ROUNDING: f64 = 0.02;

/// Errors on one grid of a case.
struct Sample {
    /// Intervals from the first to the last column.
    intervals: f64,
    /// Largest error of the GPU's solution.
    error: f64,
    /// Largest error in double precision.
    exact: f64,
    /// Largest difference between the two.
    rounding: f64,
}

/// Label and samples of a case, from coarse to fine.
type Case = (&'static str, Vec<Sample>);

/// Labels of the cases; those that are not drawn are last.
#[rustfmt::skip]
const LABELS: [&str; 9] = [
    "Dirichlet", "Neumann", "mixed", "all three", "periodic", "polar, periodic", "airfoil's map", "conductivity", "square root",
];

/// Number of cases that are drawn, each in a colour of its own.
const DRAWN: usize = 7;

/// The cases; their finest grids, in full and in quick mode.
#[rustfmt::skip]
pub(super) const CASES: [[&str; 9]; 3] = [
    [
        "--boundary dirichlet",
        "--boundary neumann",
        "--boundary mixed",
        "--boundary dirichlet,neumann,mixed,neumann",
        "--boundary periodic",
        "--coordinates polar --boundary dirichlet,mixed,periodic,periodic",
        "--coordinates joukowski --boundary neumann,dirichlet,periodic,periodic",
        "--coordinates conductive --boundary mixed,dirichlet,neumann,mixed",
        "--coordinates square --boundary neumann,dirichlet,mixed,neumann",
    ],
    [
        "--size 129", "--size 129", "--size 129", "--size 169x241", "--size 129", "--size 65x513", "--size 65x513",
        "--size 169x241", "--size 169x241",
    ],
    [
        "--size 33", "--size 33", "--size 33", "--size 43x61", "--size 33", "--size 17x129", "--size 17x129",
        "--size 43x61", "--size 43x61",
    ],
];

/// Errors on a grid and on coarser ones.
pub static ERRORS: Study = Study::measuring(
    "goodnight2003/errors",
    "Errors of a manufactured problem on a grid and on the three coarser ones, as far as they have 200 nodes",
    Takes::of(
        &HEAT,
        "paper",
        "problem coordinates boundary size pre post cycle smoother programs test rtol maxiter",
    ),
    &[
        ("intervals", "", "across each grid, from coarse to fine"),
        ("error", "", "largest error of the GPU's solution"),
        ("exact", "", "largest error in double precision"),
        ("rounding", "", "largest difference between the two"),
    ],
    |experiment, place| {
        let finest: heat::Settings = experiment.typed()?;
        let (columns, rows) = finest.scene()?.nodes();
        let nodes = u64::from(columns) * u64::from(rows);
        let grids = (0..4).rev().filter(|halvings| *halvings < 2 || nodes >> (2 * halvings) >= 200);
        let samples = grids.map(|halvings| sample(place.machine, &finest, halvings));
        let samples = samples.collect::<Result<Vec<_>, _>>()?;
        let mut record = Record::new();
        record.each("intervals", samples.iter().map(|sample| sample.intervals));
        record.each("error", samples.iter().map(|sample| sample.error));
        record.each("exact", samples.iter().map(|sample| sample.exact));
        record.each("rounding", samples.iter().map(|sample| sample.rounding));
        Ok(record)
    },
);

fn sampled(run: &mut Run<'_>, claim: &Claim) -> Result<Vec<Case>, BoxedError> {
    let records = run.records::<9>(claim)?;
    let samples = |(label, record): (_, Rc<Record>)| {
        let [intervals, error, exact, rounding] =
            all(["intervals", "error", "exact", "rounding"].map(|name| record.all(name)))?;
        let sample = |n: usize| Sample {
            intervals: intervals[n],
            error: error[n],
            exact: exact[n],
            rounding: rounding[n],
        };
        Ok((label, (0..intervals.len()).map(sample).collect()))
    };
    LABELS.into_iter().zip(records).map(samples).collect()
}

/// Errors with a grid that has been coarsened this number of times.
fn sample(
    machine: &Machine,
    finest: &heat::Settings,
    coarsenings: u32,
) -> Result<Sample, BoxedError> {
    let (columns, rows) = finest.scene()?.nodes();
    let coarser = |nodes: u32| ((nodes - 1) >> coarsenings) + 1;
    let (columns, rows) = (coarser(columns), coarser(rows));
    let (problem, solution) = finest.manufactured().problem(columns, rows)?;
    // Until single precision stagnates, that is, until no cycle reduces the residual.
    let (settings, criteria) = (finest.method.settings(), finest.method.criteria());
    let mut solver = Solver::new(machine, &problem, &settings)?;
    solver.solve(&criteria, |_, _| {})?;
    let single: Vec<f64> = solver.solution()?.into_iter().map(f64::from).collect();
    let mut reference = reference::<f64>(&solver, &settings)?;
    let double = reference.solve(Cycle::v(2, 2), &criteria).u;
    let largest = |a: &[f64], b: &[f64]| errors(&problem, a, b)[0];
    Ok(Sample {
        intervals: f64::from(columns - 1),
        error: largest(&single, &solution),
        exact: largest(&double, &solution),
        rounding: largest(&single, &double),
    })
}

pub(super) fn orders(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let cases = sampled(run, claim)?;
    draw(run, &cases[..DRAWN])?;
    let is_measured = |pair: &&[Sample]| pair.iter().all(|s| s.rounding <= ROUNDING * s.exact);
    let order = |pair: &[Sample]| (pair[0].error / pair[1].error).log2();
    let pairs = cases.iter().flat_map(|(_, samples)| samples.windows(2));
    let orders = range(pairs.filter(is_measured).map(order));
    let is_hidden =
        |(_, samples): &&Case| !samples.windows(2).next().is_some_and(|pair| is_measured(&pair));
    let hidden = cases.iter().filter(is_hidden).count();
    Ok(Found::value("order of the largest error in the spacing", orders)
        .equal("kinds of sides whose order rounding errors hide", hidden as f64, 0.0)
        .because("Orders are taken between grids on which rounding is at most 2 % of the error."))
}

fn draw(run: &mut Run<'_>, cases: &[Case]) -> Result<(), BoxedError> {
    let series = |label: &str, style, samples: &[Sample], value: fn(&Sample) -> f64| {
        let points = samples.iter().map(|s| (s.intervals, value(s)));
        Series::new(label, style, points)
    };
    let on_gpu = (cases.iter()).map(|(label, s)| series(label, Style::Points, s, |s| s.error));
    let exact = (cases.iter()).map(|(_, s)| series("", Style::Line, s, |s| s.exact));
    let axes = ["intervals across", "largest error"].map(Axis::logarithmic);
    let title = "Error of the solution for each kind of side";
    let chart = Chart::new(title, axes, on_gpu.chain(exact));
    let caption = "Largest error for each kind of side, on the GPU in single precision (points) and in double \
                   precision (lines). Twice as many intervals quarter the error until rounding errors dominate.";
    run.chart("boundary", caption, &chart)
}

/// Largest difference from double precision, relative to that of single precision on the CPU: both round as often,
/// in another order.
pub(super) const LIKE_SINGLE: f64 = 4.0;

/// Sizes of these in quick mode: a period has an odd number of nodes.
#[rustfmt::skip]
pub(super) const SMALL: [&str; 10] = [
    "--size 50", "--size 50", "--size 50", "--size 50", "--size 33", "--size 33", "--size 33", "--size 50", "--size 50",
    "--size 50",
];

/// The GPU next to the CPU.
pub static DIFFERENCES: Study = Study::measuring(
    "goodnight2003/differences",
    "Differences of the GPU and of single precision on the CPU from double precision, cycle by cycle",
    Takes::of(
        &HEAT,
        "paper",
        "problem coordinates boundary size pre post cycle smoother coarsest_sweeps levels \
        programs precision maxiter",
    ),
    &[
        ("gpu", "", "root mean square of the GPU's differences, relative to the largest value"),
        ("cpu", "", "the same of single precision on the CPU"),
    ],
    |experiment, place| {
        let (one, mut pairs): (heat::Settings, _) = (experiment.typed()?, Vec::new());
        let (columns, rows) = one.scene()?.nodes();
        let smaller = [33, 50].into_iter().filter(|&n| n < columns.min(rows)).map(|n| (n, n));
        for size in smaller.chain([(columns, rows)]) {
            if let Ok((problem, _)) = one.manufactured().problem(size.0, size.1) {
                pairs.extend(differences(place.machine, &problem, &one)?);
            }
        }
        let mut record = Record::new();
        record.each("gpu", pairs.iter().map(|[gpu, _]| *gpu));
        record.each("cpu", pairs.iter().map(|[_, cpu]| *cpu));
        Ok(record)
    },
);

/// Compares cycles on the grid of the settings and on smaller ones.
pub(super) fn agree(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let mut pairs = Vec::new();
    for record in run.records::<10>(claim)? {
        let both = record.all("gpu")?.iter().zip(record.all("cpu")?);
        pairs.extend(both.map(|(gpu, cpu)| [*gpu, *cpu]));
    }
    let ratio = worst(pairs.iter().map(|[gpu, cpu]| gpu / cpu));
    let name = "the difference of single precision on the CPU from double precision";
    Ok(Found::new()
        .at_most(times(name), ratio, LIKE_SINGLE)
        .headline("times the CPU's error")
        .shows(
            "largest difference, relative to the largest value",
            worst(pairs.iter().map(|[gpu, _]| *gpu)),
        )
        .at_least("comparisons", pairs.len() as f64, 1.0)
        .because("Both round as often, but not in the same order."))
}

/// The root mean square of the differences of the GPU, and of the CPU in single precision, from the CPU in double
/// precision, relative to the largest value, after each number of cycles. All begin with the same random start and
/// have the GPU's maps and source.
fn differences(
    machine: &Machine,
    problem: &Problem,
    of: &heat::Settings,
) -> Result<Vec<[f64; 2]>, Error> {
    let (settings, most) = (of.method.settings(), of.method.criteria.max_iterations);
    let mut gpu = Solver::new(machine, problem, &settings)?;
    let (mut single, mut double) =
        (reference::<f32>(&gpu, &settings)?, reference::<f64>(&gpu, &settings)?);
    let mut u = start(&problem.grid);
    gpu.set_solution(&u)?;
    let mut v: Vec<f64> = u.iter().map(|u| f64::from(*u)).collect();
    let (mut done, mut all) = (0, Vec::new());
    for cycles in [1, 2, 4].into_iter().filter(|&n| n < most).chain([most]) {
        for _ in done..cycles {
            gpu.cycle()?;
        }
        single.cycles(cycles - done, settings.cycle, &mut u);
        double.cycles(cycles - done, settings.cycle, &mut v);
        done = cycles;
        let (mut u, mut v) = (u.clone(), v.clone());
        single.remove_mean(&mut u);
        double.remove_mean(&mut v);
        let largest = v.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
        let off = |u: &[f32]| {
            let square = |node: usize| (f64::from(u[node]) - v[node]).powi(2);
            problem.grid.mean(square).sqrt() / largest
        };
        all.push([off(&gpu.solution()?), off(&u)]);
    }
    Ok(all)
}

/// The solver on the CPU, with the maps and the source of the GPU.
fn reference<T: Real>(solver: &Solver, settings: &Settings) -> Result<Reference<T>, Error> {
    let (maps, problem) = (solver.maps(), solver.problem());
    let levels = (0..maps.atlas.places.len()).map(|level| maps.level(&problem.grid, level));
    let levels = levels.collect::<Result<_, _>>()?;
    let source = solver.source()?.into_iter().map(f64::from).collect();
    Reference::with_levels(levels, source, problem.is_singular(), settings)
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

/// Compares the two ways to test a sum of all residuals.
pub(super) fn read_out(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let names = ["query", "read-out", "pyramid", "the residual", "a cycle"];
    let each = run.several(claim)?;
    let race = of_tests(run, names, &each)?;
    race.decide(run, |laps| {
        Found::new()
            .ratio(times("as long by read-out as by a pyramid"), laps.ratio("read-out", "pyramid"))
            .shows(times("as long as a cycle, by read-out"), laps.ratio("read-out", "a cycle"))
            .shows(times("as long as a cycle, by a pyramid"), laps.ratio("pyramid", "a cycle"))
            .because(
                run.in_software("The read-out is a copy in main memory; in 2003 it crossed a bus."),
            )
    })
}
