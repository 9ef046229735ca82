//! Figure 4, §6: what changes of the rendering context cost.
//!
//! The paper stores the levels in four ways, each with fewer changes of the pbuffer that is rendered
//! to than the one before. A pbuffer of 2003 was a rendering context of its own; here a buffer is a
//! framebuffer object, or, where it is said, a context as well.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::goodnight2003::multigrid::storage::Storage;
use crate::goodnight2003::speed::cycles::cycles;
use crate::goodnight2003::speed::problems::flow;
use crate::goodnight2003::{Hazard, Programs, Settings, Strategy};
use crate::stream::{Buffer, Ledger, Machine, Size};
use crate::timing::{Cost, Effort, seconds_a_switch};

use super::chart::{Measured, curves};
use crate::goodnight2003::experiments::{effort, sizes};

const FIG4: Claim = Claim {
    id: "goodnight2003/fig4",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6, Fig. 4",
    statement: "With a pair of buffers for each level, lean programs gain almost nothing, for changes \
                of the rendering context take the time; two buffers in all are about three times as \
                fast; one buffer gains 8 to 10 % more.",
    paper: "optimised programs about 1, two buffers about 3, one buffer 1.08 to 1.10 times",
};

const MEMORY: Claim = Claim {
    id: "goodnight2003/fig4-memory",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "Fig. 4",
    statement: "At 1025² the two buffers run out of memory, the other ways to store the levels do not: \
                theirs should be the most bytes.",
    paper: "two buffers out of memory, the others not",
};

const FINISH: Claim = Claim {
    id: "goodnight2003/finish",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§6",
    statement: "To wait for all that was drawn (glFinish) before each pass that reads the surface it writes \
                ruins performance; a copy kernel that avoids such passes costs extra. Here: at least twice \
                as long with the one, longer with the other.",
    paper: "ruinous; extra cost",
};

/// How much longer a ruined cycle takes at least.
const RUINED: f64 = 2.0;
/// The grid that runs out of memory.
const LARGEST: u32 = 1025;

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/buffers",
    section: "§6, Fig. 4",
    title: "Changes of the rendering context: four ways to store the levels",
    claims: &[FIG4, MEMORY, FINISH],
    run,
};

/// The paper's names of the four.
const NAMES: [&str; 4] = ["very naive", "optimised", "two buffers", "one buffer"];

fn settings(buffer: Buffer) -> [Settings; 4] {
    let with = |storage, programs| Settings {
        storage,
        programs,
        // The first programs had no map of colours either.
        red_black_map: programs != Programs::Original,
        buffer,
        ..Settings::paper_2003()
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
    // Contexts take long to make.
    let sizes = match options.quick {
        true => options.given.grids(&[33, 65]),
        false => sizes(options),
    };
    let middle = sizes.len() / 2;
    for (k, &n) in sizes.iter().enumerate() {
        let (problem, effort) = (flow(n)?, effort(options.quick, n));
        let measure = |buffer| cycles(machine, &problem, settings(buffer), effort);
        with_contexts.push((n, measure(Buffer::Context)?));
        if k == middle || n < LARGEST {
            with_framebuffers.push((n, measure(Buffer::Framebuffer)?));
        }
    }
    let gains = |costs: &[Cost; 4]| {
        let [naive, lean, two, one] = costs.each_ref().map(|cost| cost.seconds);
        [naive / lean, lean / two, two / one]
    };
    // The paper's statement is on all sizes; the gains of the middle one stand for them.
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
    let (largest, at_last) = &with_contexts[with_contexts.len() - 1];
    let [largest_programs, largest_two, largest_one] = gains(at_last);
    let switch = seconds_a_switch(machine, effort(options.quick, *n))?;
    let why = format!(
        "V-cycles of the flow problem with eight sweeps a level. Changes of the surface a cycle: {:?}. \
         A change of the target, measured alone, takes {:.0} µs here, all of them {:.0} % of the optimised \
         cycle; in two buffers most changes are barriers instead, before passes that read what they write. \
         At {largest}² and with a context a buffer the gains are \
         {largest_programs:.2}, {largest_two:.2}, {largest_one:.2}.",
        count(|ledger| ledger.target_switches),
        1e6 * switch,
        100.0 * switch * costs[1].ledger.target_switches as f64 / costs[1].seconds,
    );
    let falls = counts.windows(2).all(|pair| pair[0] >= pair[1]) && counts[3] <= 1;
    let agrees = programs < 1.5 && (1.5..6.0).contains(&two) && one >= 1.0;
    let finding = FIG4.judge(falls && agrees, measured, why);
    let picture = |title, costs: &Measured<4>| curves(title, "seconds for a V-cycle", NAMES, costs);
    let finding = finding
        .with_figure(
            "goodnight2003/fig4.png",
            "Seconds for a V-cycle, the levels stored in four ways, a rendering context a buffer.",
            picture("A rendering context for each buffer", &with_contexts)?,
        )
        .with_figure(
            "goodnight2003/fig4-framebuffers.png",
            "The same with framebuffer objects, which share one context, on all but the largest grid.",
            picture("Framebuffer objects of one context", &with_framebuffers)?,
        );
    let finish = finish(machine, *n, effort(options.quick, *n))?;
    Ok(vec![finding, memory(machine)?, finish])
}

/// The bytes of the paper's three ways to store the levels of the largest grid.
fn memory(machine: &Machine) -> Result<Finding, BoxedError> {
    let grid = flow(LARGEST)?.grid;
    let sizes: Vec<_> = (0..grid.levels()).map(|level| grid.size(level)).collect();
    let megabytes = |storage| -> Result<f64, BoxedError> {
        let paper = Settings {
            storage,
            ..Settings::paper_2003()
        };
        let limit = paper.surface_limit.unwrap_or(u32::MAX);
        let storage = Storage::new(machine, &paper, &sizes, limit)?;
        let texels = |(width, height): Size| f64::from(width) * f64::from(height);
        let texels: f64 = storage.surfaces().iter().map(|s| texels(s.size())).sum();
        Ok(1e-6 * texels * paper.precision.bytes() as f64)
    };
    let [separate, two, one] = Strategy::ALL.map(megabytes);
    let (separate, two, one) = (separate?, two?, one?);
    let measured =
        format!("separate {separate:.0} MB, two {two:.0} MB, one {one:.0} MB at {LARGEST}²");
    let why = "Bytes of the surfaces as Fig. 5 packs them, maps not counted, which are the same for all. The \
               paper's board had 256 MB. Why two buffers took too much is not isolated: what a driver of 2003 \
               kept for a buffer is not known.";
    Ok(MEMORY.judge(two > separate.max(one), measured, why))
}

/// A cycle with each way to avoid that a pass reads what the one before may still write.
fn finish(machine: &Machine, n: u32, effort: Effort) -> Result<Finding, BoxedError> {
    let hazards = [Hazard::Barrier, Hazard::Finish, Hazard::Copy];
    let settings = hazards.map(|hazard| Settings {
        hazard,
        ..Settings::paper_2003()
    });
    let costs = cycles(machine, &flow(n)?, settings, effort)?;
    let [barrier, finish, copy] = costs.each_ref().map(|cost| cost.seconds);
    let passes = costs[0].ledger.total().feedback;
    let measured = format!(
        "{n}²: with glFinish {:.2} times as long, with copies {:.2} times",
        finish / barrier,
        copy / barrier
    );
    let why = format!(
        "Beside barriers alone, {:.2} ms a cycle, of whose {} passes {passes} read the surface that they \
         write. Waiting takes {:.0} µs {} for each of them than the barrier that stays.",
        1e3 * barrier,
        costs[0].ledger.total().passes,
        1e6 * (finish - barrier).abs() / passes.max(1) as f64,
        if finish < barrier { "less" } else { "more" },
    );
    let holds = finish / barrier >= RUINED && copy > barrier;
    Ok(FINISH.judge(holds, measured, why))
}
