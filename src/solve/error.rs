//! Errors of systems. Rows and columns are counted from 1, as in files.

use thiserror::Error;

use super::method::{Method, combinations};
use crate::base::error::{ErrorKind, WithKind};
use crate::layouts::{Layout, LayoutsError};

/// A system that cannot be solved. Fields count rows and columns from 0.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum SolveError {
    /// A matrix that is not square.
    #[error(
        "the matrix is {rows} x {columns}, not square, so it has no inverse. Give a square one."
    )]
    NotSquare { rows: usize, columns: usize },
    /// A matrix without rows.
    #[error("the matrix is empty. Give one with at least one row and one column.")]
    Empty,
    /// An entry that is NaN or infinite.
    #[error("the entry at row {}, column {} (counted from 1) is {value}. Give a finite one.", .row + 1, .column + 1)]
    NotFinite { row: usize, column: usize, value: f64 },
    /// A row or a column without a nonzero entry.
    #[error("singular: {line} {} (counted from 1) has only zeros. Give a nonsingular matrix.", .number + 1)]
    Singular { line: &'static str, number: usize },
    /// A decomposition that would take longer than the attempts of a solve may, by a forecast from its first columns.
    #[error("{method} would take about {seconds:.0} s. Choose it by name.")]
    TooSlow { method: Method, seconds: f64 },
    /// A diagonal that is impossible for a positive definite matrix.
    #[error(
        "the diagonal entry of row {} (counted from 1) is {value:?}, but a positive definite matrix, which \
         conjugate gradients need, has a positive diagonal. Take the method minres, or lu.",
        .row + 1
    )]
    NotPositive { row: usize, value: f64 },
    /// A diagonal entry that vanishes next to the largest entry.
    #[error(
        "the diagonal entry of row {} (counted from 1) is {value:?}, which is zero in double precision next to the \
         largest entry. Divide rows and columns by factors that bring the entries together.",
        .row + 1
    )]
    OutOfRange { row: usize, value: f64 },
    /// A diagonal entry by which division is impossible.
    #[error(
        "zero pivot: the diagonal entry of row {} (counted from 1) is {value:?}{}, but {method} divides by \
         it. Take the method lu.",
        .row + 1,
        if *.value == 0.0 { "" } else { ", next to the largest entry zero in single precision" }
    )]
    ZeroDiagonal { row: usize, value: f64, method: Method },
    /// A matrix that is not symmetric, for a method that needs symmetry: an entry, and the mirrored one.
    #[error(
        "the matrix is not symmetric: the entry at row {}, column {} is {}, but at row {}, column {} it is \
         {} (counted from 1), and this method needs a symmetric matrix. Take the method bicgstab, \
         or lu.",
        .row + 1, .column + 1, .values[0], .column + 1, .row + 1, .values[1]
    )]
    Asymmetric { row: usize, column: usize, values: [f64; 2] },
    /// A method that does not support a layout.
    #[error("{method} does not work on the layout {layout}; there are: {}", combinations())]
    Combination { method: Method, layout: Layout },
    /// A method that reads its target, on a driver without texture barriers.
    #[error(
        "{method} reads its target, which needs a texture barrier, which this driver lacks. Take the method \
         bicgstab, or Mesa's software renderer (Debian: apt-get install libgl1-mesa-dri)."
    )]
    NoBarrier { method: Method },
    /// Multigrid without levels.
    #[error("multigrid needs a prolongation for each level except the coarsest. Give all of them.")]
    NoLevels,
    /// A matrix that is too large for a layout, or a solve over the limit.
    #[error("{method} on {layout} {why}. {}, or allow more.", elsewhere(*.method, .layout))]
    TooLarge { method: Method, layout: Layout, why: String },
    /// An error of a layout, of a matrix or of the machine.
    #[error(transparent)]
    Layouts(LayoutsError),
}

/// Alternative for a matrix that is too large for this method and layout.
fn elsewhere(method: Method, layout: Layout) -> String {
    match method.layouts()[0] {
        _ if method == Method::Lu => "Take the method bicgstab".to_owned(),
        usual if usual == layout => "Give a smaller matrix".to_owned(),
        usual => format!("Take the layout {usual}"),
    }
}

impl<E> From<E> for SolveError
where
    LayoutsError: From<E>,
{
    fn from(error: E) -> Self {
        Self::Layouts(error.into())
    }
}

impl WithKind for SolveError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Layouts(error) => error.error_kind(),
            Self::NoBarrier { .. } => ErrorKind::Lacking,
            Self::Singular { .. } | Self::TooSlow { .. } => ErrorKind::Unconverged,
            _ => ErrorKind::Input,
        }
    }
}
