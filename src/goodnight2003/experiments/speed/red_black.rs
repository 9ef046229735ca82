//! Figure 6: the red-black map, stored or computed.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::goodnight2003::Settings;
use crate::goodnight2003::speed::{Cost, cycles, eight_sweeps, flow, seconds};
use crate::stream::Machine;

use super::curves::curves;
use crate::goodnight2003::experiments::{effort, sizes};

const FIG6: Claim = Claim {
    id: "goodnight2003/fig6",
    class: Class::Shape,
    section: "§6, Fig. 6",
    statement: "To look up which nodes are red is faster than to compute it in every fragment, though \
                memory is what the solver waits for.",
    paper: "about 30 %",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/red-black",
    paper: "goodnight2003",
    section: "§6, Fig. 6",
    title: "The red-black map, stored or computed",
    claims: &[FIG6],
    run,
};

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let sizes = sizes(options.quick);
    let settings = [true, false].map(|red_black_map| Settings {
        red_black_map,
        ..eight_sweeps()
    });
    let mut costs: Vec<[Cost; 2]> = Vec::new();
    for &n in sizes {
        let effort = effort(options.quick, n);
        costs.push(cycles(machine, &flow(n)?, settings.clone(), effort)?);
    }
    let gain = |costs: &[Cost; 2]| costs[1].seconds / costs[0].seconds - 1.0;
    let [stored, computed] = costs[sizes.len() - 1];
    let measured = format!(
        "{:.0} % at {}², {:.0} % in the model",
        100.0 * gain(&[stored, computed]),
        sizes[sizes.len() - 1],
        100.0 * (computed.nv30_seconds / stored.nv30_seconds - 1.0),
    );
    let why = "The map costs a fetch of 16 bytes a fragment, the computation some arithmetic: which is \
               cheaper depends on what a machine waits for. The model of the GeForce FX takes the \
               longer of the two, its bytes not cached.";
    let finding = match (0.15..=0.6).contains(&gain(&[stored, computed])) {
        true => FIG6.reproduced(measured).because(why),
        false => FIG6.differs(measured, why),
    };
    let figure = curves(
        "Which nodes are red: looked up, or computed",
        "seconds for a V-cycle",
        ["stored", "computed"],
        sizes,
        &seconds(&costs),
    )?;
    Ok(vec![finding.with_figure(
        "goodnight2003/fig6.png",
        "Seconds for a V-cycle, with the stored red-black map and with its computation.",
        figure,
    )])
}
