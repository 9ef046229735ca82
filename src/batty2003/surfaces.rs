//! Conjugate gradients whose scalars never leave the GPU (Appendix C, step 8).
//!
//! α and β are in surfaces of one texel, the 1×1 pbuffers of the paper: a quotient is a pass, and
//! Scale-Add fetches its factor. The CPU reads back only the norm of the residual, when it needs it. The
//! method is that of [`crate::solver::Workspace::recursion`], which cannot be used here: it is written
//! for scalars that are numbers. A breakdown appears as a norm that is not finite.

use std::rc::Rc;

use crate::solver::{Criteria, LinearSystem, Outcome, Reason, VectorSpace};
use crate::stream::{Format, Kernel, Machine, Pass, Rect, Source, Stream, StreamError, source};

use super::space::PressureSpace;

const QUOTIENT: Source = source!(batty2003, "pressure/quotient");

/// The vectors and surfaces of a solve.
pub struct SurfaceScalars {
    residual: Stream,
    direction: Stream,
    product: Stream,
    preconditioned: Stream,
    /// rᵀz of this iteration and of the next.
    delta: [Stream; 2],
    /// pᵀA p
    curvature: Stream,
    /// α, then β.
    factor: Stream,
    quotient: Rc<Kernel>,
}

impl SurfaceScalars {
    /// Creates them for the vectors of a space.
    pub fn new(machine: &Machine, space: &PressureSpace) -> Result<Self, StreamError> {
        let surface = |label| Stream::zeros(machine, label, (1, 1), Format::Rgba32F);
        // Nothing may be uploaded during a solve, but geometry is uploaded at its first use.
        machine.rect(Rect::of_size(1, 1))?;
        Ok(Self {
            residual: space.zeros()?,
            direction: space.zeros()?,
            product: space.zeros()?,
            preconditioned: space.zeros()?,
            delta: [surface("delta")?, surface("next delta")?],
            curvature: surface("curvature")?,
            factor: surface("factor")?,
            quotient: machine.kernel(&QUOTIENT, &[])?,
        })
    }

    /// The method of [`crate::solver::Workspace::recursion`].
    pub fn recursion(
        &mut self,
        system: &LinearSystem<'_, PressureSpace>,
        x: &mut Stream,
        criteria: &Criteria,
    ) -> Result<Outcome, StreamError> {
        let space = system.space;
        let tolerance = criteria.tolerance(space.dot(system.b, system.b)?.sqrt());
        system.operator.apply(space, x, &mut self.product)?;
        space.subtract(system.b, &self.product, &mut self.residual)?;
        let mut history = vec![space.dot(&self.residual, &self.residual)?.sqrt()];
        system.precondition(&self.residual, &mut self.preconditioned)?;
        space.copy(&self.preconditioned, &mut self.direction)?;
        space.dot_into(&self.residual, &self.preconditioned, &self.delta[0])?;
        let mut iterations = 0;
        let reason = loop {
            match history[history.len() - 1] {
                norm if !norm.is_finite() => break Reason::NotFinite,
                norm if norm <= tolerance => break Reason::Converged,
                _ if iterations == criteria.max_iterations => break Reason::MaximumIterations,
                _ => (),
            }
            let every = criteria.norm_every.max(1);
            let until = iterations.next_multiple_of(every).max(iterations + 1);
            let until = until.min(criteria.max_iterations);
            while iterations < until {
                self.iterate(system, x)?;
                iterations += 1;
            }
            history.push(space.dot(&self.residual, &self.residual)?.sqrt());
        };
        Ok(Outcome {
            reason,
            iterations,
            residual: history[history.len() - 1],
            verified: None,
            history,
            replacements: 0,
        })
    }

    fn iterate(
        &mut self,
        system: &LinearSystem<'_, PressureSpace>,
        x: &mut Stream,
    ) -> Result<(), StreamError> {
        let (space, textures) = (system.space, system.space.textures());
        system.operator.apply(space, &self.direction, &mut self.product)?;
        space.dot_into(&self.direction, &self.product, &self.curvature)?;
        // Appendix C, step 8: α = rᵀz / pᵀA p
        self.divide(&self.delta[0], &self.curvature)?;
        let alpha = &self.factor;
        textures.replace(x, |x, new| space.scale_add(x, (1.0, alpha, &self.direction), new))?;
        textures.replace(&mut self.residual, |r, new| {
            space.scale_add(r, (-1.0, alpha, &self.product), new)
        })?;
        system.precondition(&self.residual, &mut self.preconditioned)?;
        space.dot_into(&self.residual, &self.preconditioned, &self.delta[1])?;
        // Appendix C, step 8: β = the new rᵀz / rᵀz
        self.divide(&self.delta[1], &self.delta[0])?;
        let (z, beta) = (&self.preconditioned, &self.factor);
        // The table's Scale-Add: p ← z + β p
        textures.replace(&mut self.direction, |p, new| space.scale_add(z, (1.0, beta, p), new))?;
        self.delta.swap(0, 1);
        Ok(())
    }

    /// The factor ← above / below.
    fn divide(&self, above: &Stream, below: &Stream) -> Result<(), StreamError> {
        Pass::new(&self.quotient)
            .read("above", above)
            .read("below", below)
            .draw(&self.factor, self.factor.full())
    }
}
