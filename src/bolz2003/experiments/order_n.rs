//! §4.2: the work of a V-cycle is proportional to the number of unknowns.

use crate::bolz2003::grid_speed::{CycleCost, Problem, cycles};
use crate::experiment::plot::{Axis, Chart, Series, Style, chart};
use crate::experiment::timing::Effort;
use crate::experiment::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::solver::Cycle;
use crate::stream::Machine;

use super::grid_problem::size;

const CLAIM: Claim = Claim {
    id: "bolz2003/order-n",
    class: Class::Shape,
    section: "§4.2, §4.3",
    statement: "A V-cycle takes O(n): the stencil is proportionally cheaper on smaller grids, except \
                on very coarse ones.",
    paper: "time proportional to the grid",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/work-of-a-cycle",
    paper: "bolz2003",
    section: "§4.2, §4.3",
    title: "The work of a V-cycle for each unknown",
    claims: &[CLAIM],
    run,
};

/// Time per unknown is constant if it is so within this factor.
const CONSTANT: f64 = 1.5;
/// From so many nodes of a side, fixed costs should not count any more.
const LARGE: usize = 257;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let shape = Cycle::v(4, 2);
    let effort = Effort::of(options.quick);
    let costs: Vec<CycleCost> = match options.quick {
        true => cycles(machine, [65, 129, 257].map(Problem::stored), shape, effort)?.into(),
        false => {
            let sizes = [65, 129, 257, 513, 1025, 2049];
            cycles(machine, sizes.map(Problem::stored), shape, effort)?.into()
        }
    };
    let finding = judge(&costs, &machine.context().description().renderer);
    Ok(vec![finding.with_figure(
        "bolz2003/order-n.png",
        "Time and work of a V(4,2)-cycle for each unknown, relative to the largest grid: measured here, \
         in the model of the GeForce FX, and the fragments that run. On small grids each pass and each \
         change of the target weigh more than the nodes.",
        draw(&costs)?,
    )])
}

fn per_unknown(cost: &CycleCost, what: f64) -> f64 {
    what / cost.unknowns as f64
}

/// Largest over smallest.
fn spread(values: impl Iterator<Item = f64>) -> f64 {
    let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(low, high), v| {
        (low.min(v), high.max(v))
    });
    high / low
}

fn judge(costs: &[CycleCost], renderer: &str) -> Finding {
    let large = || costs.iter().filter(|cost| cost.unknowns >= LARGE * LARGE);
    let seconds = spread(large().map(|c| per_unknown(c, c.seconds)));
    let fragments = spread(costs.iter().map(|c| per_unknown(c, c.fragments as f64)));
    let times: Vec<String> = costs
        .iter()
        .map(|cost| {
            let side = (cost.unknowns as f64).sqrt().round() as usize;
            let nanoseconds = 1e9 * per_unknown(cost, cost.seconds);
            format!("{} {nanoseconds:.0} ns", size(side, side))
        })
        .collect();
    let why = format!(
        "Time for each unknown: {}. Fragments for each unknown are constant within {fragments:.2} from the \
         smallest grid on: four nodes a fragment, and a third more for all coarser grids. A cycle on the \
         largest changes the target {} times, which on {renderer} costs as much as many nodes; so small \
         grids take longer a node, here as in the paper.",
        times.join(", "),
        costs.last().map_or(0, |cost| cost.target_switches),
    );
    if large().count() < 2 {
        let measured = format!("fragments for each unknown within {fragments:.2}");
        return match fragments <= CONSTANT {
            true => CLAIM.reproduced(measured).because(format!(
                "{why} Quick mode has no two large grids whose times could be compared."
            )),
            false => CLAIM.differs(measured, why),
        };
    }
    let measured = format!("time for each unknown within {seconds:.2} from {LARGE}² on");
    match seconds <= CONSTANT {
        true => CLAIM.reproduced(measured).because(why),
        false => CLAIM.differs(measured, why),
    }
}

fn draw(costs: &[CycleCost]) -> Result<Vec<u8>, BoxedError> {
    let series = |label: &str, what: fn(&CycleCost) -> f64| {
        let last = costs
            .last()
            .map_or(1.0, |cost| per_unknown(cost, what(cost)));
        let points = costs.iter().map(|cost| {
            let side = (cost.unknowns as f64).sqrt();
            (side, per_unknown(cost, what(cost)) / last)
        });
        Series::new(label, Style::LinePoints, points.collect::<Vec<_>>())
    };
    Ok(chart(&Chart {
        title: "A V(4,2)-cycle for each unknown".into(),
        x: Axis::logarithmic("nodes of a side"),
        y: Axis::logarithmic("relative to the largest grid"),
        series: vec![
            series("measured", |cost| cost.seconds),
            series("NV30, model", |cost| cost.nv30_seconds),
            series("fragments", |cost| cost.fragments as f64),
        ],
        marks: Vec::new(),
    })?)
}
