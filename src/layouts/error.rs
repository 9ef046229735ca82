//! Errors of layouts.

use thiserror::Error;

use crate::base::error::{ErrorKind, WithKind};
use crate::solver::{CsrError, LengthMismatch};
use crate::stream::StreamError;
use crate::{bolz2003, geveler2011, kruger2003};

/// A matrix that cannot be laid out.
#[derive(Debug, Error)]
pub enum LayoutsError {
    /// A matrix that the layout cannot hold, with the reason.
    #[error("{0}")]
    Unsuited(String),
    /// A vector whose length is not the height of the matrix.
    #[error(transparent)]
    Length(#[from] LengthMismatch),
    /// Matrices of unequal sizes.
    #[error(transparent)]
    Csr(#[from] CsrError),
    /// A failure of the machine, or a texture over its limits.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

/// Errors of a paper's storage: of the machine, of a matrix, or the reason why it cannot hold the matrix.
macro_rules! of_papers {
    ($($paper:ident: $($same:ident to $own:ident),+;)+) => {$(
        impl From<$paper::Error> for LayoutsError {
            fn from(error: $paper::Error) -> Self {
                match error {
                    $($paper::Error::$same(error) => Self::$own(error),)+
                    error => Self::Unsuited(error.to_string()),
                }
            }
        }
    )+};
}

of_papers! {
    bolz2003: Stream to Stream;
    kruger2003: Stream to Stream;
    geveler2011: Stream to Stream, Matrix to Csr;
}

impl WithKind for LayoutsError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            _ => ErrorKind::Input,
        }
    }
}
