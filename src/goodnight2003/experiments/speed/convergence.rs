//! Figure 7: how convergence is tested.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::goodnight2003::speed::{Tested, cycles_with_test, eight_sweeps, flow};
use crate::stream::Machine;

use super::curves::curves;
use crate::goodnight2003::experiments::{effort, sizes};

const FIG7: Claim = Claim {
    id: "goodnight2003/fig7",
    class: Class::Shape,
    section: "§4.1.3, §6, Fig. 7",
    statement: "An occlusion query that counts the nodes with too large a residual is about five times \
                as fast, on large grids, as reading all residuals back to look at them.",
    paper: "about 5 times on large grids",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/convergence",
    paper: "goodnight2003",
    section: "§4.1.3, §6, Fig. 7",
    title: "Tests of convergence: query, read-back, reduction",
    claims: &[FIG7],
    run,
};

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let sizes = sizes(options.quick);
    let settings = eight_sweeps();
    let mut times: Vec<Tested> = Vec::new();
    for &n in sizes {
        let effort = effort(options.quick, n);
        times.push(cycles_with_test(machine, &flow(n)?, &settings, effort)?);
    }
    let Tested {
        cycle,
        query,
        read_back,
        reduction,
    } = times[times.len() - 1];
    let whole = (cycle + read_back) / (cycle + query);
    let test = read_back / query;
    let measured = format!(
        "at {}² the test alone {test:.1} times, with its cycle {whole:.2} times",
        sizes[sizes.len() - 1],
    );
    let why = format!(
        "A cycle takes {:.1} ms, the query {:.1} ms, the read-back {:.1} ms, the L2 norm by reduction \
         {:.1} ms. Read-back crossed a bus in 2003; on {} it is a copy in main memory.",
        1e3 * cycle,
        1e3 * query,
        1e3 * read_back,
        1e3 * reduction,
        machine.context().description().renderer,
    );
    let finding = match (2.5..=10.0).contains(&whole) {
        true => FIG7.reproduced(measured).because(why),
        false => FIG7.differs(measured, why),
    };
    let seconds: Vec<_> = times
        .iter()
        .map(|t| [t.query, t.read_back, t.reduction, t.cycle])
        .collect();
    let figure = curves(
        "A test of convergence",
        "seconds",
        ["query", "read-back", "L2 by reduction", "a cycle"],
        sizes,
        &seconds,
    )?;
    Ok(vec![finding.with_figure(
        "goodnight2003/fig7.png",
        "Seconds for a test of convergence in three ways, beside those of a V-cycle.",
        figure,
    )])
}
