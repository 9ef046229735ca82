//! Cycles over grids without a border: what is left of the time is what the border costs (Bolz et
//! al. 2003, section 4.2, texture layout).
//!
//! Every kernel's inner program runs over all texels but the ring, which nothing brings in step. The
//! numbers are wrong near the sides of the quadrants, and the same work is done everywhere else.

use std::cell::RefCell;
use std::rc::Rc;

use crate::solver::{Hierarchy, Start};
use crate::stream::{Kernel, Machine, Pass, Rect, Rects, Stream, StreamError};

use crate::bolz2003::grid::hierarchy::GridHierarchy;
use crate::bolz2003::grid::kernels::GridKernels;

/// A hierarchy, drawn without its borders. The coarsest level is solved as ever.
pub struct Borderless<'a> {
    gpu: &'a GridHierarchy,
    kernels: Rc<GridKernels>,
    /// All texels but the ring, and the stream that takes turns with the unknown, level by level.
    levels: Vec<(Rects, RefCell<Stream>)>,
}

impl<'a> Borderless<'a> {
    /// The same levels.
    pub fn new(machine: &Machine, gpu: &'a GridHierarchy) -> Result<Self, StreamError> {
        let level = |level| {
            let grid = gpu.level(level).grid();
            let (width, height) = grid.layering().size();
            let inside = Rect {
                x: 1,
                y: 1,
                width: width - 2,
                height: height - 2,
            };
            Ok((machine.rect(inside)?, RefCell::new(grid.zeros("spare")?)))
        };
        Ok(Self {
            gpu,
            kernels: GridKernels::new(machine)?,
            levels: (0..gpu.levels())
                .map(level)
                .collect::<Result<_, StreamError>>()?,
        })
    }

    /// Runs a kernel's inner program.
    fn draw<'p>(
        &self,
        level: usize,
        kernel: &'p Kernel,
        target: &Stream,
        bind: impl FnOnce(Pass<'p>) -> Pass<'p>,
    ) -> Result<(), StreamError> {
        bind(Pass::new(kernel)).draw(target, &self.levels[level].0)
    }

    /// Renders u anew into the spare, then lets the two change places.
    fn replace(
        &self,
        level: usize,
        u: &mut Stream,
        draw: impl FnOnce(&Stream, &Stream) -> Result<(), StreamError>,
    ) -> Result<(), StreamError> {
        let mut spare = self.levels[level].1.borrow_mut();
        draw(u, &spare)?;
        std::mem::swap(u, &mut spare);
        Ok(())
    }
}

impl Hierarchy for Borderless<'_> {
    type Vector = Stream;
    type Error = StreamError;

    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn zeros(&self, level: usize) -> Result<Stream, StreamError> {
        self.gpu.zeros(level)
    }

    fn relax(
        &self,
        at: usize,
        sweeps: usize,
        start: Start,
        b: &Stream,
        u: &mut Stream,
    ) -> Result<(), StreamError> {
        let level = self.gpu.level(at);
        let omega = self.gpu.options().omega as f32;
        let mut sweeps = sweeps;
        if start == Start::Zero && sweeps > 0 {
            let kernel = level.kernels().scale_by_diagonal.inner();
            self.draw(at, kernel, u, |pass| {
                level.operand(pass, b).set("omega", omega)
            })?;
            sweeps -= 1;
        }
        let kernel = level.kernels().jacobi.inner();
        for _ in 0..sweeps {
            self.replace(at, u, |u, target| {
                self.draw(at, kernel, target, |pass| {
                    level.operand(pass, u).read("b", b).set("omega", omega)
                })
            })?;
        }
        Ok(())
    }

    fn solve_coarsest(&self, start: Start, b: &Stream, u: &mut Stream) -> Result<(), StreamError> {
        self.gpu.solve_coarsest(start, b, u)
    }

    fn project_residual(
        &self,
        at: usize,
        b: &Stream,
        u: &Stream,
        coarse: &mut Stream,
    ) -> Result<(), StreamError> {
        let level = self.gpu.level(at);
        let residual = self.levels[at].1.borrow();
        self.draw(at, level.kernels().residual.inner(), &residual, |pass| {
            level.operand(pass, u).read("b", b)
        })?;
        self.project(at, &residual, coarse)
    }

    fn project(&self, level: usize, fine: &Stream, coarse: &mut Stream) -> Result<(), StreamError> {
        let kernel = self.kernels.project.inner();
        self.draw(level + 1, kernel, coarse, |pass| pass.read("fine", fine))
    }

    fn correct(&self, level: usize, coarse: &Stream, u: &mut Stream) -> Result<(), StreamError> {
        self.replace(level, u, |u, target| {
            self.draw(level, self.kernels.correct.inner(), target, |pass| {
                pass.read("coarse", coarse).read("u", u)
            })
        })
    }

    fn interpolate(
        &self,
        level: usize,
        coarse: &Stream,
        u: &mut Stream,
    ) -> Result<(), StreamError> {
        let kernel = self.kernels.interpolate.inner();
        self.draw(level, kernel, u, |pass| pass.read("coarse", coarse))
    }

    fn residual_norm(&self, b: &Stream, u: &Stream) -> Result<f64, StreamError> {
        self.gpu.residual_norm(b, u)
    }

    fn norm(&self, b: &Stream) -> Result<f64, StreamError> {
        self.gpu.norm(b)
    }
}
