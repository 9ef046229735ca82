//! A matrix as streams (Bolz et al. 2003, sections 3.1.1 and 3.1.2): the images that are uploaded.
//!
//! | stream | image | laid out like |
//! |---|---|---|
//! | 𝒜_i, diagonal entries | [`Entries::diagonal`] | x |
//! | 𝒜_j, off-diagonal entries | [`Entries::off_diagonal`] | segments |
//! | ℛ, pointers to segments | [`Pointers::row`] | x |
//! | 𝒞, pointers to x_j | [`Pointers::column`] | segments |
//! | ℐ, 𝒩, 𝒫, pointers to x_i and to the next and previous neighbour | [`RingPointers`](super::flow::RingPointers) | segments |
//!
//! Images are stored line by line from the bottom, pointers are texel centres. Padding holds the
//! entry zero, and points to the packing's one zero.

use thiserror::Error;

use super::packing::{Packing, PackingError, PackingOptions};
use crate::error::WithKind;
use crate::solver::{Csr, Real};
use crate::stream::rows::centre;

/// Why a matrix cannot be laid out as streams.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatrixError {
    /// A matrix that has not as many rows as columns.
    #[error("a matrix of {rows} rows and {columns} columns is not square; give a square one")]
    NotSquare {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// A matrix and a packing that was made for another one.
    #[error(
        "the packing has no place for the {length} off-diagonal entries of row {row}; make it from \
         this matrix's row lengths"
    )]
    Unplaced {
        /// The row, from 0.
        row: usize,
        /// Its off-diagonal entries.
        length: usize,
    },
    /// A packing, or a transpose, of another number of rows.
    #[error("{what} has {got} rows where {expected} are needed; make both from one matrix")]
    Rows {
        /// The packing or the transpose.
        what: &'static str,
        /// Its rows.
        got: usize,
        /// The rows of the matrix.
        expected: usize,
    },
    /// The textures are too small.
    #[error(transparent)]
    Packing(#[from] PackingError),
}

impl WithKind for MatrixError {}

/// The off-diagonal entries of a row, as (column, value).
pub(crate) fn off_diagonal_of(matrix: &Csr<f64>, row: usize) -> impl Iterator<Item = (usize, f64)> {
    matrix.row(row).filter(move |&(column, _)| column != row)
}

/// The number of off-diagonal entries of each row of a square matrix: what a [`Packing`] is made
/// from. Entries of value zero count: the pattern belongs to the caller, who may change the values.
pub fn row_lengths(matrix: &Csr<f64>) -> Result<Vec<Option<u32>>, MatrixError> {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    if rows != columns {
        return Err(MatrixError::NotSquare { rows, columns });
    }
    // Columns have numbers of 32 bits, so a row has no more entries.
    let length = |row| Some(off_diagonal_of(matrix, row).count() as u32);
    Ok((0..rows).map(length).collect())
}

/// An error unless two numbers of rows are the same.
fn check_rows(what: &'static str, got: usize, expected: usize) -> Result<(), MatrixError> {
    if got == expected {
        return Ok(());
    }
    Err(MatrixError::Rows {
        what,
        got,
        expected,
    })
}

/// The pointer streams of a matrix-vector product.
#[derive(Clone, Debug, PartialEq)]
pub struct Pointers {
    /// ℛ, laid out like x: the first entry of each row's segment.
    pub row: Vec<[f32; 2]>,
    /// 𝒞, laid out like the segments: where x_j is.
    pub column: Vec<[f32; 2]>,
}

/// The entries of a matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries<T> {
    /// 𝒜_i, laid out like x: a_ii; one in dummy rows, zero where nothing is drawn.
    pub diagonal: Vec<T>,
    /// 𝒜_j, laid out in segments: a_ij; zero in padding.
    pub off_diagonal: Vec<T>,
}

/// A matrix, ready to be uploaded.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixImages<T> {
    /// Its pattern.
    pub pointers: Pointers,
    /// Its entries.
    pub entries: Entries<T>,
}

impl<T: Real> MatrixImages<T> {
    /// Lays a matrix out in a packing whose rows are at least as long.
    pub fn new(packing: &Packing, matrix: &Csr<f64>) -> Result<Self, MatrixError> {
        let mut diagonal = vec![T::ZERO; packing.area()];
        let mut off_diagonal = vec![T::ZERO; packing.segment_area()];
        let mut column = vec![centre(packing.zero); packing.segment_area()];
        check_rows("the packing", packing.values(), matrix.rows())?;
        for &dummy in &packing.dummies {
            diagonal[packing.index(dummy)] = T::ONE;
        }
        for (row, group) in packing.rows() {
            let room = packing.row_lengths[row].unwrap_or(0);
            let length = off_diagonal_of(matrix, row).count();
            if length > room as usize {
                return Err(MatrixError::Unplaced { row, length });
            }
            diagonal[packing.index(packing.texel[row])] = T::from_f64(matrix.get(row, row));
            for (c, (j, value)) in (0..room).zip(off_diagonal_of(matrix, row)) {
                let place = packing.segment_index(group.entry(packing.segment[row], c));
                off_diagonal[place] = T::from_f64(value);
                column[place] = centre(packing.texel[j]);
            }
        }
        let row = packing.row_pointers();
        Ok(MatrixImages {
            pointers: Pointers { row, column },
            entries: Entries {
                diagonal,
                off_diagonal,
            },
        })
    }
}

/// Packs a matrix, all of whose values are unknowns.
pub fn pack_matrix<T: Real>(
    matrix: &Csr<f64>,
    options: &PackingOptions,
) -> Result<(Packing, MatrixImages<T>), MatrixError> {
    let packing = Packing::new(&row_lengths(matrix)?, options)?;
    let images = MatrixImages::new(&packing, matrix)?;
    Ok((packing, images))
}

/// Packs a matrix and its transpose, which must be given explicitly, so that products with both
/// read and write vectors of one layout: of row i of either the shorter is padded with zeros to the
/// length of the other (section 3.1.1).
pub fn pack_with_transpose<T: Real>(
    matrix: &Csr<f64>,
    transpose: &Csr<f64>,
    options: &PackingOptions,
) -> Result<(Packing, MatrixImages<T>, MatrixImages<T>), MatrixError> {
    check_rows("the transpose", transpose.rows(), matrix.rows())?;
    let mut lengths = row_lengths(matrix)?;
    for (length, other) in lengths.iter_mut().zip(row_lengths(transpose)?) {
        *length = other.max(*length);
    }
    let packing = Packing::new(&lengths, options)?;
    let images = MatrixImages::new(&packing, matrix)?;
    let transposed = MatrixImages::new(&packing, transpose)?;
    Ok((packing, images, transposed))
}
