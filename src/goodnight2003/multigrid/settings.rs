//! Settings of a solver.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::goodnight2003::Problem;
use crate::scene::Setting;
use crate::settings::{headed, precision, text};
use crate::solver::Cycle;
use crate::solver::multigrid::SWEEPS;
use crate::stream::{Buffer, Format};

/// Storage of the grids (goodnight2003 §6, Figure 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Hazard {
    /// Allow it: a barrier makes earlier writes visible, and the pass reads no texel that it
    /// writes.
    Barrier,
    /// Allow it, with a wait for all drawing between each pass and the next that reads the surface that it wrote, as
    /// render-to-texture of 2003 required.
    Finish,
    /// A copy kernel first copies the input to the other surface.
    Copy,
}

impl Hazard {
    /// Tests whether passes read their own targets.
    pub fn reads_target(self) -> bool {
        matches!(self, Self::Barrier | Self::Finish)
    }
}

/// Assignment of programs to nodes (goodnight2003 §4.2, §6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Programs {
    /// General programs for all nodes, as first written: each fragment computes its position, and
    /// conditions distinguish sides and periods.
    Original,
    /// Vectorised programs with positions from a vertex program, for all nodes, without periods.
    Fast,
    /// Programs without sides for inner nodes, and the general programs along the sides.
    Fastpath,
}

/// Smoother of a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Smoother {
    /// A red and a black half-sweep.
    RedBlack,
    /// All nodes at once, with this damping factor ω.
    Jacobi(f64),
}

impl FromStr for Smoother {
    type Err = String;

    /// `red-black`, `jacobi`, or `jacobi:OMEGA`.
    fn from_str(text: &str) -> Result<Self, String> {
        let omega = match text.split_once(':') {
            None if text == "red-black" => return Ok(Self::RedBlack),
            None if text == "jacobi" => Some(0.8),
            Some(("jacobi", omega)) => omega.parse().ok().filter(|&omega: &f64| omega > 0.0),
            _ => None,
        };
        let omega = omega.filter(|omega| omega.is_finite());
        omega
            .map(Self::Jacobi)
            .ok_or_else(|| "give red-black, jacobi, or jacobi:0.8 with a damping factor".to_owned())
    }
}

impl fmt::Display for Smoother {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RedBlack => f.write_str("red-black"),
            Self::Jacobi(omega) => write!(f, "jacobi:{omega}"),
        }
    }
}

/// Norm of a residual (goodnight2003 §4.1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Norm {
    /// The sum of magnitudes.
    L1,
    /// The root of the sum of squares.
    L2,
    /// The largest magnitude
    #[serde(rename = "max")]
    Maximum,
}

impl Norm {
    /// Computes the norm of some values.
    pub fn of(self, values: impl Iterator<Item = f64>) -> f64 {
        // f64::max would drop a NaN.
        let larger = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
        match self {
            // §4.1.3: L1 = Σ |r|, L2 = √(Σ r²), L∞ = max |r|
            Self::L1 => values.map(f64::abs).sum(),
            Self::L2 => values.map(|v| v * v).sum::<f64>().sqrt(),
            Self::Maximum => values.map(f64::abs).fold(0.0, larger),
        }
    }
}

/// Convergence test (goodnight2003 §4.1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
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

/// Settings of a solver. The defaults are the paper's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = arrange)]
pub struct Settings {
    /// Shape of a cycle. Default V(4, 4).
    #[serde(flatten)]
    pub cycle: Cycle,
    /// Smoother: red-black, jacobi, or jacobi:OMEGA with a damping factor other than 0.8
    #[serde(with = "text")]
    #[schemars(with = "String", extend("takes" = "SMOOTHER"))]
    pub smoother: Smoother,
    /// Sweeps on the coarsest grid
    #[schemars(range(min = 1, max = SWEEPS))]
    pub coarsest_sweeps: usize,
    /// Number of grids, the finest included [default: as many as possible]
    #[schemars(range(min = 1))]
    pub levels: Option<u32>,
    /// Storage of the grids: all on the two surfaces of one buffer, the coarser ones in a second
    /// buffer, or each on a pair of surfaces of its own
    pub storage: Strategy,
    /// Treatment of passes that would read the surface that they write
    pub hazard: Hazard,
    /// Holder of a buffer: a framebuffer object, or an OpenGL context of its own like a pbuffer of 2003
    #[schemars(extend("needs" = "context: contexts"))]
    pub buffer: Buffer,
    /// Fragment programs: the original general ones, fast ones without periodic sides, or fast ones
    /// inside and general ones along the sides
    pub programs: Programs,
    /// Read the colour of a node from the red-black map
    #[schemars(extend("formerly" = "compute-red-black", "without" = "Compute the colour of a node in each fragment \
        instead of reading it from the red-black map"))]
    pub red_black_map: bool,
    /// Floats of 32 bits (full), or of 16 bits (half), which in 2003 were twice as fast
    #[serde(with = "precision")]
    #[schemars(with = "String", extend("enum" = precision::NAMES, "takes" = "PRECISION"))]
    pub precision: Format,
    /// Norm of the residual.
    #[serde(skip)]
    pub norm: Norm,
    /// Test for convergence.
    #[serde(skip)]
    pub test: Test,
    /// Number of cycles between two tests.
    #[serde(skip)]
    pub every: usize,
    /// Longest side of a surface; the paper's was 2048 [default: the driver's limit]
    #[schemars(range(min = 1), extend("takes" = "TEXELS"))]
    pub surface_limit: Option<u32>,
}

/// The settings of the solver have a heading in the help.
fn arrange(schema: &mut Schema) {
    headed(schema, "Solver");
}

/// The settings of Fig. 3: V-cycles with eight sweeps on each grid, all levels in one buffer whose surfaces
/// are at most 2048 texels wide and high, kernels that may read their own target, optimised programs
/// inside every grid, and an occlusion query as convergence test (§2.1, §4.1.3, §4.2, §5.3, §6).
impl Default for Settings {
    fn default() -> Self {
        Self {
            // §5.3, Fig. 3: eight sweeps on each grid per V-cycle
            cycle: Cycle::v(4, 4),
            smoother: Smoother::RedBlack,
            coarsest_sweeps: 8,
            levels: None,
            storage: Strategy::One,
            hazard: Hazard::Barrier,
            buffer: Buffer::Framebuffer,
            programs: Programs::Fastpath,
            red_black_map: true,
            precision: Format::Rgba32F,
            norm: Norm::Maximum,
            test: Test::Occlusion,
            every: 1,
            surface_limit: Some(2048),
        }
    }
}

impl Settings {
    /// Checks that a cycle smooths, and that the test measures the norm.
    pub fn check(&self) -> Result<(), Setting> {
        let sweeps = self.cycle.before + self.cycle.after;
        Setting::at_least("the number of sweeps of a cycle (--pre, --post)", sweeps, 1)?;
        match (self.test, self.norm) {
            (Test::Occlusion, Norm::L1 | Norm::L2) => Err(Setting {
                what: "the norm",
                got: format!("{:?}", self.norm).to_lowercase(),
                remedy: "an occlusion query measures the largest residual: choose --norm max"
                    .to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Number of levels for a problem.
    pub(in crate::goodnight2003) fn levels_of(&self, problem: &Problem) -> u32 {
        problem.levels().min(self.levels.unwrap_or(u32::MAX).max(1))
    }

    /// The paper's settings ([`Settings::default`]) with three differences.
    ///
    /// - V(2, 2): the paper gives a number of sweeps, eight on each grid, only for the experiment of Fig. 3.
    /// - The L2 norm by reduction: a number of nodes does not show that single precision stagnates, which
    ///   corrections in double precision depend on.
    /// - Surfaces up to the driver's limit: 2048 was the limit of the driver of 2003.
    pub fn robust() -> Self {
        Self {
            cycle: Cycle::v(2, 2),
            norm: Norm::L2,
            test: Test::Reduction,
            surface_limit: None,
            ..Self::default()
        }
    }
}
