//! Speed of the kernels of section 4, compared with their ceilings, with the CPU, and with the model of
//! the NV30 (section 4.3).
//!
//! A kernel's ceiling makes the same fetches and writes the same texels, but only adds the values that it fetches,
//! in the same way for all texels: the border and the arithmetic are the difference.

use std::rc::Rc;

use crate::solver::Hierarchy;
use crate::stream::{Machine, Pass, Source, Stream, StreamError, source};
use crate::timing::rig::{program, work};
use crate::timing::{Case, PingPong, TimingError, Work};

use super::cpu::CpuStencil;
use super::problem::{Problem, random};
use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::hierarchy::{GridHierarchy, StencilStorage};
use crate::bolz2003::grid::kernels::GridKernels;
use crate::bolz2003::grid::stencil::Stencils;

const STENCIL_CEILING: Source =
    source!("bolz2003/grid/stencil/ceiling", with "bolz2003/grid/stencil/stencil_entries");
const INTERPOLATE_CEILING: Source = source!("bolz2003/grid/transfer/interpolate_ceiling");
const PROJECT_CEILING: Source = source!("bolz2003/grid/transfer/project_ceiling");

/// The weight of Jacobi.
const OMEGA: f32 = 2.0 / 3.0;

/// A kernel of a cycle, on the finest grid or between it and the next coarser one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timed {
    /// v ← A u
    Product,
    /// v ← u + ω D⁻¹ (b − A u)
    Jacobi,
    /// v ← S coarse
    Interpolation,
    /// v ← P fine
    Projection,
}

impl Timed {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Product,
        Self::Jacobi,
        Self::Interpolation,
        Self::Projection,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Product => "stencil product",
            Self::Jacobi => "Jacobi sweep",
            Self::Interpolation => "interpolation",
            Self::Projection => "projection",
        }
    }

    /// The kernel with its ceiling, for stencils in streams; the product with the CPU too.
    pub fn case(self, machine: &Machine, problem: &Problem) -> Result<Case<'static>, TimingError> {
        let rig = Rc::new(Rig::new(machine, problem)?);
        let mut case = Case::new(rig.kernel(self)?);
        if problem.storage == StencilStorage::Streams {
            case = case.beside(rig.ceiling(machine, self)?, 1.0);
        }
        Ok(match self {
            Self::Product => case.against(product_on_cpu(problem.grid()?)),
            _ => case,
        })
    }
}

/// Streams and hierarchy on which the kernels of a problem run.
struct Rig {
    gpu: GridHierarchy,
    kernels: Rc<GridKernels>,
    b: Stream,
}

impl Rig {
    fn new(machine: &Machine, problem: &Problem) -> Result<Self, TimingError> {
        let gpu = problem.hierarchy(machine)?;
        Ok(Self {
            kernels: GridKernels::new(machine)?,
            b: random(&gpu)?,
            gpu,
        })
    }

    /// The level below the finest, if there is one.
    fn coarser(&self) -> usize {
        1.min(self.gpu.levels() - 1)
    }

    /// Two vectors of a level used alternately: each run writes another target than the one before, so
    /// that none is dropped.
    fn ping_pong(&self, level: usize) -> Result<PingPong<Stream>, StreamError> {
        PingPong::new(2, || self.gpu.level(level).grid().zeros("vector"))
    }

    fn kernel(self: &Rc<Self>, kernel: Timed) -> Result<Work<'static>, StreamError> {
        let rig = Rc::clone(self);
        let (mut fine, mut coarse) = (self.ping_pong(0)?, self.ping_pong(self.coarser())?);
        Ok(work(move |run| {
            let ((u, v), (short, target)) = (fine.of(run), coarse.of(run));
            match kernel {
                Timed::Product => rig.gpu.level(0).multiply(u, v),
                Timed::Jacobi => rig.gpu.level(0).jacobi(OMEGA, &rig.b, u, v),
                Timed::Interpolation => rig.gpu.interpolate(0, short, v),
                Timed::Projection => (rig.gpu.level(rig.coarser()).grid()).draw(
                    &rig.kernels.project,
                    target,
                    |pass| pass.read("fine", &rig.b),
                ),
            }
        }))
    }

    fn ceiling(
        self: &Rc<Self>,
        machine: &Machine,
        kernel: Timed,
    ) -> Result<Work<'static>, StreamError> {
        let rig = Rc::clone(self);
        let (mut fine, mut coarse) = (self.ping_pong(0)?, self.ping_pong(self.coarser())?);
        let stencil = |right_side| machine.kernel(&STENCIL_CEILING, &[("RIGHT_SIDE", right_side)]);
        let program = match kernel {
            Timed::Product => stencil("vec4(0.0)")?,
            Timed::Jacobi => stencil("fetch(b, here)")?,
            Timed::Interpolation => machine.kernel(&INTERPOLATE_CEILING, &[])?,
            Timed::Projection => machine.kernel(&PROJECT_CEILING, &[])?,
        };
        // All texels, without a border.
        let [all, all_of_next] =
            [&mut fine, &mut coarse].map(|pair| machine.rect(pair.of(0).1.full()));
        let (all, all_of_next) = (all?, all_of_next?);
        Ok(work(move |run| {
            let ((u, v), (short, target)) = (fine.of(run), coarse.of(run));
            let pass = Pass::new(&program);
            match kernel {
                Timed::Product | Timed::Jacobi => (rig.gpu.level(0).operand(pass, u))
                    .read("b", &rig.b)
                    .draw(v, &all),
                Timed::Interpolation => pass.read("x", short).draw(v, &all),
                Timed::Projection => pass.read("x", &rig.b).draw(target, &all_of_next),
            }
        }))
    }
}

fn product_on_cpu(grid: Grid) -> Work<'static> {
    let matrix = CpuStencil::new(&Stencils::helmholtz(grid, |_, _| 1.0, |_, _| 0.0));
    let mut vectors = PingPong::of_two(matrix.framed(&vec![1.0; grid.nodes()]));
    program(move |run| {
        let (u, v) = vectors.of(run);
        matrix.multiply(u, v);
    })
}
