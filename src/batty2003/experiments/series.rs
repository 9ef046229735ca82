//! A run of the dam, in which all take part who need its systems: each is made once, and some of them are
//! solved by all. The others only lead from one of these to the next, which MIC(0) on the CPU does in less
//! time, to the same tolerance.

use std::time::Instant;

use crate::batty2003::pressure::gpu::Guess;
use crate::batty2003::pressure::host::{Extent, Preconditioner, host_solver};
use crate::batty2003::pressure::{GpuSolver, PressureSolver, Settings, System};
use crate::batty2003::speed::cpu_product;
use crate::claim::{BoxedError, Experiment, Finding, Options, worst};
use crate::solver::Criteria;
use crate::stream::Machine;
use crate::timing::{Effort, medians};

use super::dam;
use super::ic::Iterations;
use super::solves::Solves;
use super::switches::guesses;
use super::timed::Timed;
use super::{ic, liquid, solves, switches};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "batty2003/solves",
    section: "Fig. 2 and the tables",
    title: "A dam breaks: what its solves consist of, their times, their iterations, and a picture",
    claims: &[
        solves::CLAIMS[0],
        solves::CLAIMS[1],
        solves::CLAIMS[2],
        solves::CLAIMS[3],
        solves::CLAIMS[4],
        ic::ITERATIONS,
        switches::C4,
        liquid::LIQUID,
    ],
    run,
};

/// Whether a step's system, from 1 on, is solved by all: that in the middle of 17, or of four in quick
/// mode, which makes three of 51, or two of eight. A solve of 100³ cells takes llvmpipe seconds, and here
/// are four of each.
const fn is_for_all(step: usize, quick: bool) -> bool {
    let every = if quick { 4 } else { 17 };
    step % every == every / 2
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let quick = options.quick;
    let paper = Settings::paper_2003();
    let size = [dam::side(quick); 3];
    let timed = |settings, criteria| Timed::new(machine, size, settings, criteria);
    let waited_for = Settings {
        finish: true,
        ..paper
    };
    let from_b = Settings {
        guess: Guess::RightSide,
        ..paper
    };
    let mut all = timed(paper, dam::AS_OFTEN)?;
    let mut waited_for = timed(waited_for, dam::AS_OFTEN)?;
    let (mut warm, mut from_b) = (timed(paper, dam::CRITERIA)?, timed(from_b, dam::CRITERIA)?);
    // In single precision and over the whole box, as on the card.
    let kinds = [Preconditioner::Diagonal, Preconditioner::Ic];
    let mut between = host_solver::<f64>(Preconditioner::Mic, Extent::Liquid);
    let mut cpu = kinds.map(|kind| host_solver::<f32>(kind, Extent::Box));
    let mut seconds = [0.0; 2];
    let mut iterations = Iterations::default();
    // What the paper's recursion leaves of b, and what corrects it, as in `fragstream liquid`.
    let mut alone = 0.0_f64;
    let mut corrected = GpuSolver::new(machine, size, paper)?;
    let mut step = 0;
    let mut solve = |system: &System<f64>, pressure: &mut Vec<f64>, criteria: &Criteria| {
        step += 1;
        if !is_for_all(step, quick) {
            return between.solve(system, pressure, criteria);
        }
        for (solver, seconds) in cpu.iter_mut().zip(&mut seconds) {
            let mut pressure = pressure.clone();
            let start = Instant::now();
            solver.solve(system, &mut pressure, criteria)?;
            *seconds += start.elapsed().as_secs_f64();
        }
        for solver in [&mut waited_for, &mut warm, &mut from_b] {
            solver.solve(system, pressure)?;
        }
        iterations.add(system)?;
        let (_, found) = all.solve(system, pressure)?;
        *pressure = found;
        let nothing = vec![0.0; pressure.len()];
        let left = system.residual_norm(pressure) / system.residual_norm(&nothing);
        alone = worst([alone, left]);
        corrected.solve(system, pressure, &dam::AS_OFTEN)
    };
    let (liquid, steps) = dam::run(quick, &mut solve)?;
    let [cpu_product] = medians(machine, Effort::QUICK, [cpu_product(liquid.system())])?;
    let guesses = guesses([&from_b, &warm]);
    let solves = Solves {
        quick,
        all,
        waited_for,
        always: warm,
        seconds,
        cpu_product,
    };
    let mut findings = solves.judge()?;
    findings.extend([
        iterations.judge(),
        guesses,
        liquid::judge(machine, (&liquid, &steps), alone, quick)?,
    ]);
    Ok(findings)
}
