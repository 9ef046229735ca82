//! Errors of a boundary value problem and its solver.

use thiserror::Error;

use super::side::Side;
use crate::error::{ErrorKind, WithKind};
use crate::stream::StreamError;

/// A problem that cannot be posed. Every message is one line and gives the remedy.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ProblemError {
    /// Too few nodes, or an invalid spacing.
    #[error(
        "an axis of {nodes} nodes spaced {spacing} is not possible. Take at least two nodes and a positive spacing."
    )]
    Axis {
        /// Number of nodes.
        nodes: u32,
        /// Spacing.
        spacing: f64,
    },
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
    Length {
        /// Name of the data.
        what: String,
        /// Their number.
        got: usize,
        /// Number of nodes.
        expected: usize,
    },
    /// α and β both zero.
    #[error(
        "the condition at node {node} of the {side} side has alpha = beta = 0. Make one of them non-zero."
    )]
    Empty {
        /// The side.
        side: Side,
        /// The node along it.
        node: usize,
    },
    /// NaN or infinity.
    #[error("{what} is not finite at node {node}. Correct it.")]
    NotFinite {
        /// Name of the data.
        what: String,
        /// The node.
        node: usize,
    },
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
    Metric {
        /// Column.
        column: u32,
        /// Row.
        row: u32,
    },
    /// The GPU failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

impl ProblemError {
    /// Checks that there is one finite value per node.
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

    /// Error for a metric that is invalid at a column and row.
    pub(crate) fn metric((column, row): (u32, u32)) -> Self {
        Self::Metric { column, row }
    }

    /// Checks that there are as many values as nodes.
    pub(crate) fn check_length(what: &str, got: usize, expected: usize) -> Result<(), Self> {
        if got == expected {
            Ok(())
        } else {
            Err(Self::Length {
                what: what.into(),
                got,
                expected,
            })
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
