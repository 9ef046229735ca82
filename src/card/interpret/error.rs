//! Why a program cannot be interpreted.

use crate::card::count::CountError;

/// Why a program cannot be interpreted, or a run cannot start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterpretError {
    /// The text says something that there is no operation for.
    #[error(transparent)]
    Program(#[from] CountError),
    /// The program needs something that it was not given.
    #[error("`{name}` has no value; bind it before the run")]
    Missing {
        /// The stream or constant.
        name: String,
    },
    /// The program was given something that it does not declare.
    #[error("the program declares no `{name}` of this size; bind what it declares")]
    Unknown {
        /// The stream or constant.
        name: String,
    },
    /// The rectangle or point reaches beyond the target.
    #[error("the target is {} x {}; draw inside it", size.0, size.1)]
    Outside {
        /// Columns and rows of the target.
        size: (usize, usize),
    },
}
