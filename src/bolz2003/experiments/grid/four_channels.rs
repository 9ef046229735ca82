//! §4.2: what it gains to keep four nodes in a texel.

use crate::bolz2003::grid::hierarchy::HierarchyOptions;
use crate::bolz2003::grid::layering::ChannelUse;
use crate::bolz2003::grid::timing::cycles::cycles;
use crate::bolz2003::grid::timing::kernels::Timed;
use crate::bolz2003::grid::timing::problem::Problem;
use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, listed,
};
use crate::picture::plot::{Axis, Bars, Group, bars};
use crate::solver::Cycle;
use crate::stream::Machine;
use crate::timing::Effort;
use crate::timing::cost::{all, costs};

use super::grid_problem::size;

const CLAIM: Claim = Claim {
    id: "bolz2003/four-channels",
    class: Class::Shape,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§4.2",
    statement: "Four quadrants in the channels of a texel make use of all four channels of the \
                floating-point units; one node a texel would use one.",
    paper: "all four channels used; no number is given",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/four-channels-or-one",
    section: "§4.2",
    title: "Four nodes in a texel against one",
    claims: &[CLAIM],
    run,
};

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let usual = if options.quick { 257 } else { 1025 };
    let n = options.given.grid.unwrap_or(usual);
    let effort = Effort {
        chain: 2,
        ..Effort::of(options.quick)
    };
    let problem = |layout| {
        Problem::stored(n).with(HierarchyOptions {
            layout,
            ..HierarchyOptions::default()
        })
    };
    let layouts = [ChannelUse::Layered, ChannelUse::Scalar];
    let [layered, scalar] = layouts.map(problem);
    let (mut measured, mut model) = (Vec::new(), Vec::new());
    for kernel in Timed::ALL {
        let cases = all([&layered, &scalar].map(|problem| kernel.case(machine, problem)))?;
        let [four, one] = costs(machine, effort, cases.map(|case| case.kernel))?;
        measured.push(one.seconds / four.seconds);
        model.push(one.nv30_seconds / four.nv30_seconds);
    }
    let [four, one] = cycles(machine, [layered, scalar], Cycle::v(4, 2), effort)?;
    measured.push(one.seconds / four.seconds);
    model.push(one.nv30_seconds / four.nv30_seconds);
    let text = format!("a V-cycle {:.1} times as fast", measured[4]);
    let renderer = &machine.context().description().renderer;
    let kernels = Timed::ALL.iter().zip(measured.iter().zip(&model));
    let kernels = kernels
        .map(|(kernel, (measured, model))| format!("{} {measured:.1} ({model:.1})", kernel.name()));
    let why = format!(
        "{} nodes, times as fast (in the model): {}. In the model every instruction works on four channels \
         and a fetch is one instruction whatever it brings, so four channels gain 4 but for what batches \
         waste, and but for memory, which in the product is slower than 27 instructions. {renderer}, \
         which works on several fragments at once and on each channel apart, should gain only in what a \
         fragment and a fetch cost whatever they bring; these were not measured apart. A cycle has as many changes of the target either way.",
        size(n, n),
        listed(kernels),
    );
    let finding = CLAIM.judge(measured[4] > 1.1, text, why);
    let finding = finding.with_model(format!("{:.1} times", model[4]));
    let names = Timed::ALL.iter().map(|kernel| kernel.name());
    let categories = names.chain(["V(4,2)-cycle"]).map(String::from).collect();
    let picture = bars(&Bars {
        title: "Four nodes in a texel against one".into(),
        axis: Axis::linear("times as fast"),
        categories,
        groups: vec![
            Group::new("NV30, model", model.into_iter().map(Some)),
            Group::new("measured here", measured.into_iter().map(Some)),
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
