//! Cycles over grids without a border: what is left of the time is what the border costs (Bolz et
//! al. 2003, section 4.2, texture layout).
//!
//! Every kernel's inner program runs over all texels but the ring, which nothing brings in step. The
//! numbers are wrong near the sides of the quadrants, and the same work is done everywhere else.

use std::rc::Rc;

use crate::solver::{Hierarchy, Levels, Start};
use crate::stream::{Machine, Pass, Rect, Rects, Stream, StreamError};

use crate::bolz2003::grid::hierarchy::GridHierarchy;
use crate::bolz2003::grid::kernels::GridKernels;

/// A hierarchy, drawn without its borders. The coarsest level is solved as ever.
pub struct Borderless<'a> {
    gpu: &'a GridHierarchy,
    kernels: Rc<GridKernels>,
    levels: Vec<BorderlessLevel>,
}

/// The vectors of a level.
struct BorderlessLevel {
    /// All texels but the ring.
    inside: Rects,
    b: Stream,
    u: Stream,
    /// Takes turns with u.
    spare: Stream,
}

impl<'a> Borderless<'a> {
    /// The same levels, from a finest u.
    pub fn new(machine: &Machine, gpu: &'a GridHierarchy, u: Stream) -> Result<Self, StreamError> {
        let level = |level| {
            let grid = gpu.level(level).grid();
            let (width, height) = grid.layering().size();
            let inside = Rect::at([1, 1], (width - 2, height - 2));
            Ok(BorderlessLevel {
                inside: machine.rect(inside)?,
                b: grid.zeros("b")?,
                u: grid.zeros("u")?,
                spare: grid.zeros("spare")?,
            })
        };
        let levels = (0..gpu.levels()).map(level);
        let mut levels = levels.collect::<Result<Vec<_>, StreamError>>()?;
        levels[0].u = u;
        Ok(Self {
            gpu,
            kernels: GridKernels::new(machine)?,
            levels,
        })
    }
}

impl Levels for Borderless<'_> {
    type Error = StreamError;

    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn smooth(&mut self, at: usize, sweeps: usize, start: Start) -> Result<(), StreamError> {
        let (level, omega) = (self.gpu.level(at), self.gpu.options().omega as f32);
        let vectors = &mut self.levels[at];
        let mut sweeps = sweeps;
        if start == Start::Zero && sweeps > 0 {
            let pass = Pass::new(level.kernels().scale_by_diagonal.inner());
            let pass = level.operand(pass, &vectors.b).set("omega", omega);
            pass.draw(&vectors.u, &vectors.inside)?;
            sweeps -= 1;
        }
        for _ in 0..sweeps {
            let pass = Pass::new(level.kernels().jacobi.inner());
            let pass = level.operand(pass, &vectors.u).read("b", &vectors.b);
            pass.set("omega", omega)
                .draw(&vectors.spare, &vectors.inside)?;
            std::mem::swap(&mut vectors.u, &mut vectors.spare);
        }
        Ok(())
    }

    fn solve_coarsest(&mut self, start: Start) -> Result<(), StreamError> {
        let at = self.levels.len() - 1;
        let BorderlessLevel { b, u, .. } = &mut self.levels[at];
        self.gpu.solve_coarsest(start, b, u)
    }

    fn descend(&mut self, at: usize) -> Result<(), StreamError> {
        let (level, vectors, coarser) =
            (self.gpu.level(at), &self.levels[at], &self.levels[at + 1]);
        let pass = Pass::new(level.kernels().residual.inner());
        let pass = level.operand(pass, &vectors.u).read("b", &vectors.b);
        pass.draw(&vectors.spare, &vectors.inside)?;
        Pass::new(self.kernels.project.inner())
            .read("fine", &vectors.spare)
            .draw(&coarser.b, &coarser.inside)
    }

    fn ascend(&mut self, at: usize) -> Result<(), StreamError> {
        let (vectors, coarser) = (&self.levels[at], &self.levels[at + 1]);
        Pass::new(self.kernels.correct.inner())
            .read("coarse", &coarser.u)
            .read("u", &vectors.u)
            .draw(&vectors.spare, &vectors.inside)?;
        let vectors = &mut self.levels[at];
        std::mem::swap(&mut vectors.u, &mut vectors.spare);
        Ok(())
    }
}
