//! The errors of the solver and of its applications.

use crate::base::error::{ErrorKind, WithKind};
use crate::goodnight2003::Side;
use crate::scene::{NotFinite, Setting};
use crate::stream::{Format, Size, StreamError};

/// An error of the solver or of an application. Every message is one line and gives the remedy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum Error {
    /// Too few nodes, or an invalid spacing.
    #[error(
        "an axis of {nodes} nodes spaced {spacing} is not possible. Take at least two nodes and a positive spacing."
    )]
    Axis { nodes: u32, spacing: f64 },
    /// A period that cannot be halved.
    #[error("a periodic axis takes an odd number of nodes, not {0}. The last node is a replica.")]
    Period(u32),
    /// A condition on a periodic side.
    #[error("the {0} side is periodic and takes no condition. Leave one of the two out.")]
    OverDetermined(Side),
    /// A side without conditions.
    #[error("the {0} side has no condition. Give one, or make the axis periodic.")]
    UnderDetermined(Side),
    /// A number of conditions or values that differs from the number of nodes.
    #[error("{what} has {got} values for {expected} nodes. Give one per node.")]
    Length { what: String, got: usize, expected: usize },
    /// α and β both zero.
    #[error(
        "the condition at node {node} of the {side} side has alpha = beta = 0. Make one of them non-zero."
    )]
    Empty { side: Side, node: usize },
    /// NaN or infinity in the data.
    #[error("{what} is not finite at node {node}. Correct it.")]
    NotFinite { what: String, node: usize },
    /// An imbalance of sources and boundary flow without prescribed values.
    #[error(
        "sources and boundary flow add up to {0:.3e}, not to zero, and no side prescribes a value: \
         there is no solution. Prescribe a value on a side, or balance them."
    )]
    Incompatible(f64),
    /// A metric known only to its fragment program.
    #[error("the metric {0} is known only to its fragment program. Read it back first.")]
    NoHostMetric(String),
    /// An invalid metric.
    #[error("the metric is not positive and finite at node ({column}, {row}). Correct it.")]
    Metric { column: u32, row: u32 },
    /// Grids that do not fit in a surface.
    #[error(
        "the grids of one surface take {} x {} texels, over the limit of {limit}. Take fewer nodes, or \
         a surface for each level (storage `separate`).",
        needed.0, needed.1
    )]
    TooLarge { needed: Size, limit: u32 },
    /// An unavoidable hazard.
    #[error(
        "with storage `two`, passes on coarser levels always read the surface that they write, and \
         `copy` cannot help. Take `barrier`, or storage `one` or `separate`."
    )]
    SameSurface,
    /// Programs without support for periodic sides, in a periodic problem.
    #[error("programs `fast` do not support periodic sides. Take `fastpath` or `original`.")]
    Periodic,
    /// A format that cannot hold a state.
    #[error("{0} does not hold solution, residual and source. Take Rgba32F or Rgba16F.")]
    Precision(Format),
    /// A heat source that is completely outside the plate.
    #[error("{source_name} is outside the plate of {width} x {height}. Move it, or leave it out.")]
    Beside { source_name: String, width: f64, height: f64 },
    /// More heat than single precision holds.
    #[error(
        "{0} heats an area by more than single precision holds (3.4e38). Give less power or density."
    )]
    TooStrong(String),
    /// A part of a plate's side without a condition.
    #[error(
        "the {side} side has no condition at {at:.4} along it. Let its pieces meet, or give the \
         side a condition for the gaps."
    )]
    Gap { side: Side, at: f64 },
    /// A side of a plate that is neither periodic nor has a condition.
    #[error(
        "the {0} side has no condition. Give it one, or give all sides without one a condition by `sides`, or make \
         the plate periodic there."
    )]
    NoCondition(Side),
    /// A pyramid without levels, or with levels beyond a single sample.
    #[error("a {width}x{height} picture has no pyramid of {got} levels. Take 1 to {most}.")]
    Levels { got: usize, most: usize, width: u32, height: u32 },
    /// Incomplete coordinates of a user.
    #[error(
        "{name}: no function {function}(vec2 p). Define metric, place and coordinates, as in metric_log_polar.glsl."
    )]
    Coordinates { name: String, function: &'static str },
    /// A potential flow for which the solver did not converge.
    #[error(
        "the potential flow was solved only to {residual:.1e}, not to {tolerance:.1e}. Take coordinates whose cells \
         are less stretched."
    )]
    Unsolved { residual: f64, tolerance: f64 },
    /// A flow that is no longer finite.
    #[error(transparent)]
    LostFlow(#[from] NotFinite),
    /// A setting out of its range.
    #[error(transparent)]
    Setting(#[from] Setting),
    /// The GPU failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

impl Error {
    /// Checks that there is one finite value per node.
    pub(crate) fn check(
        what: &str,
        values: impl ExactSizeIterator<Item = f64>,
        nodes: usize,
    ) -> Result<(), Self> {
        Self::check_length(what, values.len(), nodes)?;
        match values.into_iter().position(|value| !value.is_finite()) {
            None => Ok(()),
            Some(node) => Err(Self::NotFinite { what: what.into(), node }),
        }
    }

    /// Error for a metric that is invalid at a column and row.
    pub(crate) fn metric((column, row): (u32, u32)) -> Self {
        Self::Metric { column, row }
    }

    /// Checks that there are as many values as nodes.
    pub(crate) fn check_length(what: &str, got: usize, expected: usize) -> Result<(), Self> {
        if got == expected {
            Ok(())
        } else {
            Err(Self::Length { what: what.into(), got, expected })
        }
    }
}

impl WithKind for Error {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            Self::LostFlow(_) | Self::Unsolved { .. } => ErrorKind::Unconverged,
            _ => ErrorKind::Input,
        }
    }
}
