//! §3.3: what a step of geometric flow takes, and what changes of the target do to it.

use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bolz2003::sparse::speed;
use crate::claim::bundled;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::stream::Machine;
use crate::timing::{Effort, Iteration, seconds_a_switch};

const STEP: Claim = Claim {
    id: "bolz2003/smoothing-step",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§3.3",
    statement: "A step of geometric flow with five iterations of conjugate gradients, its entries computed, \
                takes less than 1/20 s, where 110 iterations are done in a second.",
    paper: "less than 0.05 s: 5.5 iterations",
};
const SWITCHES: Claim = Claim {
    id: "bolz2003/switches",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§3.3",
    statement: "Changes of the target limit performance severely, which is why they are taken off.",
    paper: "about 200 changes/s, 110 iterations/s without them",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/flow-speed",
    section: "§3.3",
    title: "A step of geometric flow, and its changes of the target",
    claims: &[STEP, SWITCHES],
    run,
};

/// Iterations of a step.
const ITERATIONS: usize = 5;
/// A step in the paper, in seconds and in iterations, and its iterations and changes in a second.
const PAPER_STEP: f64 = 1.0 / 20.0;
const PAPER_ITERATIONS: f64 = 110.0;
const PAPER_CHANGES: f64 = 200.0;
/// What limits severely takes at least so much of the time.
const SEVERE: f64 = 0.5;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let scan = input::scan()?;
    let packing = PackingOptions::default();
    let change = seconds_a_switch(machine, Effort::of(options.quick))?;
    let iterations = if options.quick { 20 } else { 100 };
    let iteration = speed::iteration(machine, &scan, &packing, false, iterations)?;
    let step = speed::step(machine, &scan, &packing, ITERATIONS)?;
    Ok(vec![
        judge_step(&step, &iteration, change),
        judge_switches(&iteration, change),
    ])
}

fn judge_step(step: &Iteration, iteration: &Iteration, change: f64) -> Finding {
    let seconds = step.iterations as f64 * step.net(change);
    let in_iterations = seconds / iteration.net(change);
    let text = format!("{seconds:.3} s: {in_iterations:.1} iterations");
    let passes = |timed: &Iteration| timed.ledger.total().passes as f64;
    let own = passes(step) - step.iterations as f64 * iteration.each(passes(iteration) as u64);
    let why = format!(
        "On the scan, changes of the target taken off. A step of {} iterations may take no longer than the \
         paper's in seconds, and in iterations. What is not an iteration, {own:.0} of {:.0} passes, computes the \
         entries of the matrix, the right side, the first residual and the norms: as long as {:.1} iterations. Why \
         they take that long is not isolated.",
        step.iterations,
        passes(step),
        in_iterations - step.iterations as f64,
    );
    let bound = PAPER_STEP * PAPER_ITERATIONS;
    let finding = STEP.judge(seconds < PAPER_STEP && in_iterations <= bound, text, why);
    let in_model = step.iterations as f64 * step.nv30_seconds();
    finding.with_model(format!("{in_model:.3} s"))
}

fn judge_switches(iteration: &Iteration, change: f64) -> Finding {
    let changes = iteration.each(iteration.ledger.target_switches);
    let share = |changes: f64, rest: f64| changes / (changes + rest);
    let here = share(changes * change, iteration.net(change));
    let paper = share(changes / PAPER_CHANGES, 1.0 / PAPER_ITERATIONS);
    let percent = |share: f64| 100.0 * share;
    let text = format!(
        "{:.0} changes/s; of an iteration {:.0} %",
        1.0 / change,
        percent(here)
    );
    let why = format!(
        "An iteration changes the target {changes:.0} times. At the paper's rates that would be {:.0} % of its \
         time. Severe is taken to mean at least half of the time here too. Isolated is what a change costs: \
         {:.0} µs here, {:.0} µs at the paper's rate.",
        percent(paper),
        1e6 * change,
        1e6 / PAPER_CHANGES,
    );
    SWITCHES.judge(here >= SEVERE, text, why)
}
