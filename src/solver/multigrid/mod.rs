//! Multigrid on given vectors: cycles until a system is solved, and full multigrid.
//!
//! A [`Hierarchy`] has the operators of all levels: fragment programs on textures, loops over arrays in double
//! precision, or sparse matrices. Together with vectors for the coarser levels it forms the [`Levels`] of a
//! [cycle](mod@cycle). Full multigrid starts on the coarsest grid, and interpolates the result to the next
//! finer grid as its initial value.

mod chebyshev;
pub mod cycle;
pub mod matrix_hierarchy;

use std::ops::Deref;

use super::stopping::{Criteria, Outcome, Reason};
use cycle::cycle_from;

pub use chebyshev::chebyshev_weights;
pub use cycle::{Cycle, Levels, SWEEPS, Start, cycle};
pub use matrix_hierarchy::MatrixHierarchy;

/// A solve has diverged when its residual exceeds this multiple of the first one.
pub(super) const DIVERGED: f64 = 1e6;

/// The operators of all levels on given vectors, as full multigrid, norms and outside right-hand sides need
/// them. A [`Multigrid`] adds the vectors of the coarser levels.
pub trait Hierarchy {
    /// A vector of one level.
    type Vector;
    /// Error of an operation.
    type Error;

    /// Number of levels, at least one.
    fn levels(&self) -> usize;

    /// A new vector of this level, all zero.
    fn zeros(&self, level: usize) -> Result<Self::Vector, Self::Error>;

    /// As [`Levels::smooth`].
    fn relax(
        &self,
        level: usize,
        sweeps: usize,
        start: Start,
        b: &Self::Vector,
        u: &mut Self::Vector,
    ) -> Result<(), Self::Error>;

    /// As [`Levels::solve_coarsest`].
    fn solve_coarsest(
        &self,
        start: Start,
        b: &Self::Vector,
        u: &mut Self::Vector,
    ) -> Result<(), Self::Error>;

    /// coarse ← P (b − A u), from `level` to the next coarser one.
    fn project_residual(
        &self,
        level: usize,
        b: &Self::Vector,
        u: &Self::Vector,
        coarse: &mut Self::Vector,
    ) -> Result<(), Self::Error>;

    /// coarse ← P fine, from `level` to the next coarser one.
    fn project(
        &self,
        level: usize,
        fine: &Self::Vector,
        coarse: &mut Self::Vector,
    ) -> Result<(), Self::Error>;

    /// u ← u + S coarse, to `level` from the next coarser one.
    fn correct(
        &self,
        level: usize,
        coarse: &Self::Vector,
        u: &mut Self::Vector,
    ) -> Result<(), Self::Error>;

    /// u ← S coarse, to `level` from the next coarser one.
    fn interpolate(
        &self,
        level: usize,
        coarse: &Self::Vector,
        u: &mut Self::Vector,
    ) -> Result<(), Self::Error>;

    /// ‖b − A u‖₂ on the finest level.
    fn residual_norm(&self, b: &Self::Vector, u: &Self::Vector) -> Result<f64, Self::Error>;

    /// ‖b‖₂ on the finest level.
    fn norm(&self, b: &Self::Vector) -> Result<f64, Self::Error>;
}

/// Default criteria of multigrid: relative residual 1e-5, at most 50 cycles, and at most three cycles without a
/// new smallest residual. A cycle that does not reduce the residual has reached the limit of the precision.
pub const fn default_criteria() -> Criteria {
    Criteria {
        rtol: 1e-5,
        atol: 0.0,
        max_iterations: 50,
        patience: 3,
        norm_every: 1,
        of_largest: 0.0,
    }
}

/// A hierarchy, borrowed or shared, with the vectors of its coarser levels.
pub struct Multigrid<H: Hierarchy, P: Deref<Target = H>> {
    hierarchy: P,
    cycle: Cycle,
    /// b and u, from level 1 on.
    pub coarser: Vec<[H::Vector; 2]>,
    /// For each level, true if u counts as zero, whatever the vector holds.
    is_zero: Vec<bool>,
}

/// The vectors of all levels; the finest level's belong to the caller.
struct State<'a, H: Hierarchy> {
    hierarchy: &'a H,
    b: &'a H::Vector,
    u: &'a mut H::Vector,
    coarser: &'a mut [[H::Vector; 2]],
    is_zero: &'a mut [bool],
}

/// b and u of a level, and those of the coarser levels.
type At<'a, V> = (&'a V, &'a mut V, &'a mut [[V; 2]]);

impl<H: Hierarchy> State<'_, H> {
    fn at(&mut self, level: usize) -> At<'_, H::Vector> {
        let (finer, coarser) = self.coarser.split_at_mut(level);
        match finer.last_mut() {
            None => (self.b, self.u, coarser),
            Some([b, u]) => (b, u, coarser),
        }
    }
}

impl<H: Hierarchy> Levels for State<'_, H> {
    type Error = H::Error;

    fn levels(&self) -> usize {
        self.hierarchy.levels()
    }

    fn smooth(&mut self, level: usize, sweeps: usize, start: Start) -> Result<(), H::Error> {
        let hierarchy = self.hierarchy;
        self.is_zero[level] = sweeps == 0 && start == Start::Zero;
        if sweeps == 0 {
            return Ok(());
        }
        let (b, u, _) = self.at(level);
        hierarchy.relax(level, sweeps, start, b, u)
    }

    fn solve_coarsest(&mut self, start: Start) -> Result<(), H::Error> {
        let hierarchy = self.hierarchy;
        let (b, u, _) = self.at(hierarchy.levels() - 1);
        hierarchy.solve_coarsest(start, b, u)
    }

    fn descend(&mut self, level: usize) -> Result<(), H::Error> {
        let (hierarchy, is_zero) = (self.hierarchy, self.is_zero[level]);
        let (b, u, coarser) = self.at(level);
        if is_zero {
            hierarchy.project(level, b, &mut coarser[0][0])
        } else {
            hierarchy.project_residual(level, b, u, &mut coarser[0][0])
        }
    }

    fn ascend(&mut self, level: usize) -> Result<(), H::Error> {
        let hierarchy = self.hierarchy;
        let is_zero = std::mem::take(&mut self.is_zero[level]);
        let (_, u, coarser) = self.at(level);
        if is_zero {
            hierarchy.interpolate(level, &coarser[0][1], u)
        } else {
            hierarchy.correct(level, &coarser[0][1], u)
        }
    }
}

impl<H: Hierarchy, P: Deref<Target = H>> Multigrid<H, P> {
    /// Allocates the vectors of the coarser levels.
    pub fn new(hierarchy: P, cycle: Cycle) -> Result<Self, H::Error> {
        let vectors = |level| Ok([hierarchy.zeros(level)?, hierarchy.zeros(level)?]);
        let coarser = (1..hierarchy.levels()).map(vectors).collect::<Result<_, _>>()?;
        Ok(Self { is_zero: vec![false; hierarchy.levels()], hierarchy, cycle, coarser })
    }

    fn state<'b>(&'b mut self, b: &'b H::Vector, u: &'b mut H::Vector) -> State<'b, H> {
        State {
            hierarchy: &self.hierarchy,
            b,
            u,
            coarser: &mut self.coarser,
            is_zero: &mut self.is_zero,
        }
    }

    /// The levels with b and u, to run a cycle of your own on.
    pub fn on<'b>(
        &'b mut self,
        b: &'b H::Vector,
        u: &'b mut H::Vector,
    ) -> impl Levels<Error = H::Error> {
        self.state(b, u)
    }

    /// Performs one cycle, which improves the solution u of A u = b.
    pub fn cycle(
        &mut self,
        start: Start,
        b: &H::Vector,
        u: &mut H::Vector,
    ) -> Result<(), H::Error> {
        let shape = self.cycle;
        cycle(&mut self.state(b, u), shape, start)
    }

    /// Performs `cycles` cycles, the first from zero.
    pub fn cycles(
        &mut self,
        cycles: usize,
        b: &H::Vector,
        u: &mut H::Vector,
    ) -> Result<(), H::Error> {
        let mut start = Start::Zero;
        for _ in 0..cycles {
            self.cycle(start, b, u)?;
            start = Start::Given;
        }
        Ok(())
    }

    /// Full multigrid: b is projected to all levels, A u = b is solved on the coarsest, and on each finer level
    /// `cycles` cycles improve the interpolated solution. The initial u is not read.
    pub fn full(
        &mut self,
        cycles: usize,
        b: &H::Vector,
        u: &mut H::Vector,
    ) -> Result<(), H::Error> {
        let shape = self.cycle;
        let mut state = self.state(b, u);
        let h = state.hierarchy;
        let coarsest = h.levels() - 1;
        for level in 0..coarsest {
            let (b, _, coarser) = state.at(level);
            h.project(level, b, &mut coarser[0][0])?;
        }
        state.solve_coarsest(Start::Zero)?;
        // The cycles of a level overwrite the right-hand sides of coarser ones, which are no longer needed.
        for level in (0..coarsest).rev() {
            let (_, u, coarser) = state.at(level);
            h.interpolate(level, &coarser[0][1], u)?;
            for _ in 0..cycles {
                cycle_from(&mut state, shape, level, Start::Given)?;
            }
        }
        Ok(())
    }

    /// Performs cycles until A u = b is solved, from the given u.
    ///
    /// Converged means ‖b − A u‖ ≤ max(rtol ‖b‖, atol). For b = 0 the first residual replaces ‖b‖; such a solve
    /// measures how fast the initial error decays. `observer` gets the number of cycles and the norm of the
    /// residual, before the first cycle and after each. [`Outcome::iterations`] counts cycles, and every
    /// residual is computed from u itself.
    pub fn solve(
        &mut self,
        b: &H::Vector,
        u: &mut H::Vector,
        criteria: &Criteria,
        mut observer: impl FnMut(usize, f64),
    ) -> Result<Outcome, H::Error> {
        let norm_of_b = self.hierarchy.norm(b)?;
        let first = self.hierarchy.residual_norm(b, u)?;
        let tolerance = criteria.tolerance(if norm_of_b == 0.0 { first } else { norm_of_b });
        observer(0, first);
        iterate(criteria, tolerance, first, |done| {
            self.cycle(Start::Given, b, u)?;
            let residual = self.hierarchy.residual_norm(b, u)?;
            observer(done, residual);
            Ok(residual)
        })
    }
}

/// Repeats `step` until the residual is within the tolerance or there is another reason to stop. `step` gets
/// its number from 1, and returns the norm of the residual. `first` is the norm before the first step.
pub fn iterate<E>(
    criteria: &Criteria,
    tolerance: f64,
    first: f64,
    mut step: impl FnMut(usize) -> Result<f64, E>,
) -> Result<Outcome, E> {
    iterate_until(criteria, tolerance, first, |number| Ok((step(number)?, true)))
}

/// [`iterate`], except that a residual within the tolerance ends it only if `step` also returns true.
pub fn iterate_until<E>(
    criteria: &Criteria,
    tolerance: f64,
    first: f64,
    mut step: impl FnMut(usize) -> Result<(f64, bool), E>,
) -> Result<Outcome, E> {
    let (mut history, mut is_enough) = (vec![first], true);
    let reason = loop {
        match reason_to_stop(&history, tolerance, criteria) {
            Some(Reason::Converged) if !is_enough && history.len() > criteria.max_iterations => {
                break Reason::MaximumIterations;
            }
            Some(Reason::Converged) if !is_enough => {}
            Some(reason) => break reason,
            None => {}
        }
        let (norm, enough) = step(history.len())?;
        history.push(norm);
        is_enough = enough;
    };
    let residual = history.last().copied().unwrap_or(first);
    Ok(Outcome {
        reason,
        iterations: history.len() - 1,
        residual,
        verified: Some(residual),
        history,
        replacements: 0,
    })
}

/// Returns the reason to stop after residuals with these norms, if there is one.
pub(super) fn reason_to_stop(
    history: &[f64],
    tolerance: f64,
    criteria: &Criteria,
) -> Option<Reason> {
    let cycles = history.len() - 1;
    let (first, last) = (history[0], history[cycles]);
    let smallest = |part: &[f64]| part.iter().copied().fold(f64::INFINITY, f64::min);
    let recent = history.len().saturating_sub(criteria.patience).max(1);
    if !first.is_finite() || !tolerance.is_finite() {
        Some(Reason::NotFinite)
    } else if last <= tolerance {
        Some(Reason::Converged)
    } else if !last.is_finite() || last > DIVERGED * first {
        // Finite data become infinite only by growth.
        Some(Reason::Diverged)
    } else if cycles >= criteria.max_iterations {
        Some(Reason::MaximumIterations)
    } else if cycles >= criteria.patience
        && smallest(&history[recent..]) >= smallest(&history[..recent])
        // Else it is growing, up to a divergence.
        && history[..recent].iter().any(|&norm| last <= norm)
    {
        Some(Reason::Stagnated)
    } else {
        None
    }
}

/// The factors by which each cycle reduced the residual.
pub fn factors(history: &[f64]) -> Vec<f64> {
    history.windows(2).map(|pair| pair[1] / pair[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stop(history: &[f64]) -> Option<Reason> {
        reason_to_stop(history, 1e-3, &default_criteria())
    }

    #[test]
    fn every_way_of_stopping_has_its_name() {
        assert_eq!(stop(&[1.0]), None);
        assert_eq!(stop(&[1.0, 0.1, 1e-3]), Some(Reason::Converged));
        assert_eq!(stop(&[1.0, 40.0, 1.1e6]), Some(Reason::Diverged));
        assert_eq!(stop(&[1.0, f64::NAN]), Some(Reason::Diverged));
        assert_eq!(stop(&[f64::NAN]), Some(Reason::NotFinite));
        assert_eq!(stop(&[1.0, 0.1, 0.11, 0.1]), None);
        assert_eq!(stop(&[1.0, 0.1, 0.11, 0.1, 0.12]), Some(Reason::Stagnated));
        assert_eq!(stop(&[1.0, 2.0, 3.0, 4.0, 5.0]), None);
        // Above the first residual, but not growing.
        assert_eq!(stop(&[1.0, 30.0, 31.0, 29.0, 28.0]), Some(Reason::Stagnated));
        assert_eq!(stop(&[0.5; 51]), Some(Reason::MaximumIterations));
    }
}
