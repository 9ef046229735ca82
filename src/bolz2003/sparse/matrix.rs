//! A matrix as streams (Bolz et al. 2003, sections 3.1.1 and 3.1.2): the images that are uploaded.
//!
//! | stream | image | laid out like |
//! |---|---|---|
//! | 𝒜_i, diagonal entries | [`MatrixImages::diagonal`] | x |
//! | 𝒜_j, off-diagonal entries | [`MatrixImages::off_diagonal`] | segments |
//! | ℛ, pointers to segments | [`Packing::row_pointers`] | x |
//! | 𝒞, pointers to x_j | [`MatrixImages::column`] | segments |
//! | ℐ, 𝒩, 𝒫, pointers to x_i and to the next and previous neighbour | [`FlowLayout`](super::flow::FlowLayout) | segments |
//!
//! Images are stored line by line from the bottom, pointers are texel centres. Padding holds the
//! entry zero, and points to the packing's one zero.

use super::packing::{Packing, PackingOptions};
use crate::bolz2003::Error;
use crate::solver::Csr;
use crate::stream::rows::centre;
use crate::timing::cost::all;

/// The off-diagonal entries of a row, as (column, value).
pub(crate) fn off_diagonal_of(matrix: &Csr<f64>, row: usize) -> impl Iterator<Item = (usize, f64)> {
    matrix.row(row).filter(move |&(column, _)| column != row)
}

/// The number of off-diagonal entries of each row of a square matrix, from which a [`Packing`] is
/// made. Entries of value zero count: the caller may change the values, and the pattern stays.
pub fn row_lengths(matrix: &Csr<f64>) -> Result<Vec<Option<u32>>, Error> {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    if rows != columns {
        return Err(Error::NotSquare { rows, columns });
    }
    // Columns have numbers of 32 bits, so a row has no more entries.
    let length = |row| Some(off_diagonal_of(matrix, row).count() as u32);
    Ok((0..rows).map(length).collect())
}

/// A matrix ready for upload.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixImages {
    /// 𝒜_i, laid out like x: a_ii; one in dummy rows, zero in texels that are not drawn.
    pub diagonal: Vec<f32>,
    /// 𝒜_j, laid out in segments: a_ij; zero in padding.
    pub off_diagonal: Vec<f32>,
    /// 𝒞, laid out like the segments: the position of x_j.
    pub column: Vec<[f32; 2]>,
}

impl MatrixImages {
    /// Lays out a matrix in a packing whose rows are at least as long.
    pub fn new(packing: &Packing, matrix: &Csr<f64>) -> Result<Self, Error> {
        let (packed, rows) = (packing.values(), matrix.rows());
        if packed != rows {
            return Err(Error::Rows { packed, rows });
        }
        let mut images = Self {
            diagonal: vec![0.0; packing.area()],
            off_diagonal: vec![0.0; packing.segment_area()],
            column: vec![centre(packing.zero); packing.segment_area()],
        };
        for &dummy in &packing.dummies {
            images.diagonal[packing.index(dummy)] = 1.0;
        }
        for (row, group) in packing.rows() {
            let room = packing.row_lengths[row].unwrap_or(0);
            let length = off_diagonal_of(matrix, row).count();
            if length > room as usize {
                return Err(Error::Unplaced { row, length });
            }
            // §3.1.1: 𝒜_i[i] = a_ii, 𝒜_j[ℛ[i] + c] = a_ij, 𝒞[ℛ[i] + c] = position of x_j
            images.diagonal[packing.index(packing.texel[row])] = matrix.get(row, row) as f32;
            for (c, (j, value)) in (0..room).zip(off_diagonal_of(matrix, row)) {
                let place = packing.entry_index(row, group, c);
                images.off_diagonal[place] = value as f32;
                images.column[place] = centre(packing.texel[j]);
            }
        }
        Ok(images)
    }
}

/// Packs matrices of one size, all of whose values are unknowns, so that products with all of them read
/// and write vectors of one layout: a matrix alone, or with its transpose, which must be given explicitly.
/// The shorter of row i of either matrix is padded with zeros to the length of the longer (section 3.1.1).
pub fn pack<const N: usize>(
    matrices: [&Csr<f64>; N],
    options: &PackingOptions,
) -> Result<(Packing, [MatrixImages; N]), Error> {
    let mut lengths = Vec::new();
    for matrix in matrices {
        let own = row_lengths(matrix)?;
        lengths.resize(own.len().max(lengths.len()), None);
        for (length, own) in lengths.iter_mut().zip(own) {
            *length = own.max(*length);
        }
    }
    let packing = Packing::new(&lengths, options)?;
    let images = all(matrices.map(|matrix| MatrixImages::new(&packing, matrix)))?;
    Ok((packing, images))
}
