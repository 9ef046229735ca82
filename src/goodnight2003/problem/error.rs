//! What can be wrong with a boundary value problem and its solver.

use thiserror::Error;

use super::side::Side;
use crate::error::{ErrorKind, WithKind};
use crate::stream::StreamError;

/// A problem that cannot be stated. Every message is one line and says the remedy.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ProblemError {
    /// Too few nodes, or a spacing that is none.
    #[error(
        "an axis of {nodes} nodes {spacing} apart is none; it takes two nodes and a positive spacing"
    )]
    Axis {
        /// Nodes.
        nodes: u32,
        /// Their distance.
        spacing: f64,
    },
    /// A period that cannot be halved.
    #[error("a periodic axis takes an odd number of nodes, the last one a replica; got {0}")]
    Period(u32),
    /// A periodic axis has no sides.
    #[error("the {0} side is periodic and takes no condition; leave one of the two out")]
    OverDetermined(Side),
    /// A side without conditions.
    #[error("the {0} side has no condition; give one, or make the axis periodic")]
    UnderDetermined(Side),
    /// Conditions or values of another number than nodes.
    #[error("{what} has {got} values for {expected} nodes; give one for each")]
    Length {
        /// What was given.
        what: String,
        /// How many.
        got: usize,
        /// Nodes.
        expected: usize,
    },
    /// α and β both zero.
    #[error(
        "the condition at node {node} of the {side} side says nothing: alpha and beta are zero"
    )]
    Empty {
        /// The side.
        side: Side,
        /// The node along it.
        node: usize,
    },
    /// NaN or infinity.
    #[error("{what} is not finite at node {node}")]
    NotFinite {
        /// What was given.
        what: String,
        /// The node.
        node: usize,
    },
    /// What flows in does not flow out, where nothing holds the solution.
    #[error(
        "sources and boundary flow add up to {0:.3e}, not to zero, and no side holds a value: \
         no solution; fix a value on a side, or balance them"
    )]
    Incompatible(f64),
    /// A metric known to the fragment program alone.
    #[error("the metric {0} is known to its fragment program alone; read it back first")]
    NoHostMetric(String),
    /// A metric that is no metric.
    #[error("the metric is not positive and finite at node ({column}, {row})")]
    Metric {
        /// Column.
        column: u32,
        /// Row.
        row: u32,
    },
    /// What the stream processor says.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

impl ProblemError {
    /// An error unless there is a finite value for each of so many nodes.
    pub(crate) fn check(
        what: &str,
        values: impl ExactSizeIterator<Item = f64>,
        nodes: usize,
    ) -> Result<(), Self> {
        Self::check_length(what, values.len(), nodes)?;
        match values.into_iter().position(|value| !value.is_finite()) {
            None => Ok(()),
            Some(node) => Err(Self::NotFinite {
                what: what.into(),
                node,
            }),
        }
    }

    /// A metric that is none at a column and row.
    pub(crate) fn metric((column, row): (u32, u32)) -> Self {
        Self::Metric { column, row }
    }

    /// An error unless there are as many values as nodes.
    pub(crate) fn check_length(what: &str, got: usize, expected: usize) -> Result<(), Self> {
        match got == expected {
            true => Ok(()),
            false => Err(Self::Length {
                what: what.into(),
                got,
                expected,
            }),
        }
    }
}

impl WithKind for ProblemError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            _ => ErrorKind::Input,
        }
    }
}
