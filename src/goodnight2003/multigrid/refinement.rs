//! Refinement in double precision: the part of a solution that a single-precision surface cannot hold is
//! computed as a correction ([`crate::solver::refinement`]). fragstream's variant; the paper stops at the limit of
//! single precision.
//!
//! The correction e of U solves L e = F − L U with the same conditions, with zero for all prescribed
//! values. The residual is computed on the CPU in double precision, scaled, and the same cycles find e.

use std::cell::RefCell;

use super::convergence::{Check, Rows};
use crate::goodnight2003::{Error, Level, Norm, Solved, Solver, Test};
use crate::solver::refinement::{Correction, add, refine, scale_of};
use crate::solver::steps::is_small;
use crate::solver::{Criteria, Ending, Reason, Steps};

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
    /// stagnates. The GPU then holds the last correction. If `most` is not zero, what has converged is judged per row,
    /// too ([`Rows`]), and has to be `enough`; until then cycles go on.
    pub fn solve_refined(
        mut self,
        criteria: &Criteria,
        most: usize,
        enough: impl Fn(&[f64]) -> Result<bool, Error>,
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
        solved.rows = Some(Rows::new(&exact, &refined.solution, &f));
        let is_within = solved.reason == Reason::Converged;
        if most == 0 || !is_within && solved.reason != Reason::Stagnated {
            return Ok(refined);
        }
        let surplus = self.surplus(&exact.residual(&f, &refined.solution));
        (f.iter_mut().zip(&surplus)).for_each(|(f, surplus)| *f -= surplus);
        // The previous source is not balanced without the inflow.
        self.put_source(vec![0.0; f.len()])?;
        self.set_boundary(self.problem().boundaries.homogeneous())?;
        if !is_within {
            refined = self.refine((&exact, &f), refined, criteria, most, &mut observer)?;
        }
        if refined.solved.reason == Reason::Converged {
            self.settle((&exact, &f), &mut refined, criteria, enough, observer)?;
        }
        Ok(refined)
    }

    /// Corrects U until the paper's criterion is met.
    fn refine(
        &mut self,
        (exact, f): (&Level, &[f64]),
        mut refined: Refined,
        criteria: &Criteria,
        most: usize,
        mut observer: impl FnMut(usize, f64),
    ) -> Result<Refined, Error> {
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
        let residual = |u: &[f64]| exact.residual(f, u);
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
        let last = Check::new(exact, &refined.solution, f, norm, 0.0);
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

    /// Corrects U by a cycle at a time until each row holds in the unit of U, the estimated error is small, and U is `enough`.
    ///
    /// Where leaks through the sides alone determine the mean of U, relaxation hardly changes it. The constant c that makes
    /// the sum of the residual zero, 1ᵀ(r + c A 1) = 0, is then added here.
    fn settle(
        &mut self,
        (exact, f): (&Level, &[f64]),
        refined: &mut Refined,
        criteria: &Criteria,
        enough: impl Fn(&[f64]) -> Result<bool, Error>,
        mut observer: impl FnMut(usize, f64),
    ) -> Result<(), Error> {
        let Refined { solution: u, solved } = refined;
        let (norm, is_counted) = (self.settings.norm, self.settings.test == Test::Occlusion);
        let mut steps = Steps::default();
        let leaks = exact.leaks();
        let sum = |values: &[f64]| exact.originals().map(|node| values[node]).sum::<f64>();
        let all = sum(&leaks);
        let method = loop {
            let check = Check::new(exact, u, f, norm, 0.0);
            // c, and the part of it that rounding errors of the residual can be.
            let largest = Norm::Maximum.of(u.iter().copied());
            let terms = exact.originals().map(|node| exact.magnitude(node, f[node], largest));
            let terms = f64::EPSILON / 2.0 * terms.sum::<f64>();
            let [constant, unsure] =
                if all > 0.0 { [-sum(&check.residual) / all, terms / all] } else { [0.0; 2] };
            let rows = Rows { error: steps.error(u), ..Rows::new(exact, u, f) };
            (solved.residual, solved.rows) = (check.norm, Some(rows));
            solved.reason = check.ending(Reason::Converged, solved.tolerance);
            let is_right = check.norm <= criteria.atol
                || rows.residual <= criteria.rtol
                    && steps.suffice(u, criteria.rtol)
                    && is_small(constant.abs() + unsure, u, criteria.rtol);
            if is_right && solved.reason == Reason::Converged && enough(u)? {
                return Ok(());
            }
            if let Some(reason) = steps.reason_to_stop(solved.cycles, criteria.max_iterations) {
                break reason;
            }
            u.iter_mut().enumerate().for_each(|(node, u)| {
                *u += if exact.is_held(node) { 0.0 } else { constant };
            });
            let defect: Vec<f64> =
                check.residual.iter().zip(&leaks).map(|(r, leak)| r + constant * leak).collect();
            let surplus = self.surplus(&defect);
            let residual = defect.iter().zip(surplus).map(|(r, even)| r - even);
            let scale = scale_of(Norm::L2.of(defect.iter().copied()), f.len());
            self.set_source(&residual.map(|r| (r / scale) as f32).collect::<Vec<_>>())?;
            self.set_solution(&vec![0.0; f.len()])?;
            self.cycle()?;
            let step = self.solution()?;
            add(u, &step, scale);
            steps.push(&step, scale);
            solved.cycles += 1;
            solved.corrections += 1;
            if !is_counted {
                let now = norm.of(exact.residual(f, u).into_iter());
                solved.history.push(now);
                observer(solved.cycles, now);
            }
        };
        solved.reason = Ending::failed(method);
        Ok(())
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
