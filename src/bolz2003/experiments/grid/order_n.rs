//! §4.2: the work of a V-cycle is proportional to the number of unknowns.

use crate::bolz2003::grid::timing::cycles::cycles;
use crate::bolz2003::grid::timing::problem::Problem;
use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, listed,
};
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::solver::Cycle;
use crate::stream::Machine;
use crate::timing::rig::spread;
use crate::timing::{Cost, Effort};

const CLAIM: Claim = Claim {
    id: "bolz2003/order-n",
    class: Class::Shape,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§4.2, §4.3",
    statement: "A V-cycle takes O(n): the stencil is proportionally cheaper on smaller grids, except \
                on very coarse ones.",
    paper: "time proportional to the grid",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/work-of-a-cycle",
    section: "§4.2, §4.3",
    title: "The work of a V-cycle for each unknown",
    claims: &[CLAIM],
    run,
};

/// Nodes of a side; the quick run has the first of them.
const QUICK: [usize; 3] = [65, 129, 257];
const FULL: [usize; 5] = [65, 129, 257, 513, 1025];
/// Bytes of the nine entries of a node.
const STENCIL_BYTES: usize = 36;
/// Time per unknown is constant if it is so within this factor.
const CONSTANT: f64 = 1.5;
/// From so many nodes of a side, fixed costs should not count any more.
const LARGE: usize = 257;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let shape = Cycle::v(4, 2);
    let effort = Effort::of(options.quick);
    let timed = |problem: fn(usize) -> Problem| -> Result<Vec<CycleCost>, BoxedError> {
        let costs: Vec<Cost> = match options.quick {
            true => cycles(machine, QUICK.map(problem), shape, effort)?.into(),
            false => cycles(machine, FULL.map(problem), shape, effort)?.into(),
        };
        let sized = FULL.into_iter().zip(costs);
        Ok(sized.map(|(side, cost)| CycleCost { side, cost }).collect())
    };
    let (costs, constant) = (timed(Problem::stored)?, timed(Problem::constant)?);
    let finding = judge(&costs, &constant);
    Ok(vec![finding.with_figure(
        "bolz2003/order-n.png",
        "Time of a V(4,2)-cycle for each unknown: measured here with stencils in nine streams and in constants, \
         and in the model of the GeForce FX. On small grids passes and changes of the target weigh more than \
         the nodes; what is proportional to the nodes is level.",
        draw(&costs, &constant)?,
    )])
}

/// A cycle on a square grid of so many nodes a side.
struct CycleCost {
    side: usize,
    cost: Cost,
}

impl CycleCost {
    fn unknowns(&self) -> usize {
        self.side * self.side
    }

    /// Nanoseconds for each unknown.
    fn nanoseconds(&self) -> f64 {
        1e9 * self.cost.seconds / self.unknowns() as f64
    }
}

fn judge(costs: &[CycleCost], constant: &[CycleCost]) -> Finding {
    let is_large = |cost: &&CycleCost| cost.side >= LARGE;
    let large =
        |costs: &[CycleCost]| spread(costs.iter().filter(is_large).map(CycleCost::nanoseconds));
    let last = |costs: &[CycleCost]| costs.last().map_or(0.0, CycleCost::nanoseconds);
    let seconds = large(costs);
    let fragments = |c: &CycleCost| c.cost.ledger.total().fragments as f64 / c.unknowns() as f64;
    let fragments = spread(costs.iter().map(fragments));
    let why = format!(
        "Time for each unknown: {}; with stencils in constants: {}. Fragments for each unknown are \
         constant within {fragments:.2} from the smallest grid on: four nodes a fragment, and a third more \
         for all coarser grids. On small grids the changes of the target count, {} on the smallest. The \
         nine streams of stencils, {:.1} MB on {LARGE}² and {:.0} MB on the largest grid, take most of the \
         time there: without them a node takes {:.0} ns instead of {:.0}. So little work a node lets what \
         passes cost count up to larger grids: within {:.2} from {LARGE}² on.",
        nanoseconds(costs),
        nanoseconds(constant),
        costs.first().map_or(0, |c| c.cost.ledger.target_switches),
        (LARGE * LARGE * STENCIL_BYTES) as f64 / 1e6,
        costs.last().map_or(0, |c| c.unknowns() * STENCIL_BYTES) as f64 / 1e6,
        last(constant),
        last(costs),
        large(constant),
    );
    if costs.iter().filter(is_large).count() < 2 {
        let measured = format!("fragments for each unknown within {fragments:.2}");
        let why = format!("{why} Quick mode has no two large grids whose times could be compared.");
        return CLAIM.judge(fragments <= CONSTANT, measured, why);
    }
    let measured = format!("time for each unknown within {seconds:.2} from {LARGE}² on");
    CLAIM.judge(seconds <= CONSTANT, measured, why)
}

/// As in `257² 60 ns, 513² 55 ns`.
fn nanoseconds(costs: &[CycleCost]) -> String {
    listed((costs.iter()).map(|cost| format!("{}² {:.0} ns", cost.side, cost.nanoseconds())))
}

fn draw(costs: &[CycleCost], constant: &[CycleCost]) -> Result<Vec<u8>, BoxedError> {
    let series = |label: &str, costs: &[CycleCost], what: fn(&CycleCost) -> f64| {
        let points = costs.iter().map(|c| (c.side as f64, what(c)));
        Series::new(label, Style::LinePoints, points)
    };
    Ok(chart(&Chart {
        title: "A V(4,2)-cycle for each unknown".into(),
        x: Axis::logarithmic("nodes of a side"),
        y: Axis::logarithmic("time for each unknown (ns)"),
        series: vec![
            series("stencils stored", costs, CycleCost::nanoseconds),
            series("in constants", constant, CycleCost::nanoseconds),
            series("stored, NV30 model", costs, |c| {
                1e9 * c.cost.nv30_seconds / c.unknowns() as f64
            }),
        ],
        marks: Vec::new(),
    })?)
}
