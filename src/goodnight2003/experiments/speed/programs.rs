//! Figure 2, §4.2: lean programs for the inside.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::goodnight2003::speed::{Cost, cycles, eight_sweeps, plate, seconds};
use crate::goodnight2003::{Programs, Settings};
use crate::stream::Machine;

use super::curves::curves;
use crate::goodnight2003::experiments::{effort, sizes};

const FIG2: Claim = Claim {
    id: "goodnight2003/fig2",
    class: Class::Shape,
    section: "§4.2, Fig. 2",
    statement: "A program for all nodes that knows periodic sides is slow; one that does not is fast; \
                the lean one inside and the general one along the sides are almost as fast, and know \
                them.",
    paper: "slow > fastpath ≥ fast (curves)",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/programs",
    paper: "goodnight2003",
    section: "§4.2, Fig. 2",
    title: "General programs, and lean ones for the inside",
    claims: &[FIG2],
    run,
};

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let sizes = sizes(options.quick);
    let settings =
        [Programs::Original, Programs::Fastpath, Programs::Fast].map(|programs| Settings {
            programs,
            ..eight_sweeps()
        });
    let mut costs: Vec<[Cost; 3]> = Vec::new();
    for &n in sizes {
        let effort = effort(options.quick, n);
        costs.push(cycles(machine, &plate(n)?, settings.clone(), effort)?);
    }
    let largest = sizes.len() - 1;
    let gains = |costs: &[Cost; 3], of: fn(&Cost) -> f64| {
        let [slow, fastpath, fast] = costs.each_ref().map(of);
        [slow / fastpath, slow / fast]
    };
    let [at_first, _] = gains(&costs[0], |cost| cost.seconds);
    let [fastpath, fast] = gains(&costs[largest], |cost| cost.seconds);
    let [fastpath_in_model, fast_in_model] = gains(&costs[largest], |cost| cost.nv30_seconds);
    let measured = format!(
        "slow/fastpath {at_first:.1} at {}², {fastpath:.1} at {}², slow/fast {fast:.1}; in the model \
         {fastpath_in_model:.1} and {fast_in_model:.1}",
        sizes[0], sizes[largest],
    );
    let why = format!(
        "V-cycles with eight sweeps a level on a plate without periodic sides, which the fast programs \
         do not know. On {}² a fastpath cycle rasterises {} rectangles, a slow one {}. Both the fast \
         programs and the lean ones should gain over the slow ones, and about as much.",
        sizes[largest], costs[largest][1].rectangles, costs[largest][0].rectangles,
    );
    let agrees = fastpath.min(fast) > 1.2 && fast / fastpath < 1.5;
    let finding = match agrees {
        true => FIG2.reproduced(measured).because(why),
        false => FIG2.differs(measured, why),
    };
    let figure = curves(
        "Lean programs inside, general ones along the sides",
        "seconds for a V-cycle",
        ["slow", "fastpath", "fast"],
        sizes,
        &seconds(&costs),
    )?;
    Ok(vec![finding.with_figure(
        "goodnight2003/fig2.png",
        "Seconds for a V-cycle with programs for all nodes that know periodic sides (slow), that do \
         not (fast), and with both, each where it is needed (fastpath).",
        figure,
    )])
}
