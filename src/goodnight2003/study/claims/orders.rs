//! §4.2: errors of problems with a known solution, with each kind of side.

use crate::base::error::BoxedError;
use crate::base::interval::range;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::goodnight2003::Solver;
use crate::goodnight2003::scenes::heat::Stated;
use crate::goodnight2003::solves::{HEAT, heat};
use crate::goodnight2003::study::manufactured::Coordinates::{
    self, Conductive, Joukowski, Polar, Square,
};
use crate::goodnight2003::study::manufactured::errors;
use crate::solver::Cycle;
use crate::stream::Machine;

use super::solver::reference;

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

/// A case: its name, coordinates and sides, and the intervals of its finest grid, if that of the first has 128.
type Case = (&'static str, Option<Coordinates>, &'static str, [u32; 2]);

#[rustfmt::skip]
const CASES: [Case; 9] = [
    ("Dirichlet", None, "dirichlet", [128, 128]),
    ("Neumann", None, "neumann", [128, 128]),
    ("mixed", None, "mixed", [128, 128]),
    ("all_three", None, "dirichlet,neumann,mixed,neumann", [168, 240]),
    ("periodic", None, "periodic", [128, 128]),
    ("polar", Some(Polar), "dirichlet,mixed,periodic,periodic", [64, 512]),
    ("airfoil", Some(Joukowski), "neumann,dirichlet,periodic,periodic", [64, 512]),
    ("conductivity", Some(Conductive), "mixed,dirichlet,neumann,mixed", [168, 240]),
    ("square_root", Some(Square), "neumann,dirichlet,mixed,neumann", [168, 240]),
];

/// Errors and their orders.
pub static ORDERS: Study = Study::measuring(
    "goodnight2003/orders",
    "Errors of nine manufactured problems on a grid and on the three coarser ones, as far as they have 200 nodes",
    Takes::of(&HEAT, "paper", "size pre post cycle smoother programs test rtol maxiter"),
    &[
        (
            "{Dirichlet|Neumann|mixed|all_three|periodic|polar|airfoil|conductivity|square_root}.intervals",
            "",
            "across each grid, from coarse to fine",
        ),
        (
            "{Dirichlet|Neumann|mixed|all_three|periodic|polar|airfoil|conductivity|square_root}.{error|exact}",
            "",
            "largest error of the GPU's solution, and in double precision",
        ),
        (
            "{least|most}",
            "",
            "orders of the error in the spacing, where rounding is at most 2 % of it",
        ),
        ("hidden", "", "problems whose order rounding hides"),
    ],
    measured,
);

fn measured(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let one: heat::Settings = experiment.typed()?;
    let size = one.size.ok_or("--size: give the number of nodes along a side")?;
    let is_measured = |pair: &[Sample]| pair.iter().all(|s| s.rounding <= ROUNDING * s.exact);
    let (mut record, mut orders, mut hidden) = (Record::new(), Vec::new(), 0.0);
    for (name, coordinates, boundary, intervals) in CASES {
        let [columns, rows] = intervals.map(|count| (size.columns - 1) * count / 128 + 1);
        let finest = heat::Settings {
            problem: Some(Stated::Manufactured),
            coordinates,
            boundary: Some(boundary.parse()?),
            ..one.on((columns, rows))
        };
        let nodes = u64::from(columns) * u64::from(rows);
        let grids = (0..4).rev().filter(|halvings| *halvings < 2 || nodes >> (2 * halvings) >= 200);
        let samples = grids.map(|halvings| sample(place.machine, &finest, halvings));
        let samples = samples.collect::<Result<Vec<_>, _>>()?;
        let mut of = |what: &str, value: fn(&Sample) -> f64| {
            record.each(format!("{name}.{what}"), samples.iter().map(value));
        };
        of("intervals", |sample| sample.intervals);
        of("error", |sample| sample.error);
        of("exact", |sample| sample.exact);
        let pairs = samples.windows(2).filter(|pair| is_measured(pair));
        orders.extend(pairs.map(|pair| (pair[0].error / pair[1].error).log2()));
        hidden += f64::from(u8::from(!samples.windows(2).next().is_some_and(is_measured)));
    }
    let [least, most] = range(orders);
    record.one("least", least);
    record.one("most", most);
    record.one("hidden", hidden);
    Ok(record)
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
