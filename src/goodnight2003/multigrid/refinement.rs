//! Refinement in double precision: the part of a solution that a single-precision surface cannot hold is
//! computed as a correction ([`crate::solver::refinement`]). fragstream's variant; the paper stops at the limit of
//! single precision.
//!
//! The correction e of U solves L e = F − L U with the same conditions, with zero for all prescribed
//! values. The residual is computed on the CPU in double precision, scaled, and the same cycles find e.

use std::cell::RefCell;

use super::convergence::Check;
use crate::goodnight2003::{Error, Level, Norm, Solved, Solver, Test};
use crate::solver::refinement::{Correction, refine};
use crate::solver::{Criteria, Reason};

/// A solution in double precision.
#[derive(Debug, Clone, PartialEq)]
pub struct Refined {
    /// U at each node, rows from the south up.
    pub solution: Vec<f64>,
    /// Outcome of the solve.
    pub solved: Solved,
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
        let mut refined = Refined {
            solved: self.solve(criteria, &mut observer)?,
            solution: self.solution()?.into_iter().map(f64::from).collect(),
        };
        let (exact, mut f) = self.as_given()?;
        for (node, value) in exact.start().into_iter().enumerate() {
            if exact.is_held(node) {
                refined.solution[node] = value;
            }
        }
        let first = Check::new(&exact, &refined.solution, &f, self.settings.norm, 0.0);
        let solved = &mut refined.solved;
        solved.residual = first.norm;
        solved.reason = first.ending(*solved.reason, solved.tolerance);
        if solved.reason != Reason::Stagnated || most == 0 {
            return Ok(refined);
        }
        let surplus = self.surplus(&exact.residual(&f, &refined.solution));
        (f.iter_mut().zip(&surplus)).for_each(|(f, surplus)| *f -= surplus);
        // The previous source is not balanced without the inflow.
        self.put_source(vec![0.0; f.len()])?;
        self.set_boundary(self.problem().boundaries.homogeneous())?;
        let (norm, solved) = (self.settings.norm, RefCell::new(refined.solved));
        let (cycles, tolerance) = (solved.borrow().cycles, solved.borrow().tolerance);
        // What the L2 norm must not exceed, so that the chosen one is within the tolerance.
        let goal = match norm {
            Norm::L1 => tolerance / (f.len() as f64).sqrt(),
            Norm::L2 | Norm::Maximum => tolerance,
        };
        let left = Criteria {
            rtol: 0.0,
            atol: goal,
            max_iterations: criteria.max_iterations.saturating_sub(cycles),
            ..*criteria
        };
        let residual = |u: &[f64]| exact.residual(&f, u);
        let rounding = |u: &[f64]| {
            let largest = Norm::Maximum.of(u.iter().copied());
            let terms = (0..f.len()).map(|node| exact.magnitude(node, f[node], largest));
            f64::EPSILON * Norm::L2.of(terms)
        };
        let (outcome, _) = refine(
            &left,
            most,
            0.0,
            &mut refined.solution,
            (residual, rounding),
            |defect| -> Result<Correction, Error> {
                self.set_source(defect.residual)?;
                self.set_solution(&vec![0.0; f.len()])?;
                let before = solved.borrow().cycles;
                let step = self.solve(&defect.criteria(&left, false), |cycle, norm| {
                    observer(before + cycle, norm);
                })?;
                let unit = match self.settings.test {
                    Test::Occlusion => 1.0,
                    Test::ReadBack | Test::Reduction => defect.scale,
                };
                let mut solved = solved.borrow_mut();
                solved.cycles += step.cycles;
                (solved.history).extend(step.history.iter().skip(1).map(|found| found * unit));
                Ok(Correction {
                    reason: *step.reason,
                    ..Correction::unseen(self.solution()?, step.cycles.max(1))
                })
            },
            |_, _| {},
        )?;
        let last = Check::new(&exact, &refined.solution, &f, norm, 0.0);
        refined.solved = solved.into_inner();
        refined.solved.residual = last.norm;
        let method = match outcome.reason {
            // All corrections that are allowed, while cycles are left.
            Reason::MaximumIterations if refined.solved.cycles < criteria.max_iterations => {
                Reason::Stagnated
            }
            reason => reason,
        };
        refined.solved.reason = last.ending(method, tolerance);
        refined.solved.corrections = outcome.replacements;
        Ok(refined)
    }

    /// The finest level and F of the problem as given, not as rounded in textures; as rounded if only the GPU has computed
    /// the metric, or F has been replaced.
    fn as_given(&self) -> Result<(Level, Vec<f64>), Error> {
        match Level::all(&self.equations, 1) {
            Ok(mut levels) if !self.is_source_replaced => {
                let f = self.equations.balanced(self.equations.right_side())?;
                Ok((levels.swap_remove(0), f))
            }
            _ => {
                let stored = self.source()?.into_iter().map(f64::from).collect();
                Ok((self.finest()?.clone(), stored))
            }
        }
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
}
