//! What can be chosen about a solver.

use crate::goodnight2003::Problem;
use crate::solver::Cycle;
use crate::stream::{Buffer, Format};

/// Where the grids lie (goodnight2003 §6, Figure 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Strategy {
    /// A pair of surfaces for each level, each surface a buffer of its own.
    Separate,
    /// The finest level on the two surfaces of one buffer; all others, twice each, on the one
    /// surface of a second.
    Two,
    /// All levels on both surfaces of one buffer.
    One,
}

impl Strategy {
    /// All.
    pub const ALL: [Self; 3] = [Self::Separate, Self::Two, Self::One];
}

/// What is done where a pass would read the surface that it writes (goodnight2003 §6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Hazard {
    /// It does: a barrier makes what was written before visible, and no texel is read that the pass
    /// writes.
    Barrier,
    /// The same after everything before has finished, as render-to-texture of 2003 asked for.
    Finish,
    /// A copy kernel brings what is to be read to the other surface first.
    Copy,
    /// The restriction does the first pass of the smoother along with its own work. A pass fewer on
    /// each level, and no pass of a cycle reads the surface that it writes. Where numbers of sweeps
    /// are such that one still would, a copy kernel runs first.
    Toggle,
}

impl Hazard {
    /// All.
    pub const ALL: [Self; 4] = [Self::Barrier, Self::Finish, Self::Copy, Self::Toggle];

    /// Whether passes read the surface that they write.
    pub fn reads_target(self) -> bool {
        matches!(self, Self::Barrier | Self::Finish)
    }
}

/// Which programs run for which nodes (goodnight2003 §4.2, §6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Programs {
    /// General ones for all nodes, as first written: each fragment works out where it is, and
    /// conditions tell apart what lies at sides and round periods.
    Original,
    /// Vectorised ones with positions from a vertex program, for all nodes, without periods.
    Fast,
    /// The same without sides for the nodes inside; along the sides the general ones.
    Fastpath,
}

impl Programs {
    /// All.
    pub const ALL: [Self; 3] = [Self::Original, Self::Fast, Self::Fastpath];
}

/// How a level is smoothed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Smoother {
    /// A red and a black half-sweep.
    RedBlack,
    /// All nodes at once, by this part of the way.
    Jacobi(f64),
}

/// Where programs find the boundary conditions (goodnight2003 §4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Conditions {
    /// In the operator map, as in the paper: programs that run once replace the stencils of boundary
    /// nodes, and their source takes what a condition lets in. All nodes then have the same equation.
    Folded,
    /// In a map of their own, read and told apart by every program that runs at sides.
    Map,
}

impl Conditions {
    /// All.
    pub const ALL: [Self; 2] = [Self::Folded, Self::Map];
}

/// How a residual is measured (goodnight2003 §4.1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Norm {
    /// The sum of magnitudes.
    L1,
    /// The root of the sum of squares.
    L2,
    /// The largest magnitude.
    #[cfg_attr(feature = "cli", value(name = "max"))]
    Maximum,
}

impl Norm {
    /// The norm of some values.
    pub fn of(self, values: impl Iterator<Item = f64>) -> f64 {
        // f64::max would drop a NaN.
        let larger = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
        match self {
            Self::L1 => values.map(f64::abs).sum(),
            Self::L2 => values.map(|v| v * v).sum::<f64>().sqrt(),
            Self::Maximum => values.map(f64::abs).fold(0.0, larger),
        }
    }
}

/// How convergence is tested (goodnight2003 §4.1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Test {
    /// An occlusion query counts the nodes whose residual exceeds the tolerance (--norm max).
    ///
    /// None may: this is [`Norm::Maximum`] and no other norm.
    Occlusion,
    /// The residuals are read back and measured on the CPU.
    ReadBack,
    /// The residuals are summed up by passes that halve their number.
    Reduction,
}

/// What can be chosen. The defaults do not change once released.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The shape of a cycle. Default V(2, 2).
    pub cycle: Cycle,
    /// How a level is smoothed. Default red-black.
    pub smoother: Smoother,
    /// Sweeps on the coarsest grid. Default 8.
    pub coarsest_sweeps: usize,
    /// Levels, the finest included. Default: as many as there can be.
    pub levels: Option<u32>,
    /// Where the grids lie. Default: one buffer.
    pub storage: Strategy,
    /// What is done where a pass would read the surface that it writes. Default: toggle; with two
    /// buffers only a barrier will do.
    pub hazard: Hazard,
    /// What a buffer is. Default: a framebuffer object.
    pub buffer: Buffer,
    /// Which programs run. Default: fastpath.
    pub programs: Programs,
    /// Fastpath programs run for the inside of grids with so many nodes there; on smaller ones the
    /// change of program costs more than it saves. Default 1024.
    pub split_from: u64,
    /// Where programs find the boundary conditions. Default: in a map of their own.
    pub conditions: Conditions,
    /// Whether colours and weights stand in the red-black map, or each fragment computes them (weights
    /// always where an original program interpolates). Default: they do.
    pub red_black_map: bool,
    /// What surfaces and maps hold: [`Format::Rgba32F`], the default, or [`Format::Rgba16F`].
    pub precision: Format,
    /// The norm of the residual. Default L2.
    pub norm: Norm,
    /// How convergence is tested. Default: by reduction.
    pub test: Test,
    /// After how many cycles it is tested. Default 1.
    pub every: usize,
    /// The longest side that a surface may have. Default: the driver's limit. The paper's was 2048.
    pub surface_limit: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            cycle: Cycle::v(2, 2),
            smoother: Smoother::RedBlack,
            coarsest_sweeps: 8,
            levels: None,
            storage: Strategy::One,
            hazard: Hazard::Toggle,
            buffer: Buffer::Framebuffer,
            programs: Programs::Fastpath,
            split_from: 1024,
            conditions: Conditions::Map,
            red_black_map: true,
            precision: Format::Rgba32F,
            norm: Norm::L2,
            test: Test::Reduction,
            every: 1,
            surface_limit: None,
        }
    }
}

impl Settings {
    /// How many levels a problem gets.
    pub(in crate::goodnight2003) fn levels_of(&self, problem: &Problem) -> u32 {
        problem.levels().min(self.levels.unwrap_or(u32::MAX).max(1))
    }

    /// As the paper has it, eight sweeps on each grid (Fig. 3): all levels in one buffer whose surfaces
    /// are at most 2048 texels wide and high, every kernel a pass of its own that may read the surface
    /// that it writes, lean programs inside of every grid, boundary conditions in the operator map, and
    /// an occlusion query that tests for convergence (§4.1.3, §4.2, §6).
    pub fn paper_2003() -> Self {
        Self {
            cycle: Cycle::v(4, 4),
            hazard: Hazard::Barrier,
            split_from: 1,
            conditions: Conditions::Folded,
            norm: Norm::Maximum,
            test: Test::Occlusion,
            surface_limit: Some(2048),
            ..Self::default()
        }
    }
}
