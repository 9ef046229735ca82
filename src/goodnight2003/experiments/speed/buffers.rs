//! Figure 4, §6: what changes of the rendering context cost.
//!
//! The paper stores the levels in four ways, each with fewer changes of the pbuffer that is rendered
//! to than the one before. A pbuffer of 2003 was a rendering context of its own; here a buffer is a
//! framebuffer object, or, where it is said, a context as well.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::goodnight2003::speed::cycles::cycles;
use crate::goodnight2003::speed::problems::{eight_sweeps, flow};
use crate::goodnight2003::{Hazard, Programs, Settings, Strategy};
use crate::stream::{Buffer, Ledger, Machine};
use crate::timing::Cost;

use super::chart::{Measured, curves};
use crate::goodnight2003::experiments::{effort, sizes};

const FIG4: Claim = Claim {
    id: "goodnight2003/fig4",
    class: Class::Shape,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§6, Fig. 4",
    statement: "With a pair of buffers for each level, lean programs gain almost nothing, for changes \
                of the rendering context take the time; two buffers in all are about three times as \
                fast; one buffer gains 8 to 10 % more.",
    paper: "optimised programs about 1, two buffers about 3, one buffer 1.08 to 1.10 times",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/buffers",
    section: "§6, Fig. 4",
    title: "Changes of the rendering context: four ways to store the levels",
    claims: &[FIG4],
    run,
};

/// The paper's names of the four.
const NAMES: [&str; 4] = ["very naive", "optimised", "two buffers", "one buffer"];

fn settings(buffer: Buffer) -> [Settings; 4] {
    let with = |storage, programs| Settings {
        // What all four can do.
        hazard: Hazard::Barrier,
        storage,
        programs,
        buffer,
        ..eight_sweeps()
    };
    [
        with(Strategy::Separate, Programs::Original),
        with(Strategy::Separate, Programs::Fastpath),
        with(Strategy::Two, Programs::Fastpath),
        with(Strategy::One, Programs::Fastpath),
    ]
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let (mut with_framebuffers, mut with_contexts) = (Vec::new(), Vec::new());
    for &n in sizes(options.quick) {
        let (problem, effort) = (flow(n)?, effort(options.quick, n));
        let measure = |buffer| cycles(machine, &problem, settings(buffer), effort);
        with_framebuffers.push((n, measure(Buffer::Framebuffer)?));
        with_contexts.push((n, measure(Buffer::Context)?));
    }
    let gains = |costs: &[Cost; 4]| {
        let [naive, lean, two, one] = costs.each_ref().map(|cost| cost.seconds);
        [naive / lean, lean / two, two / one]
    };
    // The paper's statement is on all sizes; the gains of the middle one stand for them.
    let middle = with_framebuffers.len() / 2;
    let (n, costs) = &with_framebuffers[middle];
    let [programs, two, one] = gains(&with_contexts[middle].1);
    let [fbo_programs, fbo_two, fbo_one] = gains(costs);
    let count = |of: fn(&Ledger) -> u64| costs.each_ref().map(|cost| of(&cost.ledger));
    let counts = count(|ledger| ledger.buffer_switches);
    let measured = format!(
        "{n}²: programs {programs:.2}, two buffers {two:.2}, one buffer {one:.2} times with a context \
         a buffer; {fbo_programs:.2}, {fbo_two:.2}, {fbo_one:.2} with framebuffer objects; changes of \
         the buffer a cycle {counts:?}"
    );
    let (largest, costs) = &with_contexts[with_contexts.len() - 1];
    let [largest_programs, largest_two, largest_one] = gains(costs);
    let why = format!(
        "V-cycles of the flow problem with eight sweeps a level. Changes of the surface a cycle: {:?}. \
         Here a change of the surface and a barrier before a pass that reads what it writes cost as \
         much as a change of the buffer, so packing gains little; in two buffers most changes are \
         such barriers instead. At {largest}² and with a context a buffer the gains are \
         {largest_programs:.2}, {largest_two:.2}, {largest_one:.2}.",
        count(|ledger| ledger.target_switches),
    );
    let falls = counts.windows(2).all(|pair| pair[0] >= pair[1]) && counts[3] <= 1;
    let agrees = programs < 1.5 && (1.5..6.0).contains(&two) && one >= 1.0;
    let finding = FIG4.judge(falls && agrees, measured, why);
    let picture = |title, costs: &Measured<4>| curves(title, "seconds for a V-cycle", NAMES, costs);
    Ok(vec![finding
        .with_figure(
            "goodnight2003/fig4.png",
            "Seconds for a V-cycle, the levels stored in four ways, a rendering context a buffer.",
            picture("A rendering context for each buffer", &with_contexts)?,
        )
        .with_figure(
            "goodnight2003/fig4-framebuffers.png",
            "The same with framebuffer objects, which share one context.",
            picture("Framebuffer objects of one context", &with_framebuffers)?,
        )])
}
