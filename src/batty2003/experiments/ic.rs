//! Preconditioned Conjugate Gradient Method: what incomplete Cholesky saves, and what it costs.

use crate::batty2003::pressure::host::{Extent, HostSolver, Preconditioner};
use crate::batty2003::pressure::{PressureError, PressureSolver, System};
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::solver::{Criteria, Outcome};
use crate::stream::Machine;
use crate::timing::rig::{agrees, samples};
use crate::timing::{Effort, TimingError, Work, median};

use super::dam;

const ITERATIONS: Claim = Claim {
    id: "batty2003/ic",
    class: Class::Tolerance,
    section: "Preconditioned Conjugate Gradient Method",
    statement: "With the diagonal preconditioner conjugate gradients need three times as many iterations \
                as with incomplete Cholesky, on average (2.2 to 3.5 counts).",
    paper: "3 times",
};
const COST: Claim = Claim {
    id: "batty2003/ic-cost",
    class: Class::Shape,
    section: "the table of results",
    statement: "An iteration with incomplete Cholesky beside one with the diagonal preconditioner, on \
                the CPU: three times as few took 16.5 s, where the others took 32.0 s.",
    paper: "1.55 times as long",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "batty2003/preconditioners",
    section: "Preconditioned Conjugate Gradient Method",
    title: "Incomplete Cholesky: its iterations, and what one costs",
    claims: &[ITERATIONS, COST],
    run,
};

/// 16.5 s / 32.0 s for a third of the iterations.
const PAPER_COST: f64 = 16.5 * 3.0 / 32.0;

/// Of the dam's systems every so manieth is solved, from the first on.
const EVERY: usize = 7;

/// Tolerances, relative to ‖b‖, and the one whose iterations are judged: the dam's.
const TOLERANCES: [f64; 3] = [1e-2, 1e-3, 1e-4];

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    // Whoever solves while the scene goes on does not matter: all start from zero here.
    let mut solver = HostSolver::<f32>::new(Preconditioner::Mic, Extent::Liquid);
    let (mut counts, mut last) = (Counts::default(), None);
    let mut step = 0;
    dam::steps(
        options.quick,
        dam::solves(options.quick),
        |system, pressure, criteria| {
            if step % EVERY == 0 {
                counts.add(system)?;
                last = Some(system.clone());
            }
            step += 1;
            solver.solve(system, pressure, criteria)
        },
    )?;
    let system = last.ok_or("no step was made")?;
    Ok(vec![counts.judge(), cost(machine, options, &system)?])
}

/// Iterations over all systems: for each tolerance with the diagonal, IC(0) and MIC(0).
#[derive(Default)]
struct Counts {
    systems: usize,
    iterations: [[usize; 3]; 3],
}

impl Counts {
    /// Solves a system in double precision, from zero, in three ways.
    fn add(&mut self, system: &System<f64>) -> Result<(), PressureError> {
        self.systems += 1;
        let kinds = [
            Preconditioner::Diagonal,
            Preconditioner::Ic,
            Preconditioner::Mic,
        ];
        for (kind, preconditioner) in kinds.into_iter().enumerate() {
            let mut solver = HostSolver::<f64>::new(preconditioner, Extent::Liquid);
            let mut pressure = vec![0.0; system.cells()];
            let outcome = solver.solve(system, &mut pressure, &dam::CRITERIA)?;
            for (sums, rtol) in self.iterations.iter_mut().zip(TOLERANCES) {
                sums[kind] += iterations_to(&outcome, rtol);
            }
        }
        Ok(())
    }

    fn judge(&self) -> Finding {
        let ratio = |[diagonal, ic, _]: [usize; 3]| diagonal as f64 / ic.max(1) as f64;
        let mean = |count: usize| count as f64 / self.systems.max(1) as f64;
        let lines = self
            .iterations
            .iter()
            .zip(TOLERANCES)
            .map(|(&counts, rtol)| {
                let [diagonal, ic, mic] = counts.map(mean);
                let ratio = ratio(counts);
                format!("at {rtol:.0e} {diagonal:.0}, {ic:.0} and {mic:.0} ({ratio:.2})")
            });
        let why = format!(
            "Mean iterations of {} systems of the dam from zero, in double precision, with the \
             diagonal, IC(0) and MIC(0): {}. Which variant the paper's was, is not printed.",
            self.systems,
            lines.collect::<Vec<_>>().join("; ")
        );
        let ratio = ratio(self.iterations[TOLERANCES.len() - 1]);
        ITERATIONS.judge(
            (2.2..=3.5).contains(&ratio),
            format!("{ratio:.2} times"),
            why,
        )
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
const SHORT_AND_LONG: [usize; 2] = [5, 25];

fn cost(machine: &Machine, options: &Options, system: &System<f64>) -> Result<Finding, BoxedError> {
    let effort = Effort::of(options.quick).of_long_runs(9);
    let [diagonal, ic, mic, diagonal_alone, ic_alone] = iteration_times(
        machine,
        effort,
        system,
        [
            (Preconditioner::Diagonal, Extent::Box),
            (Preconditioner::Ic, Extent::Box),
            (Preconditioner::Mic, Extent::Box),
            (Preconditioner::Diagonal, Extent::Liquid),
            (Preconditioner::Ic, Extent::Liquid),
        ],
    )?;
    let ratio = ic / diagonal;
    let why = format!(
        "In single precision on {} cores, whole box of {} cells: {:.2} ms to {:.2} ms (MIC(0) {:.2} ms). \
         On the {} cells of the liquid alone: {:.2} ms to {:.2} ms, {:.2} times. A triangular solve goes \
         cell by cell along a row, whereas all else is bound by memory.",
        rayon::current_num_threads(),
        system.cells(),
        1e3 * ic,
        1e3 * diagonal,
        1e3 * mic,
        system.unknowns(),
        1e3 * ic_alone,
        1e3 * diagonal_alone,
        ic_alone / diagonal_alone,
    );
    Ok(COST.judge(agrees(ratio, PAPER_COST), format!("{ratio:.2} times"), why))
}

/// Median seconds of an iteration of each kind of solver; all short and long solves run in turns.
fn iteration_times<const N: usize>(
    machine: &Machine,
    effort: Effort,
    system: &System<f64>,
    kinds: [(Preconditioner, Extent); N],
) -> Result<[f64; N], TimingError> {
    let both = kinds
        .iter()
        .flat_map(|&kind| SHORT_AND_LONG.map(|count| solve(system, kind, count)));
    let mut works: Vec<Work<'_>> = both.collect();
    let seconds = samples(machine, effort, &mut works)?
        .into_iter()
        .map(median);
    let seconds: Vec<f64> = seconds.collect();
    let count = (SHORT_AND_LONG[1] - SHORT_AND_LONG[0]) as f64;
    let mut pairs = seconds.chunks(2);
    Ok(std::array::from_fn(|_| match pairs.next() {
        Some(&[short, long]) => (long - short).max(0.0) / count,
        _ => 0.0,
    }))
}

/// So many iterations from zero.
fn solve<'a>(
    system: &'a System<f64>,
    (preconditioner, extent): (Preconditioner, Extent),
    iterations: usize,
) -> Work<'a> {
    let mut solver = HostSolver::<f32>::new(preconditioner, extent);
    let criteria = Criteria {
        rtol: 0.0,
        max_iterations: iterations,
        ..dam::CRITERIA
    };
    let mut pressure = vec![0.0; system.cells()];
    Box::new(move |_| {
        pressure.fill(0.0);
        let solved = solver.solve(system, &mut pressure, &criteria);
        solved
            .map(|_| ())
            .map_err(|error| TimingError::Case(error.into()))
    })
}
