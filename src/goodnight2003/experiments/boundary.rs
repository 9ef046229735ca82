//! §4.2: boundary conditions of every kind, on problems whose solution is known.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::goodnight2003::{Conditions, Norm, Settings, Solver, Test};
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::solver::{Criteria, Cycle};
use crate::stream::{Machine, Size};

use super::agree::reference;
use super::manufactured::{Coordinates, Kind, Manufactured, errors};

const CLAIM: Claim = Claim {
    id: "goodnight2003/boundary",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§4.2",
    statement: "alpha U + beta dU/dn = gamma at each boundary node, given in one texture and folded into the \
                operator map by programs: Dirichlet, Neumann and mixed conditions, and periodic sides by \
                replicated cells.",
    paper: "supported (here: second order in h)",
};

const MAP: Claim = Claim {
    id: "goodnight2003/boundary-map",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§4.2",
    statement: "The same with conditions that the programs for sides read from the texture and tell apart.",
    paper: "(the same solutions, but for rounding)",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/boundary",
    section: "§4.2",
    title: "Boundary conditions: the error over the spacing",
    claims: &[CLAIM, MAP],
    run,
};

/// An order is measured between two grids whose rounding is at most this part of the error: it can
/// then be off by 2 · 0.02 / ln 2 = 0.06.
const ROUNDING: f64 = 0.02;

/// How far from two an order may be: what the next term of the error does between 1/16 and 1/32
/// (tests/goodnight2003/problems.rs, in double precision), and what rounding may add.
const TOLERANCE: f64 = 0.2;

/// How many times as far from double precision conditions from a map may be: roundings of both ways are
/// of the same number and size, and their largest sums differ by chance.
const MAP_BOUND: f64 = 3.0;

/// A family of grids: its label, the problem, and columns and rows on the coarsest grid.
type Case = (&'static str, Manufactured, Size);

/// One grid of a case.
struct Sample {
    /// Intervals from the first to the last column.
    intervals: f64,
    /// The largest error of the GPU's solution.
    error: f64,
    /// The largest error in double precision.
    exact: f64,
    /// The largest difference between the two.
    rounding: f64,
    /// The same for conditions from a map.
    of_map: f64,
}

fn cases() -> [Case; 7] {
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

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let grids = if options.quick { 2 } else { 4 };
    let mut all = Vec::new();
    for case in cases() {
        let samples = (0..grids).map(|halvings| sample(machine, &case, halvings));
        all.push((case.0, samples.collect::<Result<Vec<_>, _>>()?));
    }
    let finding = judge(&all).with_figure(
        "goodnight2003/boundary.png",
        "The largest error for each kind of side, on the GPU in single precision (points) and in double \
         precision (lines). Twice as many intervals quarter the error, until rounding, which grows with \
         their number, takes over.",
        draw(&all)?,
    );
    Ok(vec![finding, judge_map(&all)])
}

fn sample(
    machine: &Machine,
    (_, stated, size): &Case,
    halvings: u32,
) -> Result<Sample, BoxedError> {
    let finer = |nodes: u32| ((nodes - 1) << halvings) + 1;
    let (columns, rows) = (finer(size.0), finer(size.1));
    let (problem, solution) = stated.problem(columns, rows)?;
    // As far as single precision goes: until no cycle makes the residual smaller, which a query that
    // counts nodes does not tell.
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
    let solved = |settings: &Settings| -> Result<(Solver, Vec<f64>), BoxedError> {
        let mut solver = Solver::new(machine, &problem, settings)?;
        solver.solve(&criteria, |_, _| {})?;
        let solution = solver.solution()?.into_iter().map(f64::from).collect();
        Ok((solver, solution))
    };
    let (solver, single) = solved(&settings)?;
    let (_, of_map) = solved(&Settings {
        conditions: Conditions::Map,
        ..settings.clone()
    })?;
    let double = reference(&solver, &settings)?
        .solve(Cycle::v(2, 2), &criteria)
        .u;
    let largest = |a: &[f64], b: &[f64]| errors(&problem, a, b)[0];
    Ok(Sample {
        intervals: f64::from(columns - 1),
        error: largest(&single, &solution),
        exact: largest(&double, &solution),
        rounding: largest(&single, &double),
        of_map: largest(&of_map, &double),
    })
}

/// Both ways round as much, or as the paper's did on another grid of the same case.
fn judge_map(all: &[(&str, Vec<Sample>)]) -> Finding {
    let shares = all.iter().flat_map(|(_, samples)| {
        let most = samples.iter().map(|s| s.rounding).fold(0.0, f64::max);
        samples.iter().map(move |s| s.of_map / most)
    });
    let worst = shares.fold(0.0, f64::max);
    let measured =
        format!("off double precision by at most {worst:.1} times what the paper's variant is");
    let why = format!(
        "Of each case the largest difference on any of its grids, over the largest of the other variant's. \
         Checked is that it is at most {MAP_BOUND} times."
    );
    MAP.judge(worst <= MAP_BOUND, measured, why)
}

fn judge(all: &[(&str, Vec<Sample>)]) -> Finding {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut lines = Vec::new();
    let mut unmeasured = Vec::new();
    for (label, samples) in all {
        let mut orders = Vec::new();
        for pair in samples.windows(2) {
            let order = (pair[0].error / pair[1].error).log2();
            if pair.iter().all(|s| s.rounding <= ROUNDING * s.exact) {
                (low, high) = (low.min(order), high.max(order));
                orders.push(format!("{order:.2}"));
            } else {
                orders.push(format!("({order:.2})"));
            }
        }
        if orders.first().is_none_or(|first| first.starts_with('(')) {
            unmeasured.push(*label);
        }
        let rounding = 100.0 * samples.last().map_or(0.0, |s| s.rounding / s.exact);
        let orders = orders.join(" ");
        lines.push(format!(
            "{label} {orders} ({rounding:.0} % rounding at last)"
        ));
    }
    let why = format!(
        "Orders of the largest error from grid to grid, each with twice the intervals: {}. In \
         brackets where rounding is over {:.0} % of the error; there the difference from double \
         precision, not the discretisation, moves the order.",
        lines.join("; "),
        100.0 * ROUNDING,
    );
    let measured = format!("order {low:.2} to {high:.2}");
    if !unmeasured.is_empty() {
        let why = format!("rounding hides {unmeasured:?}; {why}");
        return CLAIM.judge(false, measured, why);
    }
    let off = (low - 2.0).abs().max((high - 2.0).abs());
    CLAIM.judge(off <= TOLERANCE, measured, why)
}

fn draw(all: &[(&str, Vec<Sample>)]) -> Result<Vec<u8>, BoxedError> {
    let series = |label: &str, style, samples: &[Sample], value: fn(&Sample) -> f64| {
        Series::new(
            label,
            style,
            samples.iter().map(|s| (s.intervals, value(s))),
        )
    };
    let on_gpu = (all.iter()).map(|(label, s)| series(label, Style::Points, s, |s| s.error));
    let exact = (all.iter()).map(|(_, s)| series("", Style::Line, s, |s| s.exact));
    Ok(chart(&Chart {
        title: "The error of a solution, for each kind of side".into(),
        x: Axis::logarithmic("intervals across"),
        y: Axis::logarithmic("largest error"),
        series: on_gpu.chain(exact).collect(),
        marks: Vec::new(),
    })?)
}
