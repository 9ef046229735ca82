//! How fast the kernels of section 4 are: each beside its ceiling, beside the CPU, and in the model of
//! the NV30 (section 4.3).
//!
//! A kernel's ceiling makes the same fetches and writes the same texels, but adds up what it fetches,
//! for all texels alike: the border, and everything that is computed, is what the kernel takes more.

use std::rc::Rc;

use crate::card::cost::bill;
use crate::claim::timing::{Effort, Work, medians};
use crate::stream::{Kernel, Machine, Pass, Rects, Source, Stream, StreamError, source};

use super::cpu::CpuStencil;
use super::cycles::{Problem, random};
use crate::bolz2003::grid::hierarchy::GridHierarchy;
use crate::bolz2003::grid::kernels::GridKernels;

const STENCIL_CEILING: Source =
    source!("bolz2003/stencil_ceiling", with "bolz2003/stencil_entries");
const INTERPOLATE_CEILING: Source = source!("bolz2003/interpolate_ceiling");
const PROJECT_CEILING: Source = source!("bolz2003/project_ceiling");

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

    /// The name of its program over inner texels.
    fn program(self) -> &'static str {
        match self {
            Self::Product => "bolz2003/stencil_product",
            Self::Jacobi => "bolz2003/stencil_jacobi",
            Self::Interpolation => "bolz2003/interpolate",
            Self::Projection => "bolz2003/project",
        }
    }
}

/// The kernels of a problem with vectors to run them on. Each run writes another target than the one
/// before, so that none is dropped.
struct Rig {
    gpu: GridHierarchy,
    kernels: Rc<GridKernels>,
    /// Two vectors of the finest level that take turns, and two of the next.
    vectors: [Stream; 2],
    short: [Stream; 2],
    b: Stream,
}

impl Rig {
    fn new(machine: &Machine, problem: &Problem) -> Result<Self, StreamError> {
        let gpu = problem.hierarchy(machine)?;
        let pair = |level: usize| {
            let grid = gpu.level(level).grid();
            Ok::<_, StreamError>([grid.zeros("even")?, grid.zeros("odd")?])
        };
        Ok(Self {
            kernels: GridKernels::new(machine)?,
            vectors: pair(0)?,
            short: pair(1)?,
            b: random(&gpu)?,
            gpu,
        })
    }

    fn run(&self, kernel: Timed, run: usize) -> Result<(), StreamError> {
        let (fine, coarse) = (self.gpu.level(0), self.gpu.level(1));
        let (u, v) = (&self.vectors[(run + 1) % 2], &self.vectors[run % 2]);
        match kernel {
            Timed::Product => fine.multiply(u, v),
            Timed::Jacobi => fine.jacobi(OMEGA, &self.b, u, v),
            Timed::Interpolation => fine.grid().draw(&self.kernels.interpolate, v, |pass| {
                pass.read("coarse", &self.short[0])
            }),
            Timed::Projection => {
                let target = &self.short[run % 2];
                coarse.grid().draw(&self.kernels.project, target, |pass| {
                    pass.read("fine", &self.b)
                })
            }
        }
    }
}

/// The ceilings of a rig's kernels.
struct Ceilings<'a> {
    rig: &'a Rig,
    product: Rc<Kernel>,
    jacobi: Rc<Kernel>,
    interpolate: Rc<Kernel>,
    project: Rc<Kernel>,
    /// All texels of the finest level and of the next.
    rects: [Rects; 2],
}

impl<'a> Ceilings<'a> {
    fn new(machine: &Machine, rig: &'a Rig) -> Result<Self, StreamError> {
        let stencil = |right_side| machine.kernel(&STENCIL_CEILING, &[("RIGHT_SIDE", right_side)]);
        Ok(Self {
            product: stencil("vec4(0.0)")?,
            jacobi: stencil("fetch(b, here)")?,
            interpolate: machine.kernel(&INTERPOLATE_CEILING, &[])?,
            project: machine.kernel(&PROJECT_CEILING, &[])?,
            rects: [
                machine.rect(rig.vectors[0].full())?,
                machine.rect(rig.short[0].full())?,
            ],
            rig,
        })
    }

    fn run(&self, kernel: Timed, run: usize) -> Result<(), StreamError> {
        let rig = self.rig;
        let (fine, coarse) = (&rig.vectors[run % 2], &rig.short[run % 2]);
        let [rects, short] = &self.rects;
        match kernel {
            Timed::Product => self.stencil(&self.product, run).draw(fine, rects),
            Timed::Jacobi => self.stencil(&self.jacobi, run).draw(fine, rects),
            Timed::Interpolation => {
                let pass = Pass::new(&self.interpolate).read("x", &rig.short[0]);
                pass.draw(fine, rects)
            }
            Timed::Projection => {
                let pass = Pass::new(&self.project).read("x", &rig.b);
                pass.draw(coarse, short)
            }
        }
    }

    fn stencil<'p>(&'p self, kernel: &'p Kernel, run: usize) -> Pass<'p> {
        let rig = self.rig;
        let fine = rig.gpu.level(0);
        fine.operand(Pass::new(kernel), &rig.vectors[(run + 1) % 2])
            .read("b", &rig.b)
    }
}

/// Median seconds of a kernel for each of several problems, in turns.
pub fn kernel_seconds<const N: usize>(
    machine: &Machine,
    problems: [&Problem; N],
    kernel: Timed,
    effort: Effort,
) -> Result<[f64; N], StreamError> {
    let rigs = problems.iter().map(|problem| Rig::new(machine, problem));
    let rigs: Vec<Rig> = rigs.collect::<Result<_, _>>()?;
    let works: [Work; N] = std::array::from_fn(|k| {
        let rig = &rigs[k];
        Box::new(move |run| rig.run(kernel, run)) as Work
    });
    medians(machine, effort, works)
}

/// Median seconds of a kernel and of its ceiling, for stencils in streams, in turns.
pub fn beside_ceiling(
    machine: &Machine,
    problem: &Problem,
    kernel: Timed,
    effort: Effort,
) -> Result<[f64; 2], StreamError> {
    let rig = Rig::new(machine, problem)?;
    let ceilings = Ceilings::new(machine, &rig)?;
    let works: [Work; 2] = [
        Box::new(|run| rig.run(kernel, run)),
        Box::new(|run| ceilings.run(kernel, run)),
    ];
    medians(machine, effort, works)
}

/// Median seconds of the product on the machine and on the CPU, in turns.
pub fn product_beside_cpu(
    machine: &Machine,
    problem: &Problem,
    effort: Effort,
) -> Result<[f64; 2], StreamError> {
    let rig = Rig::new(machine, problem)?;
    let matrix = CpuStencil::new(&problem.stencils());
    let nodes = vec![1.0; problem.grid().nodes()];
    let mut vectors = [matrix.framed(&nodes), matrix.framed(&nodes)];
    let cpu = move |run: usize| {
        let [even, odd] = &mut vectors;
        match run % 2 {
            0 => matrix.multiply(odd, even),
            _ => matrix.multiply(even, odd),
        }
        Ok(())
    };
    let works: [Work; 2] = [Box::new(|run| rig.run(Timed::Product, run)), Box::new(cpu)];
    medians(machine, effort, works)
}

/// What the model of the NV30 gives a kernel, in seconds.
pub fn nv30_seconds(
    machine: &Machine,
    problem: &Problem,
    kernel: Timed,
) -> Result<f64, StreamError> {
    let rig = Rig::new(machine, problem)?;
    machine.take_ledger();
    rig.run(kernel, 0)?;
    // Its two programs, for inner texels and for the border, make up one run.
    let of_kernel = |program: &str| program.split(',').next() == Some(kernel.program());
    Ok(bill(&machine.take_ledger()).nv30_seconds_of(of_kernel))
}
