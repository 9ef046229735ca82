//! Settings of a solver.

use crate::goodnight2003::Problem;
use crate::solver::Cycle;
use crate::stream::{Buffer, Format};

/// Storage of the grids (goodnight2003 §6, Figure 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Strategy {
    /// A pair of surfaces per level, each surface in a buffer of its own.
    Separate,
    /// The finest level on the two surfaces of one buffer; all others, twice each, on the only
    /// surface of a second buffer.
    Two,
    /// All levels on both surfaces of one buffer.
    One,
}

impl Strategy {
    /// All storage strategies.
    pub const ALL: [Self; 3] = [Self::Separate, Self::Two, Self::One];
}

/// Treatment of a pass that would read its own target (goodnight2003 §6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Hazard {
    /// Allow it: a barrier makes earlier writes visible, and the pass reads no texel that it
    /// writes.
    Barrier,
    /// The same after all earlier drawing has finished, as render-to-texture of 2003 required.
    Finish,
    /// A copy kernel first copies the input to the other surface.
    Copy,
    /// The restriction also does the first pass of the smoother. This saves a pass on
    /// each level, and no pass of a cycle reads its own target. For numbers of sweeps with which
    /// one still would, a copy kernel runs first.
    Toggle,
}

impl Hazard {
    /// All treatments.
    pub const ALL: [Self; 4] = [Self::Barrier, Self::Finish, Self::Copy, Self::Toggle];

    /// Tests whether passes read their own targets.
    pub fn reads_target(self) -> bool {
        matches!(self, Self::Barrier | Self::Finish)
    }
}

/// Assignment of programs to nodes (goodnight2003 §4.2, §6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Programs {
    /// General programs for all nodes, as first written: each fragment computes its position, and
    /// conditions distinguish sides and periods.
    Original,
    /// Vectorised programs with positions from a vertex program, for all nodes, without periods.
    Fast,
    /// The same without sides for inner nodes, and the general programs along the sides.
    Fastpath,
}

impl Programs {
    /// All assignments.
    pub const ALL: [Self; 3] = [Self::Original, Self::Fast, Self::Fastpath];
}

/// Smoother of a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Smoother {
    /// A red and a black half-sweep.
    RedBlack,
    /// All nodes at once, with this damping factor.
    Jacobi(f64),
}

/// Location of the boundary conditions for programs (goodnight2003 §4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Conditions {
    /// In the operator map, as in the paper: programs that run once replace the stencils of boundary
    /// nodes, and their source takes the conditions' contributions. All nodes then have the same equation.
    Folded,
    /// In a separate map, read by every program that runs at sides.
    Map,
}

impl Conditions {
    /// Both locations.
    pub const ALL: [Self; 2] = [Self::Folded, Self::Map];
}

/// Norm of a residual (goodnight2003 §4.1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Norm {
    /// The sum of magnitudes.
    L1,
    /// The root of the sum of squares.
    L2,
    /// The largest magnitude
    #[cfg_attr(feature = "cli", value(name = "max"))]
    Maximum,
}

impl Norm {
    /// Computes the norm of some values.
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

/// Convergence test (goodnight2003 §4.1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Test {
    /// An occlusion query counts the nodes whose residual exceeds the tolerance (--norm max).
    ///
    /// None may exceed it: this is [`Norm::Maximum`] and no other norm.
    Occlusion,
    /// The residuals are read back and measured on the CPU.
    ReadBack,
    /// The residuals are combined by passes that halve their number.
    Reduction,
}

/// Settings of a solver. The defaults do not change once released.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Shape of a cycle. Default V(2, 2).
    pub cycle: Cycle,
    /// Smoother of a level. Default red–black.
    pub smoother: Smoother,
    /// Sweeps on the coarsest grid. Default 8.
    pub coarsest_sweeps: usize,
    /// Number of levels, including the finest. Default: as many as possible.
    pub levels: Option<u32>,
    /// Storage of the grids. Default: one buffer.
    pub storage: Strategy,
    /// Treatment of a pass that would read its own target. Default: toggle; with two
    /// buffers only a barrier is possible.
    pub hazard: Hazard,
    /// Implementation of a buffer. Default: a framebuffer object.
    pub buffer: Buffer,
    /// Assignment of programs to nodes. Default: fastpath.
    pub programs: Programs,
    /// Smallest number of inner nodes of a grid on which fastpath programs run; on smaller grids the
    /// change of program costs more than it saves. Default 1024.
    pub split_from: u64,
    /// Location of the boundary conditions. Default: in a separate map.
    pub conditions: Conditions,
    /// True if colours and weights are stored in the red–black map; otherwise each fragment computes them (weights
    /// always, in an original program for interpolation). Default true.
    pub red_black_map: bool,
    /// Format of surfaces and maps: [`Format::Rgba32F`], the default, or [`Format::Rgba16F`].
    pub precision: Format,
    /// Norm of the residual. Default L2.
    pub norm: Norm,
    /// Convergence test. Default: by reduction.
    pub test: Test,
    /// Number of cycles between tests. Default 1.
    pub every: usize,
    /// The longest side allowed for a surface. Default: the driver's limit. The paper's was 2048.
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
    /// Number of levels for a problem.
    pub(in crate::goodnight2003) fn levels_of(&self, problem: &Problem) -> u32 {
        problem.levels().min(self.levels.unwrap_or(u32::MAX).max(1))
    }

    /// The paper's settings, with eight sweeps on each grid (Fig. 3): all levels in one buffer whose surfaces
    /// are at most 2048 texels wide and high, a separate pass for every kernel, which may read its own
    /// target, optimised programs inside every grid, boundary conditions in the operator map, and
    /// an occlusion query as convergence test (§4.1.3, §4.2, §6).
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
