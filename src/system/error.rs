//! Why a system cannot be tried to solve. Rows and columns are counted from 1, as in files.

use thiserror::Error;

use crate::bolz2003::sparse::matrix::MatrixError;
use crate::error::{ErrorKind, WithKind};
use crate::geveler2011::multigrid::device::DeviceError;
use crate::kruger2003::AlgebraError;
use crate::solver::{CsrError, LengthMismatch};
use crate::stream::{LACKING, LayoutError, StreamError};

use super::choice::{Layout, Method, combinations};
use super::estimate::Estimate;

/// Why a system cannot be tried to solve.
#[derive(Debug, Error)]
pub enum SystemError {
    /// A matrix that has not as many rows as columns.
    #[error("the matrix is {rows} x {columns}, not square; give a square one")]
    NotSquare {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// A matrix of no rows.
    #[error("the matrix is empty; give one with a row at least")]
    Empty,
    /// An entry that is NaN or infinite.
    #[error("the entry at row {}, column {} (counted from 1) is {value}; give a finite one", .row + 1, .column + 1)]
    NotFinite {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
        /// What is there.
        value: f64,
    },
    /// A row without entries.
    #[error("row {} (counted from 1) has no entry, so the matrix is singular; give a regular one", .0 + 1)]
    EmptyRow(usize),
    /// A diagonal that no positive definite matrix has.
    #[error(
        "the diagonal entry of row {} (counted from 1) is {value:?}; conjugate gradients need a positive \
         definite matrix, whose diagonal is positive: take the method bicgstab, or lu",
        .row + 1
    )]
    NotPositive {
        /// The row, from 0.
        row: usize,
        /// The entry.
        value: f64,
    },
    /// A diagonal that cannot be divided by.
    #[error(
        "zero pivot: the diagonal entry of row {} (counted from 1) is {value:?}, but {method} divides by \
         it; take the method lu, or bicgstab",
        .row + 1
    )]
    ZeroDiagonal {
        /// The row, from 0.
        row: usize,
        /// The entry, which is zero in single precision at least.
        value: f64,
        /// Who divides by it.
        method: Method,
    },
    /// A matrix that is not symmetric, for a method that needs it to be.
    #[error(
        "the matrix is not symmetric: the entry at row {}, column {} is {}, but at row {}, column {} it is \
         {} (counted from 1); conjugate gradients need a symmetric matrix: take the method bicgstab (or \
         bicg, gauss-seidel, lu)",
        .row + 1, .column + 1, .values[0], .column + 1, .row + 1, .values[1]
    )]
    Asymmetric {
        /// A row, from 0.
        row: usize,
        /// A column, from 0.
        column: usize,
        /// The entry there, and the mirrored one.
        values: [f64; 2],
    },
    /// A method and a layout that do not go together.
    #[error(
        "{method} does not work on the layout {layout}; there are: {}",
        combinations()
    )]
    Combination {
        /// The method.
        method: Method,
        /// The layout.
        layout: Layout,
    },
    /// A method that renders into what it reads, on a driver without texture barriers.
    #[error(
        "{method} renders into what it reads, which needs a texture barrier, {lacking}; take the method \
         bicgstab, or Mesa's software renderer (Debian: apt-get install libgl1-mesa-dri)",
        lacking = LACKING
    )]
    NoBarrier {
        /// The method.
        method: Method,
    },
    /// Multigrid without levels.
    #[error("multigrid needs a prolongation for each level but the coarsest; give them")]
    NoLevels,
    /// A solve that would take too much.
    #[error(
        "{method} on {layout} would take {estimate}, over the limit of {limit}; {remedy}, or allow more"
    )]
    Limit {
        /// The method.
        method: Method,
        /// The layout.
        layout: Layout,
        /// What it would take.
        estimate: Estimate,
        /// What it may, in words.
        limit: String,
        /// What takes less.
        remedy: &'static str,
    },
    /// b, or the start, is not as long as the matrix is high.
    #[error(transparent)]
    Length(#[from] LengthMismatch),
    /// Matrices that do not fit together.
    #[error(transparent)]
    Csr(#[from] CsrError),
    /// The machine failed, or cannot hold a texture.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// A layout of kruger2003 cannot hold the matrix.
    #[error(transparent)]
    Algebra(AlgebraError),
    /// Rows that cannot be packed.
    #[error(transparent)]
    Packing(#[from] MatrixError),
}

impl From<AlgebraError> for SystemError {
    fn from(error: AlgebraError) -> Self {
        match error {
            AlgebraError::Stream(error) => Self::Stream(error),
            error => Self::Algebra(error),
        }
    }
}

impl From<LayoutError> for SystemError {
    fn from(error: LayoutError) -> Self {
        Self::Stream(error.into())
    }
}

impl From<DeviceError> for SystemError {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::Stream(error) => Self::Stream(error),
            DeviceError::Matrix(error) => Self::Csr(error),
        }
    }
}

impl SystemError {
    /// The same, where a layout cannot hold a matrix, with what can.
    pub(super) fn elsewhere(self, method: Method) -> Self {
        let elsewhere = match method {
            Method::GaussSeidel | Method::Lu => {
                "the method gauss-seidel on the layout points holds it, or bicgstab on rows"
            }
            _ => "the layout points or rows holds it",
        };
        match self {
            // Where a vector does not fit, no layout of the matrix helps.
            Self::Stream(StreamError::Layout(LayoutError::TooLarge {
                what,
                width,
                height,
                limit,
                ..
            })) if what.contains("matrix") => Self::from(LayoutError::TooLarge {
                what,
                width,
                height,
                limit,
                remedy: elsewhere.into(),
            }),
            Self::Algebra(AlgebraError::TooMuchMemory {
                what, bytes, most, ..
            }) => Self::Algebra(AlgebraError::TooMuchMemory {
                what,
                bytes,
                most,
                remedy: elsewhere.into(),
            }),
            error => error,
        }
    }
}

impl WithKind for SystemError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            Self::Algebra(error) => error.error_kind(),
            Self::NoBarrier { .. } => ErrorKind::NoGl,
            _ => ErrorKind::Input,
        }
    }
}
