//! Corrections of u in double precision, by cycles in single precision. The residual between two of them is computed on the
//! CPU, or on the GPU in pairs of floats; what counts as converged is always decided on the CPU.

use crate::bolz2003::Error;
use crate::bolz2003::grid::hierarchy::GridHierarchy;
use crate::bolz2003::grid::pair_residual::PairResidual;
use crate::solver::refinement::{Correction, Defect, add, refine, scale_of};
use crate::solver::steps::largest;
use crate::solver::{Criteria, Hierarchy, Multigrid, Outcome, Reason, Start, Steps};
use crate::stream::{Machine, Stream, StreamError};

use super::{Options, PoissonSolver, norm};

/// Share of the goal at which the last cycles aim: just missing the goal would take another correction.
const LAST: f64 = 0.5;

/// Tests whether residuals between corrections are computed on the GPU: not by a software renderer, whose passes in pairs of
/// floats take the same cores as long as the loop in double precision does (llvmpipe on 257² and 1025²: 0.98 to 1.07 of a
/// solve's time).
pub(super) fn is_faster_on_gpu(machine: &Machine) -> bool {
    machine.keeps_errors() && !machine.description().software
}

/// The cycles of all corrections.
struct Cycles<'a> {
    multigrid: Multigrid<GridHierarchy, &'a GridHierarchy>,
    options: &'a Options,
    /// Maximum number of cycles.
    limit: usize,
    right: Stream,
    correction: Stream,
    /// Number of cycles so far.
    done: usize,
    /// Norm of the residual before the first cycle.
    first: f64,
    /// The corrections, without their constants.
    steps: Steps,
    /// The last constant.
    shift: f64,
}

impl Cycles<'_> {
    /// Computes a correction of a residual that is to fall to `goal`. Returns its number of cycles.
    fn run(&mut self, norm: f64, goal: f64) -> Result<usize, StreamError> {
        if self.done == 0 {
            self.first = norm;
        }
        let cycles = cycles_until(LAST * goal / norm, norm / self.first, self.done)
            .min(self.options.refine)
            .min(self.limit - self.done);
        let (right, correction) = (&self.right, &mut self.correction);
        match self.options.full {
            Some(per_level) if self.done == 0 => {
                self.multigrid.full(per_level, right, correction)?;
                for _ in 1..cycles {
                    self.multigrid.cycle(Start::Given, right, correction)?;
                }
            }
            _ => self.multigrid.cycles(cycles, right, correction)?,
        }
        self.done += cycles;
        Ok(cycles)
    }
}

impl PoissonSolver {
    /// Runs a limited number of cycles per defect, u and the defect in double precision, until the residual and the estimated
    /// error are small. Returns b − A u and that error, too.
    ///
    /// Where σ alone determines the mean of u, relaxation hardly changes it. The constant c that makes the sum of the
    /// defect zero, 1ᵀ(r − c A 1) = 0, is then added to u here, and only the rest is left to the cycles.
    pub(super) fn solve_refined(
        &self,
        criteria: &Criteria,
        b: &[f64],
        u: &mut [f64],
        mut observer: impl FnMut(usize, f64),
    ) -> Result<(Outcome, Vec<f64>, Option<f64>), Error> {
        let mut cycles = Cycles {
            multigrid: Multigrid::new(&self.hierarchy, self.options.cycle)?,
            options: &self.options,
            limit: criteria.max_iterations,
            right: self.hierarchy.zeros(0)?,
            correction: self.hierarchy.zeros(0)?,
            done: 0,
            first: f64::NAN,
            steps: Steps::default(),
            shift: 0.0,
        };
        let leaks = self.equation.leaks();
        let whole: f64 = leaks.iter().sum();
        if !leaks.is_empty() {
            let constant = self.equation.residual(b, u).iter().sum::<f64>() / whole;
            u.iter_mut().for_each(|u| *u += constant);
        }
        let mut reference = norm(b);
        let sigma = self.equation.is_constant().filter(|_| self.residual_on_gpu);
        if let Some(sigma) = sigma.filter(|_| leaks.is_empty()) {
            let given = (b, sigma, reference);
            reference = self.correct_on_gpu(&mut cycles, criteria, given, u, &mut observer)?;
        }
        let before = cycles.done;
        let left = Criteria { max_iterations: criteria.max_iterations - before, ..*criteria };
        let (outcome, residual) = refine(
            &left,
            left.max_iterations,
            reference,
            u,
            (|u: &[f64]| self.equation.residual(b, u), |u: &[f64]| self.equation.rounding(u)),
            |defect| self.correction(&mut cycles, (&leaks, whole), defect),
            |done, residual| observer(before + done, residual),
        )?;
        let mut outcome = Outcome { iterations: before + outcome.iterations, ..outcome };
        let mut residual = residual;
        if outcome.reason == Reason::Converged {
            let tolerance = criteria.tolerance(reference);
            outcome.reason = loop {
                let now = norm(&residual);
                // Of a large constant, rounding errors alone may exceed the range of u.
                let is_level = cycles.shift <= 10.0 * criteria.rtol * largest(u.iter().copied());
                if now <= criteria.atol || is_level && cycles.steps.suffice(u, criteria.rtol) {
                    break Reason::Converged;
                }
                let stop = cycles.steps.reason_to_stop(cycles.done, criteria.max_iterations);
                let stop = stop.or((now > tolerance).then_some(Reason::Stagnated));
                if let Some(reason) = stop {
                    break reason;
                }
                let scale = scale_of(now, residual.len());
                let single: Vec<f32> = residual.iter().map(|r| (r / scale) as f32).collect();
                let defect = Defect::new(&single, [now, scale, tolerance], cycles.done);
                let correction = self.correction(&mut cycles, (&leaks, whole), &defect)?;
                correction.add_to(u, scale);
                residual = self.equation.residual(b, u);
                observer(cycles.done, norm(&residual));
            };
            (outcome.iterations, outcome.verified) = (cycles.done, Some(norm(&residual)));
        }
        let error = cycles.steps.error(u).map(|error| error + cycles.shift);
        Ok((outcome, residual, error))
    }

    /// A correction of this defect by cycles.
    fn correction(
        &self,
        cycles: &mut Cycles<'_>,
        (leaks, whole): (&[f64], f64),
        defect: &Defect<'_>,
    ) -> Result<Correction, Error> {
        let mut constant = 0.0;
        if leaks.is_empty() {
            self.write(defect.residual, &cycles.right)?;
        } else {
            let terms = || defect.residual.iter().map(|&r| f64::from(r));
            constant = terms().sum::<f64>() / whole;
            let rest = terms().zip(leaks).map(|(r, leak)| (r - constant * leak) as f32);
            self.write(&rest.collect::<Vec<_>>(), &cycles.right)?;
        }
        let done = cycles.run(defect.norm * defect.scale, defect.goal * defect.scale)?;
        let values = self.read(&cycles.correction)?;
        cycles.steps.push(&values, defect.scale);
        cycles.shift = defect.scale * constant.abs();
        Ok(Correction { shift: constant, ..Correction::unseen(values, done) })
    }

    /// Corrects u until the residual in pairs of floats is within the tolerance, or a correction does not reduce it. The CPU
    /// reads each correction and the norm of the residual, never the residual. Returns the norm that the relative tolerance
    /// refers to: that of b, or of the first residual if that is zero.
    fn correct_on_gpu(
        &self,
        cycles: &mut Cycles<'_>,
        criteria: &Criteria,
        (b, sigma, norm_of_b): (&[f64], f64, f64),
        u: &mut [f64],
        observer: &mut impl FnMut(usize, f64),
    ) -> Result<f64, Error> {
        let (grid, h) = (self.hierarchy.grid(), self.equation.spacing);
        let first = self.equation.residual(b, u);
        let mut norm = norm(&first);
        let reference = if norm_of_b == 0.0 { norm } else { norm_of_b };
        // Rounding u to double precision leaves more than this share.
        let least = criteria.tolerance(reference).max(f64::EPSILON * norm);
        if !norm.is_finite() || norm <= least {
            return Ok(reference);
        }
        let scale = scale_of(norm, first.len());
        let mut residual = PairResidual::new(grid, sigma * h * h, &first, scale)?;
        grid.layer(residual.pairs(), &cycles.right)?;
        while norm > least && cycles.done < criteria.max_iterations {
            observer(cycles.done, norm);
            cycles.run(norm, criteria.tolerance(reference))?;
            grid.unlayer(&cycles.correction, &self.plain)?;
            residual.correct(&self.plain)?;
            grid.layer(residual.pairs(), &cycles.right)?;
            let now = self.hierarchy.norm(&cycles.right)? * scale;
            if now.is_nan() || now >= norm {
                break;
            }
            let step = self.plain.read()?;
            add(u, &step, scale);
            cycles.steps.push(&step, scale);
            norm = now;
        }
        Ok(reference)
    }
}

/// Number of cycles until the residual falls to this share of itself, if it continues to fall as before: to `left` of
/// the start in `done` cycles. Without a limit if that is not informative.
fn cycles_until(part: f64, left: f64, done: usize) -> usize {
    match part.ln() / left.ln() * done as f64 {
        cycles if cycles > 0.0 => cycles.ceil() as usize,
        _ => usize::MAX,
    }
}
