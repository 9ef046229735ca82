//! Multigrid cycles, written once over a hierarchy of grids.
//!
//! A V-cycle relaxes, projects the residual to the next coarser grid, solves there by a cycle of its
//! own from zero, interpolates the correction and relaxes again (bolz2003 §4.2). With two visits of
//! the coarser grid instead of one it is a W-cycle, with μ a μ-cycle. Full multigrid starts at the
//! coarsest grid and gives each finer one a start that is interpolated from the grid before.
//!
//! What a grid, a vector and a sweep are, a [`Hierarchy`] knows: textures and fragment programs, or
//! arrays in double precision.

use super::stopping::{Criteria, Outcome, Reason};

/// A solve has diverged when its residual is so many times the first one.
const DIVERGED: f64 = 1e3;

/// What the unknown holds when it is relaxed or solved for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Zero is meant; what is in the vector is not read.
    Zero,
    /// The vector is the start.
    Given,
}

/// Grids from the finest (level 0) to the coarsest, a matrix A on each, and the ways between them.
pub trait Hierarchy {
    /// A vector of one level.
    type Vector;
    /// Why an operation can fail.
    type Error;

    /// How many levels there are; one at least.
    fn levels(&self) -> usize;

    /// A new vector of this level, all zero.
    fn zeros(&self, level: usize) -> Result<Self::Vector, Self::Error>;

    /// `sweeps` sweeps of the smoother on A u = b. With [`Start::Zero`] and no sweep, u ← 0.
    fn relax(
        &self,
        level: usize,
        sweeps: usize,
        start: Start,
        b: &Self::Vector,
        u: &mut Self::Vector,
    ) -> Result<(), Self::Error>;

    /// Solves A u = b on the coarsest level, as exactly as the hierarchy chooses to.
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

/// The shape of a cycle. The default is the paper's V(4, 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cycle {
    /// η₁: sweeps before the coarser grid is visited.
    pub before: usize,
    /// η₂: sweeps afterwards.
    pub after: usize,
    /// μ: visits of the coarser grid; 1 is a V-cycle, 2 a W-cycle.
    pub visits: usize,
}

impl Default for Cycle {
    fn default() -> Self {
        Self::v(4, 2)
    }
}

impl Cycle {
    /// V(before, after)
    pub const fn v(before: usize, after: usize) -> Self {
        Self {
            before,
            after,
            visits: 1,
        }
    }

    /// W(before, after)
    pub const fn w(before: usize, after: usize) -> Self {
        Self {
            before,
            after,
            visits: 2,
        }
    }
}

/// When multigrid stops if nothing else is said: relative residual 1e-5 as everywhere, at most 50
/// cycles, and no patience beyond three cycles without a new smallest residual, for a cycle that
/// does not reduce it has reached the precision's end.
pub const fn default_criteria() -> Criteria {
    Criteria {
        rtol: 1e-5,
        atol: 0.0,
        max_iterations: 50,
        patience: 3,
    }
}

/// A hierarchy with the vectors of its coarser levels.
pub struct Multigrid<'a, H: Hierarchy> {
    hierarchy: &'a H,
    cycle: Cycle,
    /// From level 1 on.
    coarser: Vec<Level<H::Vector>>,
}

/// The right side and the unknown of a coarser level.
struct Level<V> {
    b: V,
    u: V,
}

impl<'a, H: Hierarchy> Multigrid<'a, H> {
    /// Allocates the vectors of the coarser levels.
    pub fn new(hierarchy: &'a H, cycle: Cycle) -> Result<Self, H::Error> {
        let level = |level| {
            Ok(Level {
                b: hierarchy.zeros(level)?,
                u: hierarchy.zeros(level)?,
            })
        };
        Ok(Self {
            hierarchy,
            cycle,
            coarser: (1..hierarchy.levels())
                .map(level)
                .collect::<Result<_, _>>()?,
        })
    }

    /// The hierarchy.
    pub fn hierarchy(&self) -> &'a H {
        self.hierarchy
    }

    /// One cycle on the finest level: u becomes a better solution of A u = b.
    pub fn cycle(
        &mut self,
        start: Start,
        b: &H::Vector,
        u: &mut H::Vector,
    ) -> Result<(), H::Error> {
        cycle(
            self.hierarchy,
            self.cycle,
            0,
            start,
            b,
            u,
            &mut self.coarser,
        )
    }

    /// Full multigrid: b is projected to all levels, A u = b is solved on the coarsest, and on each
    /// finer level `cycles` cycles improve what is interpolated to it. What u held is not read.
    pub fn full(
        &mut self,
        cycles: usize,
        b: &H::Vector,
        u: &mut H::Vector,
    ) -> Result<(), H::Error> {
        // The cycles overwrite the right sides of coarser levels, so these have their own.
        let h = self.hierarchy;
        let mut sides = Vec::new();
        for level in 1..h.levels() {
            let mut side = h.zeros(level)?;
            h.project(level - 1, sides.last().unwrap_or(b), &mut side)?;
            sides.push(side);
        }
        for level in (0..h.levels()).rev() {
            let (above, coarser) = self.coarser.split_at_mut(level);
            let u = above.last_mut().map_or(&mut *u, |own| &mut own.u);
            let b = if level == 0 { b } else { &sides[level - 1] };
            match coarser.first() {
                None => h.solve_coarsest(Start::Zero, b, u)?,
                Some(next) => {
                    h.interpolate(level, &next.u, u)?;
                    for _ in 0..cycles {
                        cycle(h, self.cycle, level, Start::Given, b, u, coarser)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Cycles until A u = b is solved, from the u given.
    ///
    /// Converged is ‖b − A u‖ ≤ max(rtol ‖b‖, atol) as everywhere; for b = 0 the first residual
    /// takes the place of ‖b‖, for there a solve is an experiment on how fast the start decays.
    /// `observer` is shown the number of cycles done and the residual's norm: before the first and
    /// after each. [`Outcome::iterations`] are cycles, and every residual is computed from u itself.
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

/// Repeats `step`, which is told its number from 1 and returns the norm of the residual it has left,
/// until that is within the tolerance or there is another reason to stop. `first` is the norm before
/// the first step.
pub fn iterate<E>(
    criteria: &Criteria,
    tolerance: f64,
    first: f64,
    mut step: impl FnMut(usize) -> Result<f64, E>,
) -> Result<Outcome, E> {
    let mut history = vec![first];
    let reason = loop {
        if let Some(reason) = reason_to_stop(&history, tolerance, criteria) {
            break reason;
        }
        history.push(step(history.len())?);
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

/// The cycle of `level`; `coarser` holds the levels after it.
fn cycle<H: Hierarchy>(
    h: &H,
    shape: Cycle,
    level: usize,
    start: Start,
    b: &H::Vector,
    u: &mut H::Vector,
    coarser: &mut [Level<H::Vector>],
) -> Result<(), H::Error> {
    let Some((next, rest)) = coarser.split_first_mut() else {
        return h.solve_coarsest(start, b, u);
    };
    h.relax(level, shape.before, start, b, u)?;
    h.project_residual(level, b, u, &mut next.b)?;
    let mut start = Start::Zero;
    for _ in 0..shape.visits {
        cycle(h, shape, level + 1, start, &next.b, &mut next.u, rest)?;
        start = Start::Given;
    }
    h.correct(level, &next.u, u)?;
    h.relax(level, shape.after, Start::Given, b, u)
}

fn reason_to_stop(history: &[f64], tolerance: f64, criteria: &Criteria) -> Option<Reason> {
    let cycles = history.len() - 1;
    let (first, last) = (history[0], history[cycles]);
    let smallest = |part: &[f64]| part.iter().copied().fold(f64::INFINITY, f64::min);
    let recent = history.len().saturating_sub(criteria.patience).max(1);
    if !first.is_finite() || !tolerance.is_finite() {
        Some(Reason::NotFinite)
    } else if last <= tolerance {
        Some(Reason::Converged)
    } else if !last.is_finite() || last > DIVERGED * first {
        // Finite data turn into infinity by growth alone.
        Some(Reason::Diverged)
    } else if cycles >= criteria.max_iterations {
        Some(Reason::MaximumIterations)
    } else if cycles >= criteria.patience
        && smallest(&history[recent..]) >= smallest(&history[..recent])
        && last <= first
    {
        Some(Reason::Stagnated)
    } else {
        None
    }
}

/// The factors by which the residual fell, cycle by cycle.
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
        assert_eq!(stop(&[1.0, 40.0, 1001.0]), Some(Reason::Diverged));
        assert_eq!(stop(&[1.0, f64::NAN]), Some(Reason::Diverged));
        assert_eq!(stop(&[f64::NAN]), Some(Reason::NotFinite));
        assert_eq!(stop(&[1.0, 0.1, 0.11, 0.1]), None);
        assert_eq!(stop(&[1.0, 0.1, 0.11, 0.1, 0.12]), Some(Reason::Stagnated));
        assert_eq!(stop(&[1.0, 2.0, 3.0, 4.0, 5.0]), None);
        assert_eq!(stop(&[0.5; 51]), Some(Reason::MaximumIterations));
    }
}
