//! §4.2: boundary conditions of every kind, on problems with a known solution.

use super::agree::reference;
use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::goodnight2003::manufactured::{Coordinates, Kind, Manufactured, errors};
use crate::goodnight2003::{Norm, Settings, Solver, Test};
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::solver::{Criteria, Cycle};
use crate::stream::{Machine, Size};
use crate::timing::rig::range;

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

/// Samples of each case, from coarse to fine.
type Cases = Vec<(&'static str, Vec<Sample>)>;

/// Labels, problems, and columns and rows on the coarsest grid.
fn cases() -> [(&'static str, Manufactured, Size); 7] {
    use Coordinates::{Cartesian, Joukowski, Polar};
    let [d, n, m] = Kind::ALL.map(Some);
    let case =
        |(label, coordinates, kinds, size)| (label, Manufactured { coordinates, kinds }, size);
    [
        ("Dirichlet", Cartesian, [d; 4], (17, 17)),
        ("Neumann", Cartesian, [n; 4], (17, 17)),
        ("mixed", Cartesian, [m; 4], (17, 17)),
        ("all three", Cartesian, [d, n, m, n], (22, 31)),
        ("periodic", Cartesian, [None; 4], (17, 17)),
        ("polar, periodic", Polar, [d, m, None, None], (9, 65)),
        ("airfoil's map", Joukowski, [n, d, None, None], (9, 65)),
    ]
    .map(case)
}

fn sampled(run: &mut Run<'_>) -> Result<Cases, BoxedError> {
    let grids = run.pick(2, 4);
    let samples = |(label, stated, size)| {
        let samples = (0..grids).map(|halvings| sample(run.machine, &stated, size, halvings));
        Ok((label, samples.collect::<Result<_, BoxedError>>()?))
    };
    cases().into_iter().map(samples).collect()
}

fn sample(
    machine: &Machine,
    stated: &Manufactured,
    size: Size,
    halvings: u32,
) -> Result<Sample, BoxedError> {
    let finer = |nodes: u32| ((nodes - 1) << halvings) + 1;
    let (columns, rows) = (finer(size.0), finer(size.1));
    let (problem, solution) = stated.problem(columns, rows)?;
    // Until single precision stagnates, that is, until no cycle reduces the residual. A query that counts
    // nodes cannot detect that.
    let criteria = Criteria {
        rtol: 1e-9,
        max_iterations: 60,
        patience: 3,
        ..Criteria::default()
    };
    let settings = Settings {
        norm: Norm::L2,
        test: Test::Reduction,
        ..Settings::paper_2003()
    };
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

pub(super) fn orders(run: &mut Run<'_>, _: &Claim) -> Checked {
    let cases = sampled(run)?;
    draw(run, &cases)?;
    let is_measured = |pair: &&[Sample]| pair.iter().all(|s| s.rounding <= ROUNDING * s.exact);
    let order = |pair: &[Sample]| (pair[0].error / pair[1].error).log2();
    let pairs = cases.iter().flat_map(|(_, samples)| samples.windows(2));
    let (low, high) = range(pairs.filter(is_measured).map(order));
    let is_hidden = |(_, samples): &&(_, Vec<Sample>)| {
        !samples
            .windows(2)
            .next()
            .is_some_and(|pair| is_measured(&pair))
    };
    let hidden = cases.iter().filter(is_hidden).count();
    Ok(
        Found::values("order of the largest error in the spacing", [low, high])
            .equal(
                "kinds of sides whose order rounding errors hide",
                hidden as f64,
                0.0,
            )
            .because(
                "Orders are taken between grids on which rounding is at most 2 % of the error.",
            ),
    )
}

fn draw(run: &mut Run<'_>, cases: &Cases) -> Result<(), BoxedError> {
    let series = |label: &str, style, samples: &[Sample], value: fn(&Sample) -> f64| {
        let points = samples.iter().map(|s| (s.intervals, value(s)));
        Series::new(label, style, points)
    };
    let on_gpu = (cases.iter()).map(|(label, s)| series(label, Style::Points, s, |s| s.error));
    let exact = (cases.iter()).map(|(_, s)| series("", Style::Line, s, |s| s.exact));
    let chart = Chart {
        title: "Error of the solution for each kind of side".into(),
        x: Axis::logarithmic("intervals across"),
        y: Axis::logarithmic("largest error"),
        series: on_gpu.chain(exact).collect(),
        marks: Vec::new(),
    };
    let caption = "Largest error for each kind of side, on the GPU in single precision (points) and in double \
                   precision (lines). Twice as many intervals quarter the error until rounding errors dominate.";
    run.chart("boundary", caption, &chart)
}
