//! Refinement in double precision: the part of a solution that a single-precision surface cannot hold is
//! computed as a correction. fragstream's variant; the paper stops at the limit of single precision.
//!
//! The correction e of U solves L e = F − L U with the same conditions, with zero for all prescribed
//! values. The residual is computed on the CPU in double precision and scaled to a largest value of one, and
//! the same cycles find e. They need only find its first digits, since the next correction finds more.

use crate::goodnight2003::{Error, Solved, Solver, Test};
use crate::solver::{Criteria, Reason};

/// Factor to which cycles reduce the residual of a correction.
const REDUCTION: f64 = 1e-3;

/// A solution in double precision.
#[derive(Debug, Clone, PartialEq)]
pub struct Refined {
    /// U at each node, rows from the south up.
    pub solution: Vec<f64>,
    /// Outcome of the solve, including the cycles of all corrections.
    pub solved: Solved,
    /// Number of corrections added.
    pub corrections: usize,
}

impl Solver {
    /// [`Solver::solve`], followed by at most `most` corrections in double precision if it
    /// stagnates. The GPU then holds the last correction.
    pub fn solve_refined(
        mut self,
        criteria: &Criteria,
        most: usize,
        mut observer: impl FnMut(usize, f64),
    ) -> Result<Refined, Error> {
        let mut solved = self.solve(criteria, &mut observer)?;
        let mut solution: Vec<f64> = self.solution()?.into_iter().map(f64::from).collect();
        let mut corrections = 0;
        if solved.reason != Reason::Stagnated || most == 0 {
            return Ok(Refined {
                solution,
                solved,
                corrections,
            });
        }
        let mut f: Vec<f64> = self.source()?.into_iter().map(f64::from).collect();
        let exact = self.finest()?.clone();
        let mut residual = exact.residual(&f, &solution);
        let surplus = self.surplus(&residual);
        (f.iter_mut().zip(&surplus)).for_each(|(f, surplus)| *f -= surplus);
        (residual.iter_mut().zip(&surplus)).for_each(|(r, surplus)| *r -= surplus);
        // The previous source is not balanced without the inflow.
        self.put_source(vec![0.0; f.len()])?;
        self.set_boundary(self.problem().boundaries.homogeneous())?;
        while corrections < most {
            let left = criteria.max_iterations.saturating_sub(solved.cycles);
            if left == 0 {
                solved.reason = Reason::MaximumIterations;
                break;
            }
            let before = solved.cycles;
            let reduction = REDUCTION.max(0.5 * solved.tolerance / solved.residual);
            let wanted = Criteria {
                rtol: reduction.min(0.5),
                atol: 0.0,
                max_iterations: left,
                ..*criteria
            };
            let (step, scale) = self.correction(&residual, &wanted, |cycle, norm| {
                observer(before + cycle, norm);
            })?;
            solved.cycles += step.cycles;
            let unit = match self.settings.test {
                Test::Occlusion => 1.0,
                Test::ReadBack | Test::Reduction => scale,
            };
            let measured = step.history.iter().skip(1);
            solved
                .history
                .extend(measured.map(|measured| measured * unit));
            let corrections_of = solution.iter().zip(self.solution()?);
            let corrected = corrections_of.map(|(u, e)| u + scale * f64::from(e));
            let corrected: Vec<f64> = corrected.collect();
            residual = exact.residual(&f, &corrected);
            let norm = (self.settings.norm).of(exact.originals().map(|node| residual[node]));
            // A correction that helps little is the last: the rest is rounding error of the equations.
            let falls = norm < 0.5 * solved.residual;
            if norm < solved.residual {
                (solution, solved.residual) = (corrected, norm);
                corrections += 1;
            }
            solved.reason = match (norm <= solved.tolerance, falls) {
                (true, _) => Reason::Converged,
                (false, true) => continue,
                (false, false) => step.reason_of_failure(),
            };
            break;
        }
        Ok(Refined {
            solution,
            solved,
            corrections,
        })
    }

    /// If no value is prescribed, the imbalance of sources and boundary flow due to rounding to single
    /// precision, spread over the volumes; otherwise zero.
    fn surplus(&self, residual: &[f64]) -> Vec<f64> {
        let (volumes, grid) = (self.equations.volumes(), &self.problem().grid);
        let even = if self.problem().is_singular() {
            grid.mean(|node| residual[node]) / grid.mean(|node| volumes[node])
        } else {
            0.0
        };
        volumes.into_iter().map(|volume| even * volume).collect()
    }

    /// Finds the correction for this residual, scaled; multiply by the number returned.
    fn correction(
        &mut self,
        residual: &[f64],
        wanted: &Criteria,
        observer: impl FnMut(usize, f64),
    ) -> Result<(Solved, f64), Error> {
        let scale = (residual.iter()).fold(f64::MIN_POSITIVE, |most, r| most.max(r.abs()));
        let scaled: Vec<f32> = residual.iter().map(|r| (r / scale) as f32).collect();
        self.set_source(&scaled)?;
        self.set_solution(&vec![0.0; scaled.len()])?;
        Ok((self.solve(wanted, observer)?, scale))
    }
}

impl Solved {
    /// Reason why a correction did not help: that of its cycles, unless they converged.
    fn reason_of_failure(&self) -> Reason {
        match self.reason {
            Reason::Converged => Reason::Stagnated,
            other => other,
        }
    }
}
