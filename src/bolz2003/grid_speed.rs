//! How fast the solver of section 4 is: each kernel beside its ceiling, whole cycles with what they
//! make the machine do, what the border costs, and a solve (section 4.3).
//!
//! A kernel's ceiling makes the same fetches and writes the same texels, but adds up what it fetches,
//! for all texels alike: the border, and everything that is computed, is what the kernel takes more.

use std::rc::Rc;
use std::time::Instant;

use crate::experiment::timing::{Effort, Work, median, medians};
use crate::solver::{Criteria, Cycle, Multigrid, Reason, Start, multigrid};
use crate::stream::{Kernel, Machine, Pass, Source, Stream, StreamError};

use super::borderless::{Borderless, ENTRIES};
use super::grid::{Boundary, Grid, Sides};
use super::grid_cpu::CpuStencil;
use super::grid_hierarchy::{GridHierarchy, HierarchyOptions};
use super::grid_kernels::GridKernels;
use super::grid_level::GridLevel;
use super::layering::BorderSync;
use super::poisson::StencilStorage;
use super::stencil::Stencils;

const STENCIL_CEILING: Source = Source {
    name: "bolz2003/stencil_ceiling",
    text: concat!(
        include_str!("../../glsl/bolz2003/stencil_entries.glsl"),
        include_str!("../../glsl/bolz2003/stencil_ceiling.frag")
    ),
};
const INTERPOLATE_CEILING: Source = Source {
    name: "bolz2003/interpolate_ceiling",
    text: include_str!("../../glsl/bolz2003/interpolate_ceiling.frag"),
};
const PROJECT_CEILING: Source = Source {
    name: "bolz2003/project_ceiling",
    text: include_str!("../../glsl/bolz2003/project_ceiling.frag"),
};

/// The weight of Jacobi.
const OMEGA: f32 = 2.0 / 3.0;

/// −∇²u = g on n² nodes with this condition on all sides.
pub struct Problem {
    /// Nodes of a side.
    pub n: usize,
    /// The condition.
    pub boundary: Boundary,
    /// Where the stencils are kept.
    pub storage: StencilStorage,
    /// Layout, border, coarsest level.
    pub options: HierarchyOptions,
}

impl Problem {
    /// With Dirichlet conditions and stencils in streams, as the paper keeps them.
    pub fn stored(n: usize) -> Self {
        Self {
            n,
            boundary: Boundary::Dirichlet,
            storage: StencilStorage::Streams,
            options: HierarchyOptions::default(),
        }
    }

    /// With Dirichlet conditions and stencils in constants.
    pub fn constant(n: usize) -> Self {
        Self {
            storage: StencilStorage::Automatic,
            ..Self::stored(n)
        }
    }

    /// The same with other options.
    pub fn with(self, options: HierarchyOptions) -> Self {
        Self { options, ..self }
    }

    fn grid(&self) -> Grid {
        Grid::new(self.n, self.n, Sides::all(self.boundary))
            .expect("sizes that are timed can be coarsened")
    }

    fn stencils(&self) -> Stencils<f32> {
        Stencils::helmholtz(self.grid(), |_, _| 1.0, |_, _| 0.0)
    }

    /// Its hierarchy of grids.
    ///
    /// # Errors
    /// When memory is short.
    pub fn hierarchy(&self, machine: &Machine) -> Result<GridHierarchy, StreamError> {
        match self.storage {
            StencilStorage::Streams => {
                GridHierarchy::stored(machine, &self.stencils(), self.options)
            }
            StencilStorage::Automatic => {
                GridHierarchy::constant(machine, self.grid(), 0.0, self.options)
            }
        }
    }
}

/// Random values where nodes are computed, as a vector.
fn random(gpu: &GridHierarchy) -> Result<Stream, StreamError> {
    let layering = gpu.grid().layering();
    let stream = gpu.grid().zeros("random")?;
    let nodes = super::experiments::grid_problem::random(&layering.grid, 1);
    stream.write(&layering.image(&nodes))?;
    Ok(stream)
}

/// Median seconds of the kernels on a grid and between it and the next coarser one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelSeconds {
    /// v ← A u
    pub product: f64,
    /// v ← u + ω D⁻¹ (b − A u)
    pub jacobi: f64,
    /// v ← S coarse
    pub interpolation: f64,
    /// v ← P fine
    pub projection: f64,
}

/// Times the kernels. Each run writes another target than the one before.
///
/// # Errors
/// When memory is short.
pub fn kernels(
    machine: &Machine,
    problem: &Problem,
    effort: Effort,
) -> Result<KernelSeconds, StreamError> {
    let gpu = problem.hierarchy(machine)?;
    let kernels = GridKernels::new(machine)?;
    let (fine, coarse) = (gpu.level(0), gpu.level(1));
    let (vectors, short) = (pair(fine)?, pair(coarse)?);
    let b = random(&gpu)?;
    let works: [Work; 4] = [
        Box::new(|run| fine.multiply(&vectors[(run + 1) % 2], &vectors[run % 2])),
        Box::new(|run| fine.jacobi(OMEGA, &b, &vectors[(run + 1) % 2], &vectors[run % 2])),
        Box::new(|run| {
            fine.grid()
                .draw(&kernels.interpolate, &vectors[run % 2], |pass| {
                    pass.read("coarse", &short[0])
                })
        }),
        Box::new(|run| {
            coarse
                .grid()
                .draw(&kernels.project, &short[run % 2], |pass| {
                    pass.read("fine", &b)
                })
        }),
    ];
    let [product, jacobi, interpolation, projection] = medians(machine, effort, works)?;
    Ok(KernelSeconds {
        product,
        jacobi,
        interpolation,
        projection,
    })
}

/// What the model of the NV30 gives the kernels.
///
/// # Errors
/// When memory is short.
pub fn nv30_kernels(machine: &Machine, problem: &Problem) -> Result<KernelSeconds, StreamError> {
    machine.take_ledger();
    let once = Effort {
        rounds: 1,
        chain: 2,
    };
    kernels(machine, problem, once)?;
    let ledger = machine.take_ledger();
    // A kernel's two programs, for inner texels and for the border, make up one run.
    let seconds = |name: &str| {
        let of_kernel = |program: &str| program.split(',').next() == Some(name);
        let programs = ledger.kernels.iter().filter(|(name, _)| of_kernel(name));
        programs
            .map(|(_, account)| account.nv30_seconds / account.passes as f64)
            .sum()
    };
    Ok(KernelSeconds {
        product: seconds("bolz2003/stencil_product"),
        jacobi: seconds("bolz2003/stencil_jacobi"),
        interpolation: seconds("bolz2003/interpolate"),
        projection: seconds("bolz2003/project"),
    })
}

/// Two vectors of a level that take turns.
fn pair(level: &GridLevel) -> Result<[Stream; 2], StreamError> {
    Ok([level.grid().zeros("even")?, level.grid().zeros("odd")?])
}

/// Times the ceilings of the kernels, with stencils in streams.
///
/// # Errors
/// When memory is short.
pub fn ceilings(
    machine: &Machine,
    problem: &Problem,
    effort: Effort,
) -> Result<KernelSeconds, StreamError> {
    let gpu = problem.hierarchy(machine)?;
    let (fine, coarse) = (gpu.level(0), gpu.level(1));
    let Some(entries) = fine.stored() else {
        return kernels(machine, problem, effort);
    };
    let (vectors, short) = (pair(fine)?, pair(coarse)?);
    let b = random(&gpu)?;
    let rects = machine.rect(vectors[0].full())?;
    let short_rects = machine.rect(short[0].full())?;
    let program = |source, define: &[(&str, &str)]| machine.kernel(source, define);
    let product = program(&STENCIL_CEILING, &[("RIGHT_SIDE", "vec4(0.0)")])?;
    let jacobi = program(&STENCIL_CEILING, &[("RIGHT_SIDE", "fetch(b, here)")])?;
    let interpolate = program(&INTERPOLATE_CEILING, &[])?;
    let project = program(&PROJECT_CEILING, &[])?;
    let stencil = |kernel: &Rc<Kernel>, b: Option<&Stream>, run: usize| {
        let named = ENTRIES.iter().zip(entries);
        let pass = named.fold(Pass::new(kernel), |pass, (name, entry)| {
            pass.read(name, entry)
        });
        let pass = pass.read("u", &vectors[(run + 1) % 2]);
        match b {
            Some(b) => pass.read("b", b),
            None => pass,
        }
        .draw(&vectors[run % 2], &rects)
    };
    let works: [Work; 4] = [
        Box::new(|run| stencil(&product, None, run)),
        Box::new(|run| stencil(&jacobi, Some(&b), run)),
        Box::new(|run| {
            let pass = Pass::new(&interpolate).read("x", &short[0]);
            pass.draw(&vectors[run % 2], &rects)
        }),
        Box::new(|run| {
            let pass = Pass::new(&project).read("x", &b);
            pass.draw(&short[run % 2], &short_rects)
        }),
    ];
    let [product, jacobi, interpolation, projection] = medians(machine, effort, works)?;
    Ok(KernelSeconds {
        product,
        jacobi,
        interpolation,
        projection,
    })
}

/// Times the product on the CPU: median seconds.
///
/// # Errors
/// None that the machine does not have.
pub fn cpu_product(
    machine: &Machine,
    problem: &Problem,
    effort: Effort,
) -> Result<f64, StreamError> {
    let matrix = CpuStencil::new(&problem.stencils());
    let nodes = vec![1.0; problem.grid().nodes()];
    let mut vectors = [matrix.framed(&nodes), matrix.framed(&nodes)];
    let works: [Work; 1] = [Box::new(move |run| {
        let [even, odd] = &mut vectors;
        match run % 2 {
            0 => matrix.multiply(odd, even),
            _ => matrix.multiply(even, odd),
        }
        Ok(())
    })];
    Ok(medians(machine, effort, works)?[0])
}

/// What a cycle takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CycleCost {
    /// Median seconds.
    pub seconds: f64,
    /// Unknowns of the finest grid.
    pub unknowns: usize,
    /// Draw calls.
    pub passes: u64,
    /// Changes of the render target.
    pub target_switches: u64,
    /// Fragments that run.
    pub fragments: u64,
    /// Seconds by the model of the NV30.
    pub nv30_seconds: f64,
}

/// Times V-cycles of this shape, one problem after the other in turns.
///
/// # Errors
/// When memory is short.
pub fn cycles<const N: usize>(
    machine: &Machine,
    problems: [Problem; N],
    shape: Cycle,
    effort: Effort,
) -> Result<[CycleCost; N], StreamError> {
    let hierarchies = problems.iter().map(|problem| problem.hierarchy(machine));
    let hierarchies: Vec<_> = hierarchies.collect::<Result<_, _>>()?;
    let mut runs = Vec::new();
    let mut costs = Vec::new();
    for (gpu, problem) in hierarchies.iter().zip(&problems) {
        let mut multigrid = Multigrid::new(gpu, shape)?;
        let (b, mut u) = (gpu.grid().zeros("b")?, random(gpu)?);
        multigrid.cycle(Start::Given, &b, &mut u)?;
        machine.take_ledger();
        multigrid.cycle(Start::Given, &b, &mut u)?;
        let ledger = machine.take_ledger();
        let total = ledger.total();
        costs.push(CycleCost {
            seconds: 0.0,
            unknowns: problem.grid().nodes(),
            passes: total.passes,
            target_switches: ledger.target_switches,
            fragments: total.fragments,
            nv30_seconds: total.nv30_seconds,
        });
        runs.push(move |_| multigrid.cycle(Start::Given, &b, &mut u));
    }
    let mut runs = runs.into_iter();
    let works: [Work; N] = std::array::from_fn(|_| match runs.next() {
        Some(run) => Box::new(run) as Work,
        None => Box::new(|_| Ok(())),
    });
    let seconds = medians(machine, effort, works)?;
    Ok(std::array::from_fn(|k| CycleCost {
        seconds: seconds[k],
        ..costs[k]
    }))
}

/// The parts of a V-cycle's time that the border takes: everything that a grid without one would do
/// without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BorderShare {
    /// With duplicates computed by the kernels.
    pub fused: f64,
    /// With duplicates copied after every kernel, as in the paper.
    pub copied: f64,
}

/// Times V-cycles with borders fused, copied, and without any, all else being equal.
///
/// # Errors
/// When memory is short.
pub fn border_share(
    machine: &Machine,
    n: usize,
    shape: Cycle,
    effort: Effort,
) -> Result<BorderShare, StreamError> {
    let hierarchy = |sync| {
        let options = HierarchyOptions {
            sync,
            ..HierarchyOptions::default()
        };
        Problem::stored(n).with(options).hierarchy(machine)
    };
    let (fused, copied) = (hierarchy(BorderSync::Fused)?, hierarchy(BorderSync::Copy)?);
    let none = Borderless::new(machine, &fused)?;
    let b = fused.grid().zeros("b")?;
    let [mut u, mut v, mut w] = [random(&fused)?, random(&fused)?, random(&fused)?];
    let mut of_fused = Multigrid::new(&fused, shape)?;
    let mut of_copied = Multigrid::new(&copied, shape)?;
    let mut of_none = Multigrid::new(&none, shape)?;
    let works: [Work; 3] = [
        Box::new(|_| of_fused.cycle(Start::Given, &b, &mut u)),
        Box::new(|_| of_copied.cycle(Start::Given, &b, &mut v)),
        Box::new(|_| of_none.cycle(Start::Given, &b, &mut w)),
    ];
    let [fused, copied, none] = medians(machine, effort, works)?;
    Ok(BorderShare {
        fused: 1.0 - none / fused,
        copied: 1.0 - none / copied,
    })
}

/// A solve of −∇²u = 0 from a random start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solve {
    /// Why it stopped.
    pub reason: Reason,
    /// Cycles.
    pub cycles: usize,
    /// The residual, relative to the first.
    pub residual: f64,
    /// Median seconds of the cycles, each with the norm of the residual.
    pub seconds: f64,
    /// Seconds for the stencils, streams and programs, compiled before.
    pub set_up: f64,
}

/// Solves to a relative residual, several times.
///
/// # Errors
/// When memory is short.
pub fn solve(
    machine: &Machine,
    problem: &Problem,
    shape: Cycle,
    rtol: f64,
    rounds: usize,
) -> Result<Solve, StreamError> {
    let criteria = Criteria {
        rtol,
        ..multigrid::default_criteria()
    };
    let (mut seconds, mut set_ups) = (Vec::new(), Vec::new());
    let mut last = None;
    for round in 0..=rounds.max(1) {
        let start = Instant::now();
        let gpu = problem.hierarchy(machine)?;
        let mut multigrid = Multigrid::new(&gpu, shape)?;
        machine.finish();
        let set_up = start.elapsed().as_secs_f64();
        let (b, mut u) = (gpu.grid().zeros("b")?, random(&gpu)?);
        machine.finish();
        let start = Instant::now();
        let outcome = multigrid.solve(&b, &mut u, &criteria, |_, _| ())?;
        machine.finish();
        // The first round compiles the programs.
        if round > 0 {
            set_ups.push(set_up);
            seconds.push(start.elapsed().as_secs_f64());
        }
        last = Some(outcome);
    }
    let outcome = last.expect("two rounds at least");
    Ok(Solve {
        reason: outcome.reason,
        cycles: outcome.iterations,
        residual: outcome.residual / outcome.history[0],
        seconds: median(seconds),
        set_up: median(set_ups),
    })
}
