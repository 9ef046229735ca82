//! §4.1.3: tests of the residuals of all nodes together, next to a test of each node.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::error::BoxedError;
use crate::base::random::SplitMix64;
use crate::card::cost::GEFORCE_FX_5800_ULTRA;
use crate::claim::worst;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::goodnight2003::solves::{Method, heat};
use crate::goodnight2003::study::cases::{cycle, measure};
use crate::goodnight2003::{Error, Norm, Problem, Settings, Solver, Test};
use crate::solver::multigrid::default_criteria;
use crate::solver::{Criteria, Cycle};
use crate::stream::Machine;
use crate::timing::Work;
use crate::timing::cost::{all, ledger};

use super::solver::problems;

/// Solves with tests by three norms.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Tests {
    /// Number of nodes along a side
    #[schemars(range(min = 33, max = 1025))]
    pub size: u32,
    /// Number of sources of each kind for each problem
    #[schemars(range(min = 1, max = 1000))]
    pub sources: u32,
    /// Tolerance of all tests, relative to the largest first residual
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub rtol: f64,
    /// Maximum number of cycles of a solve
    #[schemars(range(min = 1, max = 1000))]
    pub maxiter: usize,
    /// Cycle.
    #[serde(flatten)]
    pub cycle: Cycle,
}

impl Default for Tests {
    fn default() -> Self {
        Self { size: 129, sources: 20, rtol: 1e-4, maxiter: 50, cycle: Cycle::v(4, 4) }
    }
}

impl Tests {
    fn settings(&self) -> heat::Settings {
        let &Self { size, rtol, maxiter: max_iterations, cycle, .. } = self;
        let method = Method {
            solver: Settings { cycle, ..Settings::default() },
            test: Test::Reduction,
            criteria: Criteria { rtol, max_iterations, ..default_criteria() },
            ..Method::default()
        };
        heat::Settings { method, ..heat::Settings::default() }.on((size, size))
    }
}

/// Norms of a test by name.
const NORMS: [(&str, Norm); 3] = [("l1", Norm::L1), ("l2", Norm::L2), ("each", Norm::Maximum)];

/// Largest number of nodes with a source, where the residual has local concentrations.
const POINTS: usize = 10;

/// The tests.
pub static TESTS: Study = Study::measuring(
    "goodnight2003/norms",
    "Ten manufactured problems with random sources, each solved until the tests by three norms have passed: by L1, by L2, \
     and of each node",
    Takes::all::<Tests>(),
    &[
        (
            "{points|all}.{l1|l2|each}.cycles",
            "",
            "on average, for sources in up to ten nodes or in all",
        ),
        ("{points|all}.{l1|l2|each}.seconds", "s", "of all solves in the model, with their tests"),
        ("{points|all}.{l1|l2|each}.scatter", "", "of the cycles of a problem, root mean square"),
        ("{points|all}.{l1|l2|each}.left", "", "largest residual, relative to the tolerance"),
        ("{l1|l2|each}.test", "s", "a test of each problem in the model"),
    ],
    tested,
);

fn tested(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let tests: Tests = experiment.typed()?;
    let each = problems(&tests.settings())?;
    let costs = each.iter().map(|one| seconds(place.machine, one));
    let costs = costs.collect::<Result<Vec<_>, _>>()?;
    let (mut record, mut random) = (Record::new(), SplitMix64::new(1));
    for (sources, in_points) in [("points", true), ("all", false)] {
        let kind = (tests.sources, in_points);
        let solves = each.iter().map(|one| Solves::of(place.machine, one, kind, &mut random));
        let solves = solves.collect::<Result<Vec<_>, _>>()?;
        let of = |value: &dyn Fn(&Solves, &[f64; 4]) -> f64| {
            solves.iter().zip(&costs).map(|(solves, cost)| value(solves, cost)).sum::<f64>()
        };
        let count = of(&|solves, _| solves.cycles[2].len() as f64);
        for (norm, (name, _)) in NORMS.into_iter().enumerate() {
            let cycles = of(&|solves, _| solves.cycles[norm].iter().sum());
            let time = of(&|solves, cost| {
                solves.cycles[norm].iter().sum::<f64>() * (cost[3] + cost[norm])
            });
            let variance = of(&|solves, _| variance(&solves.cycles[norm])) / solves.len() as f64;
            let left = solves.iter().flat_map(|solves| solves.left[norm].iter().copied());
            let mut one = |what: &str, value: f64| {
                record.one(format!("{sources}.{name}.{what}"), value);
            };
            one("cycles", cycles / count);
            one("seconds", time);
            one("scatter", variance.sqrt());
            one("left", worst(left));
        }
    }
    for (norm, (name, _)) in NORMS.into_iter().enumerate() {
        record.one(format!("{name}.test"), costs.iter().map(|cost| cost[norm]).sum::<f64>());
    }
    Ok(record)
}

/// Cycles of one problem with several sources of a kind, by norm.
#[derive(Default)]
struct Solves {
    /// Cycles of each solve.
    cycles: [Vec<f64>; 3],
    /// Largest residual left by each solve, relative to the tolerance.
    left: [Vec<f64>; 3],
}

/// Seconds of a test by each norm and of a cycle, in the model.
fn seconds(machine: &Machine, one: &heat::Settings) -> Result<[f64; 4], BoxedError> {
    let (problem, settings) = (one.problem()?, one.method.settings());
    let modelled = |mut work: Work<'_>| -> Result<f64, BoxedError> {
        let (card, ledger) = (GEFORCE_FX_5800_ULTRA, ledger(machine, &mut work)?);
        // Changes of the buffer take time, not those of its surface.
        let switching = ledger.buffer_switches as f64 * card.driver.switch;
        Ok(card.seconds(&ledger)? - card.switching_seconds(&ledger) + switching)
    };
    let [sum, square, most] = all(NORMS.map(|(_, norm)| {
        let test = if norm == Norm::Maximum { Test::Occlusion } else { Test::Reduction };
        modelled(measure(machine, &problem, &Settings { test, norm, ..settings.clone() })?)
    }))?;
    Ok([sum, square, most, modelled(cycle(machine, &problem, &settings)?)?])
}

impl Solves {
    /// Solves a problem with random sources and zero on its sides: in all nodes, or in a few.
    fn of(
        machine: &Machine,
        one: &heat::Settings,
        (sources, in_points): (u32, bool),
        random: &mut SplitMix64,
    ) -> Result<Self, BoxedError> {
        let (stated, mut solves) = (one.problem()?, Self::default());
        for _ in 0..sources {
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
            solves.solve(machine, &problem, one)?;
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
            let [sum, square, most] = NORMS
                .map(|(_, norm)| norm.of(problem.grid.originals(0).map(|node| residual[node])));
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

/// Mean square of the differences from the mean.
fn variance(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count
}
