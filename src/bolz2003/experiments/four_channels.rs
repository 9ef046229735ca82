//! §4.2: what it gains to keep four nodes in a texel.

use crate::bolz2003::grid_hierarchy::HierarchyOptions;
use crate::bolz2003::grid_speed::{KernelSeconds, Problem, cycles, kernels, nv30_kernels};
use crate::bolz2003::layering::Layout;
use crate::experiment::plot::{Axis, Bars, Group, bars};
use crate::experiment::timing::Effort;
use crate::experiment::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::solver::Cycle;
use crate::stream::Machine;

use super::grid_problem::size;

const CLAIM: Claim = Claim {
    id: "bolz2003/four-channels",
    class: Class::Shape,
    section: "§4.2",
    statement: "Four quadrants in the channels of a texel make use of all four channels of the \
                floating-point units; one node a texel would use one.",
    paper: "all four channels used; no number is given",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/four-channels-or-one",
    paper: "bolz2003",
    section: "§4.2",
    title: "Four nodes in a texel against one",
    claims: &[CLAIM],
    run,
};

const NAMES: [&str; 5] = [
    "product",
    "Jacobi sweep",
    "interpolation",
    "projection",
    "V(4,2)-cycle",
];

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let n = if options.quick { 257 } else { 1025 };
    let effort = Effort::of(options.quick);
    let problem = |layout| {
        Problem::stored(n).with(HierarchyOptions {
            layout,
            ..HierarchyOptions::default()
        })
    };
    let layouts = [Layout::Layered, Layout::Scalar];
    let [layered, scalar] = layouts.map(|layout| timed(machine, &problem(layout), effort));
    let ((layered, layered_model), (scalar, scalar_model)) = (layered?, scalar?);
    let [four, one] = cycles(machine, layouts.map(problem), Cycle::v(4, 2), effort)?;

    let measured = ratios(&scalar, &layered, one.seconds / four.seconds);
    let model = ratios(
        &scalar_model,
        &layered_model,
        one.nv30_seconds / four.nv30_seconds,
    );
    let text = format!(
        "a V-cycle {:.1} times as fast, {:.1} in the model",
        measured[4], model[4]
    );
    let renderer = &machine.context().description().renderer;
    let why = format!(
        "{} nodes: product {:.1} (model {:.1}), Jacobi {:.1} ({:.1}), interpolation {:.1} ({:.1}), \
         projection {:.1} ({:.1}). In the model every instruction works on four channels and a fetch \
         is one instruction whatever it brings, so four channels gain 4 but for what batches waste on \
         small grids. {renderer} works on several fragments at once instead, each channel apart: four \
         channels save the address of a fetch, not the arithmetic. A cycle has as many changes of the \
         target either way.",
        size(n, n),
        measured[0],
        model[0],
        measured[1],
        model[1],
        measured[2],
        model[2],
        measured[3],
        model[3],
    );
    let finding = match measured[4] > 1.1 && model[4] > 2.0 {
        true => CLAIM.reproduced(text).because(why),
        false => CLAIM.differs(text, why),
    };
    let picture = bars(&Bars {
        title: "Four nodes in a texel against one".into(),
        axis: Axis::linear("times as fast").with_range(0.0, 4.5),
        categories: NAMES.map(String::from).into(),
        groups: vec![
            Group::new("NV30, model", model.map(Some)),
            Group::new("measured here", measured.map(Some)),
        ],
    })?;
    Ok(vec![finding.with_figure(
        "bolz2003/four-channels.png",
        format!(
            "How many times as fast the layout with four quadrants in four channels is as one node a \
             texel, on {}: kernels and a whole cycle, in the model of the GeForce FX and measured on \
             {renderer}.",
            size(n, n)
        ),
        picture,
    )])
}

/// Seconds of the kernels: measured, and by the model of the NV30.
fn timed(
    machine: &Machine,
    problem: &Problem,
    effort: Effort,
) -> Result<(KernelSeconds, KernelSeconds), BoxedError> {
    let measured = kernels(machine, problem, effort)?;
    Ok((measured, nv30_kernels(machine, problem)?))
}

/// How many times as fast the second is.
fn ratios(first: &KernelSeconds, second: &KernelSeconds, cycle: f64) -> [f64; 5] {
    [
        first.product / second.product,
        first.jacobi / second.jacobi,
        first.interpolation / second.interpolation,
        first.projection / second.projection,
        cycle,
    ]
}
