//! Reasons why a matrix, a grid or a fluid cannot be set up or solved.

use crate::base::error::{ErrorKind, WithKind};
use crate::scene::{NotFinite, Setting};
use crate::stream::StreamError;

/// Reason why a matrix, a grid or a fluid cannot be set up or solved. Every message is one line and gives the remedy.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum Error {
    /// The numbers of rows and columns differ.
    #[error("a matrix of {rows} rows and {columns} columns is not square. Give a square matrix.")]
    NotSquare { rows: usize, columns: usize },
    /// The packing was made for another matrix.
    #[error(
        "the packing has no room for the {length} off-diagonal entries of row {row}. Make it from \
         this matrix's row lengths."
    )]
    Unplaced { row: usize, length: usize },
    /// The packing has another number of rows.
    #[error(
        "a packing of {packed} rows does not fit a matrix of {rows}. Make it from this matrix."
    )]
    Rows { packed: usize, rows: usize },
    /// The rectangle has no area, or does not fit in a texture.
    #[error(
        "a rectangle of {}x{} texels does not fit in textures of at most {limit}x{limit}. Choose \
         sides from 1 to {limit}.",
        .rectangle[0], .rectangle[1]
    )]
    Rectangle { rectangle: [u32; 2], limit: u32 },
    /// The longest pass is zero.
    #[error(
        "a pass must process at least one off-diagonal entry. Choose a longest pass of 1 or more."
    )]
    LongestPass,
    /// The vector does not fit in a texture.
    #[error(
        "a vector of {values} values does not fit in a texture of {limit}x{limit} texels in rectangles of \
         {}x{}. Use a smaller problem, or a rectangle whose sides divide {limit}.",
        .rectangle[0], .rectangle[1]
    )]
    Vector { values: usize, rectangle: [u32; 2], limit: u32 },
    /// The off-diagonal entries do not fit in a texture.
    #[error(
        "{entries} off-diagonal entries, padded to {padded} (the longest row has {longest}), do not \
         fit in a texture of {limit}x{limit} texels. Use a smaller rectangle, which pads less, or a \
         smaller problem."
    )]
    Segments { entries: u64, padded: u64, longest: u32, limit: u32 },
    /// The sides cannot be halved often enough.
    #[error(
        "a grid of {columns} x {rows} nodes cannot be coarsened: each side must be 2^a * k + 1 with \
         a small k and nearly the same a. Take {suggested_columns} x {suggested_rows}."
    )]
    Size { columns: usize, rows: usize, suggested_columns: usize, suggested_rows: usize },
    /// A periodic side opposite a side that is not periodic.
    #[error(
        "only one of two opposite sides is periodic. Make both periodic: left and right, or bottom and top."
    )]
    Unpaired,
    /// Data whose length is not that of the grid.
    #[error("{what} has {found} values for a grid of {expected} nodes. Give one per node.")]
    Length { what: &'static str, found: usize, expected: usize },
    /// An invalid spacing of the nodes.
    #[error("the spacing is {0}. Give a positive number.")]
    Spacing(f64),
    /// An invalid coefficient.
    #[error("the coefficient {what} is {value} somewhere. Make it finite, and a positive.")]
    Coefficient { what: &'static str, value: f64 },
    /// NaN or infinity among the data.
    #[error("{what} is {value} at column {column}, row {row}. Make all values finite.")]
    NotFinite { what: &'static str, value: f64, column: usize, row: usize },
    /// An incompatible Neumann problem.
    #[error(
        "without Dirichlet sides and with sigma = 0 the right-hand side must balance, but its sum is {0:.1e} \
         of its size. Subtract its mean (or let that be done), or set a Dirichlet side."
    )]
    Incompatible(f64),
    /// An invalid setting of a fluid.
    #[error(transparent)]
    Setting(#[from] Setting),
    /// The velocity of a fluid is no longer finite.
    #[error(transparent)]
    Diverged(#[from] NotFinite),
    /// The GPU failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

impl WithKind for Error {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            Self::Diverged(_) => ErrorKind::Unconverged,
            _ => ErrorKind::Input,
        }
    }
}
