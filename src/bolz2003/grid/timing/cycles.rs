//! Speed of the solver of section 4: whole cycles with their ledgers, the cost of the
//! border, and a solve (section 4.3). Single kernels are in [`super::kernels`].

use web_time::Instant;

use crate::solver::{Criteria, Cycle, Multigrid, Outcome, Start, multigrid};
use crate::stream::{Machine, StreamError};
use crate::timing::cost::{all, costs};
use crate::timing::rig::work;
use crate::timing::{Cost, Effort, TimingError, Work, median};

use super::problem::{Problem, random};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::layering::BorderSync;

/// Largest number of rounds in which cycles are timed.
const ROUNDS: usize = 9;

/// A V-cycle of this shape with b = 0, continuing from the previous one.
pub fn cycle(gpu: &GridHierarchy, shape: Cycle) -> Result<Work<'_>, StreamError> {
    let mut multigrid = Multigrid::new(gpu, shape)?;
    let (b, mut u) = (gpu.grid().zeros("b")?, random(gpu)?);
    Ok(work(move |_| multigrid.cycle(Start::Given, &b, &mut u)))
}

/// Times V-cycles of this shape on all problems alternately.
pub fn cycles<const N: usize>(
    machine: &Machine,
    problems: [Problem; N],
    shape: Cycle,
    effort: Effort,
) -> Result<[Cost; N], TimingError> {
    let hierarchies = all(problems.map(|problem| problem.hierarchy(machine)))?;
    let works = hierarchies.each_ref().map(|gpu| cycle(gpu, shape));
    costs(machine, effort.of_long_runs(ROUNDS), all(works)?)
}

/// The border's share of a V-cycle's time, that is, of everything that a grid without a border would do
/// without: with duplicates computed by the kernels, and with duplicates copied after every kernel.
pub fn border_share(
    machine: &Machine,
    n: usize,
    shape: Cycle,
    effort: Effort,
) -> Result<[f64; 2], TimingError> {
    let borders = [BorderSync::Fused, BorderSync::Copy, BorderSync::Omitted];
    let problems = borders.map(|sync| {
        Problem::stored(n).with(HierarchyOptions {
            sync,
            ..HierarchyOptions::default()
        })
    });
    let [fused, copied, none] = cycles(machine, problems, shape, effort)?.map(|cost| cost.seconds);
    Ok([fused, copied].map(|seconds| 1.0 - none / seconds))
}

/// A solve of −∇²u = 0 from a random start.
pub struct Solve {
    /// Cycles and residuals.
    pub outcome: Outcome,
    /// Median seconds of the cycles, including the norm of the residual after each.
    pub seconds: f64,
    /// Seconds for the stencils and streams; the programs are compiled before.
    pub set_up: f64,
}

/// Solves to a relative residual several times.
pub fn solve(
    machine: &Machine,
    problem: &Problem,
    shape: Cycle,
    rtol: f64,
    rounds: usize,
) -> Result<Solve, TimingError> {
    let criteria = Criteria {
        rtol,
        ..multigrid::default_criteria()
    };
    let once = || -> Result<_, TimingError> {
        let start = Instant::now();
        let gpu = problem.hierarchy(machine)?;
        let mut multigrid = Multigrid::new(&gpu, shape)?;
        machine.finish();
        let set_up = start.elapsed().as_secs_f64();
        let (b, mut u) = (gpu.grid().zeros("b")?, random(&gpu)?);
        machine.finish();
        let start = Instant::now();
        let outcome = multigrid.solve(&b, &mut u, &criteria, |_, _| ())?;
        machine.finish();
        Ok((outcome, start.elapsed().as_secs_f64(), set_up))
    };
    // The first round compiles the programs.
    let (mut outcome, ..) = once()?;
    let (mut seconds, mut set_ups) = (Vec::new(), Vec::new());
    for _ in 0..rounds.max(1) {
        let (last, of_cycles, set_up) = once()?;
        outcome = last;
        seconds.push(of_cycles);
        set_ups.push(set_up);
    }
    Ok(Solve {
        outcome,
        seconds: median(seconds),
        set_up: median(set_ups),
    })
}
