//! The hierarchy of grids on the GPU: the operators of all levels, relaxation and transfer
//! between levels (Bolz et al. 2003, section 4.2).

use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::settings::text;
use crate::solver::{Criteria, Hierarchy, Start, TextureSpace, conjugate_gradients};
use crate::stream::{Format, Machine, Stream, StreamError};

use super::geometry::Grid;
use super::kernels::{GridKernels, StencilKind, compose_kernel};
use super::layering::{BorderSync, ChannelUse, LayeredGrid, Layering};
use super::level::{Diagonal, GridLevel, Stencil, entries_of, entry_streams};
use super::stencil::{ConstantStencil, OFFSETS, Stencils, high_frequencies, interpolation_weight};

pub use super::level::{StencilStorage, Weights};

/// Solver of the coarsest level.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Solver", into = "Solver")]
#[schemars(with = "Solver")]
pub enum Coarsest {
    /// Jacobi sweeps with ω = 2/3, as in the paper, which does not give their number.
    Jacobi {
        /// Share of the slowest error that the sweeps leave; the smaller, the more sweeps.
        leaves: f64,
    },
    /// Conjugate gradients with the diagonal preconditioner; each iteration reads back sums.
    ConjugateGradients {
        /// Relative tolerance.
        rtol: f64,
    },
}

impl Coarsest {
    /// The default: eight sweeps on three nodes per side.
    pub const JACOBI: Self = Self::Jacobi { leaves: 1.0 / 256.0 };

    /// Conjugate gradients to three digits.
    pub const CG: Self = Self::ConjugateGradients { rtol: 1e-3 };

    /// Number of sweeps that leave this share of an error on a coarsest grid. On −∇² composed down to it, 1/3 of 8 and
    /// eight −1, a sweep reduces a wave of half a period over m cells by 1 − 3/4 ω (1 − cos π/m).
    pub(crate) fn sweeps(leaves: f64, cells: [usize; 2]) -> usize {
        let longest = cells[0].max(cells[1]) as f64;
        let slowest = 1.0 - 0.75 * Weights::PAPER * (1.0 - (std::f64::consts::PI / longest).cos());
        // Without the last digits, which are rounding errors.
        (leaves.ln() / slowest.ln() - 1e-9).ceil() as usize
    }
}

/// A solver by its name.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Solver {
    Jacobi,
    Cg,
}

impl From<Coarsest> for Solver {
    fn from(coarsest: Coarsest) -> Self {
        match coarsest {
            Coarsest::Jacobi { .. } => Self::Jacobi,
            Coarsest::ConjugateGradients { .. } => Self::Cg,
        }
    }
}

impl From<Solver> for Coarsest {
    fn from(solver: Solver) -> Self {
        match solver {
            Solver::Jacobi => Self::JACOBI,
            Solver::Cg => Self::CG,
        }
    }
}

/// Settings of a hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HierarchyOptions {
    /// Layout of the nodes in textures
    pub layout: ChannelUse,
    /// Update of the duplicated nodes on the border
    #[serde(rename = "border")]
    #[schemars(extend("takes" = "SYNC"))]
    pub sync: BorderSync,
    /// Damping factor of Jacobi's method: a number for every sweep (the paper's is 0.667, with --pre 4 and
    /// --post 2), or chebyshev for another factor in each
    #[serde(rename = "omega", with = "text")]
    #[schemars(with = "String", extend("takes" = "NUMBER|chebyshev"))]
    pub weights: Weights,
    /// Largest number of nodes of the coarsest grid
    #[schemars(range(min = 1))]
    pub coarsest_nodes: usize,
    /// Solver on the coarsest grid: Jacobi's method as in the paper, eight sweeps on 3x3 nodes and more on
    /// larger grids, or conjugate gradients with the diagonal as preconditioner
    #[schemars(extend("takes" = "SOLVER"))]
    pub coarsest: Coarsest,
}

impl Default for HierarchyOptions {
    /// The paper's options.
    fn default() -> Self {
        Self {
            layout: ChannelUse::Layered,
            sync: BorderSync::Copy,
            weights: Weights::Fixed(Weights::PAPER),
            coarsest_nodes: 9,
            coarsest: Coarsest::JACOBI,
        }
    }
}

impl HierarchyOptions {
    /// fragstream's variant: every program computes the border too, without further passes.
    pub fn fused() -> Self {
        Self { sync: BorderSync::Fused, ..Self::default() }
    }
}

/// All levels on the GPU.
///
/// V(4, 2) on 17 × 17 nodes with the paper's settings. Each cycle multiplies the residual by about 0.09:
///
/// ```
/// use fragstream::bolz2003::grid::geometry::{Boundary, Grid, Sides};
/// use fragstream::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
/// use fragstream::bolz2003::grid::stencil::Stencils;
/// use fragstream::solver::{Criteria, Cycle, Hierarchy, Multigrid, multigrid::factors};
/// use fragstream::stream::Machine;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let grid = Grid::new(17, 17, Sides::all(Boundary::Dirichlet))?;
/// let stencils = Stencils::helmholtz(grid, |_, _| 1.0, |_, _| 0.0);
/// let machine = Machine::headless()?;
/// let hierarchy = GridHierarchy::stored(&machine, &stencils, HierarchyOptions::default())?;
/// let (b, mut u) = (hierarchy.zeros(0)?, hierarchy.zeros(0)?);
/// u.write(&hierarchy.grid().layering.image(&grid.random(1)))?;
/// let mut multigrid = Multigrid::new(&hierarchy, Cycle::v(4, 2))?;
/// let outcome = multigrid.solve(&b, &mut u, &Criteria::to(1e-5), |_, _| ())?;
/// assert!(factors(&outcome.history)[1..].iter().all(|factor| (0.07..0.1).contains(factor)));
/// # Ok(())
/// # }
/// ```
pub struct GridHierarchy {
    kernels: Rc<GridKernels>,
    levels: Vec<GridLevel>,
    weights: Weights,
    /// High frequencies of each level.
    high_frequencies: Vec<[f64; 2]>,
    coarsest: Coarsest,
}

impl GridHierarchy {
    /// Builds the hierarchy below these stencils: they are uploaded, and composed on the GPU for every
    /// coarser level.
    pub fn stored(
        machine: &Machine,
        finest: &Stencils<f32>,
        options: HierarchyOptions,
    ) -> Result<Self, StreamError> {
        let compose = compose_kernel(machine)?;
        let weights = weights(machine)?;
        let mut levels: Vec<GridLevel> = Vec::new();
        for grid in layered_grids(machine, finest.grid, &options)? {
            let entries = entry_streams(&grid)?;
            match levels.last().and_then(GridLevel::stored) {
                None => upload(&grid, finest, &entries)?,
                Some(finer) => {
                    for (entry, d) in entries.iter().zip(OFFSETS) {
                        // §4.2: A_2h^d[i] = 1/4 Σ_e,g S^e S^(e+g−2d) A_h^g[2i + e]
                        grid.draw(&compose, entry, |pass| {
                            entries_of(pass, finer)
                                .read("weights", &weights)
                                .set("d", d.map(|d| d as f32))
                        })?;
                    }
                }
            }
            let stencil = Stencil::Stored(Box::new(entries));
            levels.push(GridLevel::new(grid, StencilKind::Stored, stencil)?);
        }
        Ok(Self::of_levels(levels, options))
    }

    /// Builds the hierarchy of −∇²u + σu with a constant σ, its stencils in streams or in constants.
    pub fn helmholtz(
        machine: &Machine,
        grid: Grid,
        sigma_h2: f64,
        storage: StencilStorage,
        options: HierarchyOptions,
    ) -> Result<Self, StreamError> {
        match storage {
            StencilStorage::Automatic => Self::constant(machine, grid, sigma_h2, options),
            StencilStorage::Streams => {
                let stencils = Stencils::helmholtz(grid, |_, _| 1.0, |_, _| sigma_h2);
                Self::stored(machine, &stencils, options)
            }
        }
    }

    /// Builds the hierarchy of −∇²u + σu with a constant σ, its stencils in constants.
    pub fn constant(
        machine: &Machine,
        grid: Grid,
        sigma_h2: f64,
        options: HierarchyOptions,
    ) -> Result<Self, StreamError> {
        let mut constant = ConstantStencil::five_point(sigma_h2);
        let mut levels = Vec::new();
        for grid in layered_grids(machine, grid, &options)? {
            let kind =
                if levels.is_empty() { StencilKind::FivePoint } else { StencilKind::NinePoint };
            let stencil = Stencil::Constant(constant.constants());
            levels.push(GridLevel::new(grid, kind, stencil)?);
            constant = constant.composed();
        }
        Ok(Self::of_levels(levels, options))
    }

    fn of_levels(levels: Vec<GridLevel>, options: HierarchyOptions) -> Self {
        Self {
            coarsest: options.coarsest,
            kernels: Rc::clone(&levels[0].grid.kernels),
            weights: options.weights,
            high_frequencies: high_frequencies(levels.len()),
            levels,
        }
    }

    /// A level; 0 is the finest.
    pub fn level(&self, level: usize) -> &GridLevel {
        &self.levels[level]
    }

    /// The finest level's grid: layers and un-layers vectors.
    pub fn grid(&self) -> &Rc<LayeredGrid> {
        &self.levels[0].grid
    }

    /// The finest level's vectors as a space: norms, inner products.
    pub fn space(&self) -> &TextureSpace {
        self.levels[0].space()
    }
}

/// The grids of all levels.
fn layered_grids(
    machine: &Machine,
    finest: Grid,
    options: &HierarchyOptions,
) -> Result<Vec<Rc<LayeredGrid>>, StreamError> {
    let layout = options.layout;
    let grids = finest.levels(options.coarsest_nodes).into_iter();
    let kernels = GridKernels::new(machine)?;
    let layered = |grid| {
        let layering = Layering { grid, layout };
        LayeredGrid::new(machine, &kernels, layering, options.sync).map(Rc::new)
    };
    grids.map(layered).collect()
}

fn upload(
    grid: &LayeredGrid,
    stencils: &Stencils<f32>,
    entries: &[Stream; 9],
) -> Result<(), StreamError> {
    let plain = grid.plain("stencil entries")?;
    for (place, entry) in entries.iter().enumerate() {
        let mut nodes: Vec<f32> = stencils.entries.iter().map(|e| e[place]).collect();
        grid.grid().bring_in_step(&mut nodes);
        plain.write(&nodes)?;
        grid.layer(&plain, entry)?;
    }
    Ok(())
}

/// S, padded with zeros so that every offset e + g − 2d has a record.
fn weights(machine: &Machine) -> Result<Stream, StreamError> {
    let data: Vec<f32> =
        (-4..=4).flat_map(|y| (-4..=4).map(move |x| interpolation_weight([x, y]) as f32)).collect();
    Stream::from_data(machine, "padded S", (9, 9), Format::R32F, &data)
}

impl Hierarchy for GridHierarchy {
    type Vector = Stream;
    type Error = StreamError;

    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn zeros(&self, level: usize) -> Result<Stream, StreamError> {
        self.levels[level].grid.zeros("vector")
    }

    fn relax(
        &self,
        level: usize,
        sweeps: usize,
        start: Start,
        b: &Stream,
        u: &mut Stream,
    ) -> Result<(), StreamError> {
        let weights = self.weights.of(self.high_frequencies[level], sweeps);
        self.levels[level].sweep(&weights, start, b, u)
    }

    fn solve_coarsest(&self, start: Start, b: &Stream, u: &mut Stream) -> Result<(), StreamError> {
        let level = &self.levels[self.levels.len() - 1];
        let rtol = match self.coarsest {
            Coarsest::ConjugateGradients { rtol } => rtol,
            Coarsest::Jacobi { leaves } => {
                let sweeps = Coarsest::sweeps(leaves, level.grid.grid().cells);
                return level.sweep(&vec![Weights::PAPER; sweeps], start, b, u);
            }
        };
        if start == Start::Zero {
            u.fill([0.0; 4]);
        }
        let criteria =
            Criteria { rtol, max_iterations: level.grid.grid().nodes(), ..Criteria::default() };
        // Whatever the reason for stopping, u is better than before, so the cycle continues.
        let (space, diagonal) = (level.space(), Diagonal(level));
        conjugate_gradients(space, level, Some(&diagonal), b, u, &criteria, |_| ())?;
        Ok(())
    }

    fn project_residual(
        &self,
        level: usize,
        b: &Stream,
        u: &Stream,
        coarse: &mut Stream,
    ) -> Result<(), StreamError> {
        self.levels[level].space().with_spare(|residual| {
            self.levels[level].residual(b, u, residual)?;
            self.project(level, residual, coarse)
        })
    }

    fn project(&self, level: usize, fine: &Stream, coarse: &mut Stream) -> Result<(), StreamError> {
        let next = &self.levels[level + 1];
        // §4.2: v_2h[i] = 1/4 Σ_d S^d v_h[2i + d]
        next.grid.draw(&self.kernels.project, coarse, |pass| pass.read("fine", fine))
    }

    fn correct(&self, level: usize, coarse: &Stream, u: &mut Stream) -> Result<(), StreamError> {
        let level = &self.levels[level];
        // §4.2, V-cycle: v_h ← v_h + S v_2h
        level.space().replace(u, |u, target| {
            level.grid.draw(&self.kernels.correct, target, |pass| {
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
        // §4.2: v_h[i] = 1/4 Σ_d v_2h[⌊(i + d) / 2⌋], d in {0, 1}²
        let grid = &self.levels[level].grid;
        grid.draw(&self.kernels.interpolate, u, |pass| pass.read("coarse", coarse))
    }

    fn residual_norm(&self, b: &Stream, u: &Stream) -> Result<f64, StreamError> {
        let level = &self.levels[0];
        level.space().norm_of(|once| {
            let bind = |pass| level.operand(pass, u).read("b", b);
            level.grid.draw_owned(&level.kernels.residual_owned, once, bind)
        })
    }

    fn norm(&self, b: &Stream) -> Result<f64, StreamError> {
        self.space().norm(b)
    }
}
