//! Figure 3: the GPU beside the CPU.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::goodnight2003::speed::{cycles_beside_cpu, eight_sweeps, flow};
use crate::stream::Machine;

use super::curves::curves;
use crate::goodnight2003::experiments::{effort, sizes};

const FIG3: Claim = Claim {
    id: "goodnight2003/fig3",
    class: Class::Shape,
    section: "§5.3, Fig. 3",
    statement: "On small grids a V-cycle with all levels and eight sweeps on each takes the CPU less \
                time, on large ones the GPU.",
    paper: "the GPU is faster on large grids",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "goodnight2003/processors",
    paper: "goodnight2003",
    section: "§5.3, Fig. 3",
    title: "V-cycles on the GPU and on the CPU",
    claims: &[FIG3],
    run,
};

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let sizes = sizes(options.quick);
    let settings = eight_sweeps();
    let mut seconds: Vec<[f64; 3]> = Vec::new();
    for &n in sizes {
        let effort = effort(options.quick, n);
        seconds.push(cycles_beside_cpu(machine, &flow(n)?, &settings, effort)?);
    }
    // Beside one core, as in the paper.
    let gains = seconds.iter().map(|[gpu, one, _]| one / gpu);
    let gains: Vec<f64> = gains.collect();
    let crossing = sizes.iter().zip(&gains).find(|(_, gain)| **gain > 1.0);
    let (first, last) = (gains[0], gains[gains.len() - 1]);
    let [gpu, one, all] = seconds[seconds.len() - 1];
    let measured = format!(
        "{first:.3} times as fast as one core at {}², {last:.3} at {}²; {}",
        sizes[0],
        sizes[sizes.len() - 1],
        match crossing {
            Some((n, _)) => format!("faster from {n}² on"),
            None => "never faster".into(),
        }
    );
    let why = format!(
        "The GPU is {}; the program for the CPU has the same arithmetic in single precision. On the \
         largest grid a cycle takes {:.1} ms here, {:.1} ms on one core, {:.1} ms on all.",
        machine.context().description().renderer,
        1e3 * gpu,
        1e3 * one,
        1e3 * all,
    );
    let finding = match last > 1.0 && last > first {
        true => FIG3.reproduced(measured).because(why),
        false => FIG3.differs(measured, why),
    };
    let figure = curves(
        "V-cycles on the GPU and on the CPU",
        "seconds for a V-cycle",
        ["here", "CPU, one core", "CPU, all cores"],
        sizes,
        &seconds,
    )?;
    Ok(vec![finding.with_figure(
        "goodnight2003/fig3.png",
        "Seconds for a V-cycle of the flow problem, eight sweeps on each of all levels.",
        figure,
    )])
}
