//! How fast the solver of section 4 is: whole cycles with what they make the machine do, what the
//! border costs, and a solve (section 4.3). Single kernels are in [`super::kernels`].

use std::time::Instant;

use crate::card::cost::bill;
use crate::claim::timing::{Effort, Work, median, medians};
use crate::solver::{Criteria, Cycle, Multigrid, Reason, Start, multigrid};
use crate::stream::{Machine, Stream, StreamError};

use super::borderless::Borderless;
use crate::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::layering::BorderSync;
use crate::bolz2003::grid::poisson::StencilStorage;
use crate::bolz2003::grid::stencil::Stencils;

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

    pub(crate) fn grid(&self) -> Grid {
        Grid::new(self.n, self.n, Sides::all(self.boundary))
            .expect("sizes that are timed can be coarsened")
    }

    pub(crate) fn stencils(&self) -> Stencils<f32> {
        Stencils::helmholtz(self.grid(), |_, _| 1.0, |_, _| 0.0)
    }

    /// Its hierarchy of grids.
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
pub(crate) fn random(gpu: &GridHierarchy) -> Result<Stream, StreamError> {
    let layering = gpu.grid().layering();
    let stream = gpu.grid().zeros("random")?;
    let nodes = random_nodes(&layering.grid, 1);
    stream.write(&layering.image(&nodes))?;
    Ok(stream)
}

/// Random values in [-1, 1) where nodes are computed, zero elsewhere; the same on every machine.
pub fn random_nodes(grid: &Grid, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f64 / (1u64 << 23) as f64 - 1.0) as f32
    };
    let columns = grid.columns();
    (0..grid.nodes())
        .map(|place| {
            let value = next();
            match grid.is_computed(place % columns, place / columns) {
                true => value,
                false => 0.0,
            }
        })
        .collect()
}

/// A cycle is a chain of many passes already.
fn of_cycles(effort: Effort) -> Effort {
    Effort {
        rounds: effort.rounds.min(9),
        chain: 1,
    }
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
            nv30_seconds: bill(&ledger).total().nv30_seconds,
        });
        runs.push(move |_| multigrid.cycle(Start::Given, &b, &mut u));
    }
    let mut runs = runs.into_iter();
    let works: [Work; N] = std::array::from_fn(|_| match runs.next() {
        Some(run) => Box::new(run) as Work,
        None => Box::new(|_| Ok(())),
    });
    let seconds = medians(machine, of_cycles(effort), works)?;
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
    let [fused, copied, none] = medians(machine, of_cycles(effort), works)?;
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
