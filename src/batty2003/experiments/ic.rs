//! Preconditioned Conjugate Gradient Method: what incomplete Cholesky saves, and what it costs.

use crate::batty2003::LiquidError;
use crate::batty2003::pressure::host::{Extent, Preconditioner, host_solver};
use crate::batty2003::pressure::{PressureSolver, System};
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::solver::{Criteria, Outcome};
use crate::stream::Machine;
use crate::timing::rig::{Work, agrees, samples, work};
use crate::timing::{Effort, median};

use super::dam;

/// Judged in the run of the dam.
pub const ITERATIONS: Claim = Claim {
    id: "batty2003/ic",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
    section: "Preconditioned Conjugate Gradient Method",
    statement: "With the diagonal preconditioner conjugate gradients need three times as many iterations \
                as with incomplete Cholesky, on average (2.2 to 3.5 counts).",
    paper: "3 times",
};
const COST: Claim = Claim {
    id: "batty2003/ic-cost",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "the table of results",
    statement: "An iteration with incomplete Cholesky beside one with the diagonal preconditioner, on \
                the CPU: three times as few took 16.5 s, where the others took 32.0 s.",
    paper: "1.55 times as long",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "batty2003/preconditioners",
    section: "Preconditioned Conjugate Gradient Method",
    title: "What an iteration with incomplete Cholesky costs",
    claims: &[COST],
    run,
};

/// 16.5 s / 32.0 s for a third of the iterations.
const PAPER_COST: f64 = 16.5 * 3.0 / 32.0;

/// Tolerances, relative to ‖b‖, and the one whose iterations are judged: the dam's.
const TOLERANCES: [f64; 3] = [1e-2, 1e-3, 1e-4];

const KINDS: [Preconditioner; 3] = [
    Preconditioner::Diagonal,
    Preconditioner::Ic,
    Preconditioner::Mic,
];

/// Iterations over some systems: for each tolerance with the diagonal, IC(0) and MIC(0).
#[derive(Default)]
pub struct Iterations {
    systems: usize,
    sums: [[usize; 3]; 3],
}

impl Iterations {
    /// Solves a system in double precision, from zero, in three ways.
    pub fn add(&mut self, system: &System<f64>) -> Result<(), LiquidError> {
        self.systems += 1;
        for (kind, preconditioner) in KINDS.into_iter().enumerate() {
            let mut solver = host_solver::<f64>(preconditioner, Extent::Liquid);
            let mut pressure = vec![0.0; system.cells()];
            let outcome = solver.solve(system, &mut pressure, &dam::CRITERIA)?;
            for (sums, rtol) in self.sums.iter_mut().zip(TOLERANCES) {
                sums[kind] += iterations_to(&outcome, rtol);
            }
        }
        Ok(())
    }

    /// What comes of it.
    pub fn judge(&self) -> Finding {
        let ratio = |[diagonal, ic, _]: [usize; 3]| diagonal as f64 / ic.max(1) as f64;
        let lines = self.sums.iter().zip(TOLERANCES).map(|(&sums, rtol)| {
            let [diagonal, ic, mic] = sums.map(|sum| sum as f64 / self.systems.max(1) as f64);
            let ratio = ratio(sums);
            format!("at {rtol:.0e} {diagonal:.0}, {ic:.0} and {mic:.0} ({ratio:.2})")
        });
        let why = format!(
            "Mean iterations of {} systems of the dam from zero, in double precision, with the \
             diagonal, IC(0) and MIC(0): {}. Which variant the paper's was, is not printed.",
            self.systems,
            lines.collect::<Vec<_>>().join("; ")
        );
        let ratio = ratio(self.sums[TOLERANCES.len() - 1]);
        let measured = format!("{ratio:.2} times");
        ITERATIONS.judge((2.2..=3.5).contains(&ratio), measured, why)
    }
}

/// The iterations after which the residual was a share of the first, which from zero is ‖b‖.
fn iterations_to(outcome: &Outcome, share: f64) -> usize {
    let target = outcome.history.first().map_or(0.0, |first| share * first);
    let reached = outcome.history.iter().position(|&norm| norm <= target);
    reached.unwrap_or(outcome.iterations)
}

/// Iterations of a short and of a long solve: their difference is what is timed, so that setting up
/// cancels.
const SHORT_AND_LONG: [usize; 2] = [2, 14];

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let side = options.given.grid.unwrap_or(dam::side(options.quick));
    let system = dam::first_system(side)?;
    let both = [Extent::Box, Extent::Liquid];
    let kinds = both
        .iter()
        .flat_map(|&extent| KINDS.map(|kind| (kind, extent)));
    let mut works: Vec<Work<'_>> = kinds
        .flat_map(|kind| SHORT_AND_LONG.map(|count| solve(&system, kind, count)))
        .collect();
    let effort = Effort::of(options.quick).of_long_runs(7);
    let medians = samples(machine, effort, &mut works)?
        .into_iter()
        .map(median);
    let medians: Vec<f64> = medians.collect();
    let count = (SHORT_AND_LONG[1] - SHORT_AND_LONG[0]) as f64;
    let iterations = medians
        .chunks(2)
        .map(|pair| 1e3 * (pair[1] - pair[0]) / count);
    let ms: Vec<f64> = iterations.collect();
    let ratio = ms[1] / ms[0];
    let why = format!(
        "In single precision on {} cores, whole box of {} cells: {:.2} ms to {:.2} ms (MIC(0) {:.2} ms). \
         On the {} cells of the liquid alone: {:.2} ms to {:.2} ms, {:.2} times. A triangular solve \
         needs each cell before the next one of its row; how much of its time that is was not isolated.",
        rayon::current_num_threads(),
        system.cells(),
        ms[1],
        ms[0],
        ms[2],
        system.unknowns(),
        ms[4],
        ms[3],
        ms[4] / ms[3],
    );
    let measured = format!("{ratio:.2} times");
    Ok(vec![COST.judge(agrees(ratio, PAPER_COST), measured, why)])
}

/// So many iterations from zero.
fn solve<'a>(
    system: &'a System<f64>,
    (preconditioner, extent): (Preconditioner, Extent),
    iterations: usize,
) -> Work<'a> {
    let mut solver = host_solver::<f32>(preconditioner, extent);
    let criteria = Criteria::exactly(iterations);
    let mut pressure = vec![0.0; system.cells()];
    work(move |_| {
        pressure.fill(0.0);
        let solved = solver.solve(system, &mut pressure, &criteria);
        solved.map(drop)
    })
}
