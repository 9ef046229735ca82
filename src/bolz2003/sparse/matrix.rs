//! A matrix as streams (Bolz et al. 2003, sections 3.1.1 and 3.1.2): the images that are uploaded.
//!
//! | stream | image | laid out like |
//! |---|---|---|
//! | 𝒜_i, diagonal entries | [`Entries::diagonal`] | x |
//! | 𝒜_j, off-diagonal entries | [`Entries::off_diagonal`] | segments |
//! | ℛ, pointers to segments | [`Pointers::row`] | x |
//! | 𝒞, pointers to x_j | [`Pointers::column`] | segments |
//! | ℐ, 𝒩, 𝒫, pointers to x_i and to the next and previous neighbour | [`RingPointers`] | segments |
//!
//! Images are stored line by line from the bottom, pointers are texel centres. Padding holds the
//! entry zero, and points to the packing's one zero.

use thiserror::Error;

use super::packing::{Packing, PackingError, PackingOptions, centre};
use crate::error::WithKind;
use crate::solver::csr::Csr;
use crate::solver::real::Real;

/// Why a matrix cannot be laid out as streams.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatrixError {
    /// The three parts of a sparse matrix contradict each other.
    #[error(
        "the parts of the sparse matrix contradict each other: {0}; give n + 1 ascending offsets, \
         the last of which is the number of entries, and one column and one value an entry"
    )]
    Inconsistent(&'static str),
    /// A matrix that has not as many rows as columns.
    #[error("a matrix of {rows} rows and {columns} columns is not square; give a square one")]
    NotSquare {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// A column, or a neighbour of a vertex, that does not exist.
    #[error(
        "row {row} refers to {index}, but there are only {size} (counted from 0); correct the index"
    )]
    OutOfRange {
        /// The row or vertex, from 0.
        row: usize,
        /// What it refers to, from 0.
        index: u32,
        /// Number of rows or vertices.
        size: usize,
    },
    /// A row of more entries than 32 bits can count.
    #[error(
        "row {row} has {length} entries, more than can be counted in 32 bits; merge its duplicates"
    )]
    RowTooLong {
        /// The row, from 0.
        row: usize,
        /// Its entries.
        length: usize,
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
    /// The textures are too small.
    #[error(transparent)]
    Packing(#[from] PackingError),
}

impl WithKind for MatrixError {}

/// A square sparse matrix in compressed sparse rows, borrowed and checked.
///
/// Entries of value zero are kept: the pattern belongs to the caller, who may change the values.
/// Entries at one place count as their sum, and a diagonal entry that is not stored is zero.
#[derive(Clone, Copy, Debug)]
pub struct SparseRows<'a> {
    offsets: &'a [usize],
    columns: &'a [u32],
    values: &'a [f64],
}

impl<'a> SparseRows<'a> {
    /// The entries of row i are those from `offsets[i]` to `offsets[i + 1]` of `columns` and
    /// `values`.
    pub fn new(
        offsets: &'a [usize],
        columns: &'a [u32],
        values: &'a [f64],
    ) -> Result<Self, MatrixError> {
        if columns.len() != values.len() {
            return Err(MatrixError::Inconsistent(
                "columns and values differ in number",
            ));
        }
        check_offsets(offsets.iter().copied(), columns.len())?;
        let rows = SparseRows {
            offsets,
            columns,
            values,
        };
        for row in 0..rows.size() {
            check_indices(row, rows.row(row).0, rows.size())?;
        }
        Ok(rows)
    }

    /// Number of rows and of columns.
    pub fn size(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Columns and values of a row's entries.
    fn row(&self, row: usize) -> (&'a [u32], &'a [f64]) {
        let range = self.offsets[row]..self.offsets[row + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// The off-diagonal entries of a row, as (column, value).
    pub(crate) fn off_diagonal(&self, row: usize) -> impl Iterator<Item = (u32, f64)> + use<'a> {
        let (columns, values) = self.row(row);
        let entries = columns.iter().copied().zip(values.iter().copied());
        entries.filter(move |&(column, _)| column as usize != row)
    }

    /// The diagonal entry of a row.
    pub(crate) fn diagonal(&self, row: usize) -> f64 {
        let (columns, values) = self.row(row);
        let entries = columns.iter().zip(values);
        let diagonal = entries.filter(|&(&column, _)| column as usize == row);
        diagonal.map(|(_, value)| value).sum()
    }

    /// The number of off-diagonal entries of each row: what a [`Packing`] is made from.
    pub fn row_lengths(&self) -> Result<Vec<Option<u32>>, MatrixError> {
        let length = |row| row_length(row, self.off_diagonal(row).count()).map(Some);
        (0..self.size()).map(length).collect()
    }
}

impl<'a> TryFrom<&'a Csr<f64>> for SparseRows<'a> {
    type Error = MatrixError;

    fn try_from(matrix: &'a Csr<f64>) -> Result<Self, MatrixError> {
        let (rows, columns) = (matrix.rows(), matrix.columns());
        if rows != columns {
            return Err(MatrixError::NotSquare { rows, columns });
        }
        SparseRows::new(matrix.offsets(), matrix.indices(), matrix.values())
    }
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

/// A matrix, ready to be uploaded or to be multiplied by the [twin](super::twin::spmv).
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixImages<T> {
    /// Its pattern.
    pub pointers: Pointers,
    /// Its entries.
    pub entries: Entries<T>,
}

impl<T: Real> MatrixImages<T> {
    /// Lays a matrix out in a packing whose rows are at least as long.
    pub fn new(packing: &Packing, matrix: SparseRows) -> Result<Self, MatrixError> {
        let mut diagonal = vec![T::ZERO; packing.area()];
        let mut off_diagonal = vec![T::ZERO; packing.segment_area()];
        let mut column = vec![centre(packing.zero); packing.segment_area()];
        if packing.values() != matrix.size() {
            return Err(MatrixError::Inconsistent(
                "the packing was made for another number of rows",
            ));
        }
        for &dummy in &packing.dummies {
            diagonal[packing.index(dummy)] = T::ONE;
        }
        for (row, group) in packing.rows() {
            let room = packing.row_lengths[row].unwrap_or(0);
            let length = matrix.off_diagonal(row).count();
            if length > room as usize {
                return Err(MatrixError::Unplaced { row, length });
            }
            diagonal[packing.index(packing.texel[row])] = T::from_f64(matrix.diagonal(row));
            for (c, (j, value)) in (0..room).zip(matrix.off_diagonal(row)) {
                let place = packing.segment_index(group.entry(packing.segment[row], c));
                off_diagonal[place] = T::from_f64(value);
                column[place] = centre(packing.texel[j as usize]);
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
    matrix: SparseRows,
    options: &PackingOptions,
) -> Result<(Packing, MatrixImages<T>), MatrixError> {
    let packing = Packing::new(&matrix.row_lengths()?, options)?;
    let images = MatrixImages::new(&packing, matrix)?;
    Ok((packing, images))
}

/// Packs a matrix and its transpose, which must be given explicitly, so that products with both
/// read and write vectors of one layout: of row i of either the shorter is padded with zeros to the
/// length of the other (section 3.1.1).
pub fn pack_with_transpose<T: Real>(
    matrix: SparseRows,
    transpose: SparseRows,
    options: &PackingOptions,
) -> Result<(Packing, MatrixImages<T>, MatrixImages<T>), MatrixError> {
    if matrix.size() != transpose.size() {
        return Err(MatrixError::Inconsistent(
            "the matrix and its transpose differ in size",
        ));
    }
    let mut lengths = matrix.row_lengths()?;
    for (length, other) in lengths.iter_mut().zip(transpose.row_lengths()?) {
        *length = other.max(*length);
    }
    let packing = Packing::new(&lengths, options)?;
    let images = MatrixImages::new(&packing, matrix)?;
    let transposed = MatrixImages::new(&packing, transpose)?;
    Ok((packing, images, transposed))
}

/// The one-rings of a triangle mesh, borrowed and checked.
///
/// The neighbours of vertex i stand from `offsets[i]` to `offsets[i + 1]`. Beside each neighbour j,
/// `next` and `previous` name the third vertices of the two triangles on the edge ij: (i, j, next)
/// and (i, previous, j). Only vertices that are not `known` need them.
#[derive(Clone, Copy, Debug)]
pub struct OneRings<'a> {
    offsets: &'a [u32],
    neighbours: &'a [u32],
    next: &'a [u32],
    previous: &'a [u32],
    known: &'a [bool],
}

impl<'a> OneRings<'a> {
    /// Checks that the parts fit together and refer to vertices that exist. What stands at known
    /// vertices is not read.
    pub fn new(
        offsets: &'a [u32],
        neighbours: &'a [u32],
        next: &'a [u32],
        previous: &'a [u32],
        known: &'a [bool],
    ) -> Result<Self, MatrixError> {
        check_offsets(
            offsets.iter().map(|&offset| offset as usize),
            neighbours.len(),
        )?;
        if next.len() != neighbours.len() || previous.len() != neighbours.len() {
            return Err(MatrixError::Inconsistent(
                "neighbours, next and previous differ in number",
            ));
        }
        if known.len() + 1 != offsets.len() {
            return Err(MatrixError::Inconsistent(
                "flags and offsets differ in number",
            ));
        }
        let rings = OneRings {
            offsets,
            neighbours,
            next,
            previous,
            known,
        };
        for vertex in (0..known.len()).filter(|&vertex| !known[vertex]) {
            for part in [neighbours, next, previous] {
                check_indices(vertex, &part[rings.range(vertex)], known.len())?;
            }
        }
        Ok(rings)
    }

    fn range(&self, vertex: usize) -> std::ops::Range<usize> {
        self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize
    }

    /// The number of neighbours of each vertex that is not known: what a [`Packing`] is made from.
    pub fn row_lengths(&self) -> Result<Vec<Option<u32>>, MatrixError> {
        let length = |(vertex, &known): (usize, &bool)| {
            (!known)
                .then(|| row_length(vertex, self.range(vertex).len()))
                .transpose()
        };
        self.known.iter().enumerate().map(length).collect()
    }
}

/// Where the vertices of the two triangles on an edge ij are, for each off-diagonal entry a_ij
/// (section 3.1.2); x_j itself is where 𝒞 points to.
#[derive(Clone, Debug, PartialEq)]
pub struct RingPointers {
    /// ℐ: where x_i is.
    pub own: Vec<[f32; 2]>,
    /// 𝒩: where the next neighbour after j is.
    pub next: Vec<[f32; 2]>,
    /// 𝒫: where the neighbour before j is.
    pub previous: Vec<[f32; 2]>,
}

/// The pattern of a mesh's matrix, ready to be uploaded: its entries are computed from x.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshImages {
    /// ℛ and 𝒞.
    pub pointers: Pointers,
    /// ℐ, 𝒩 and 𝒫.
    pub ring: RingPointers,
}

impl MeshImages {
    /// Lays one-rings out in a packing made from their [row lengths](OneRings::row_lengths).
    pub fn new(packing: &Packing, rings: OneRings) -> Result<Self, MatrixError> {
        if packing.values() != rings.known.len() {
            return Err(MatrixError::Inconsistent(
                "the packing was made for another number of vertices",
            ));
        }
        let padding = vec![centre(packing.zero); packing.segment_area()];
        let mut images = MeshImages {
            pointers: Pointers {
                row: packing.row_pointers(),
                column: padding.clone(),
            },
            ring: RingPointers {
                own: padding.clone(),
                next: padding.clone(),
                previous: padding,
            },
        };
        for (vertex, group) in packing.rows() {
            let range = rings.range(vertex);
            let length = range.len();
            if packing.row_lengths[vertex].map(|room| room as usize) != Some(length) {
                return Err(MatrixError::Unplaced {
                    row: vertex,
                    length,
                });
            }
            for (c, at) in (0..).zip(range) {
                let place = packing.segment_index(group.entry(packing.segment[vertex], c));
                let to = |other: u32| centre(packing.texel[other as usize]);
                images.pointers.column[place] = to(rings.neighbours[at]);
                images.ring.own[place] = centre(packing.texel[vertex]);
                images.ring.next[place] = to(rings.next[at]);
                images.ring.previous[place] = to(rings.previous[at]);
            }
        }
        Ok(images)
    }
}

/// Packs the one-rings of a mesh.
pub fn pack_mesh(
    rings: OneRings,
    options: &PackingOptions,
) -> Result<(Packing, MeshImages), MatrixError> {
    let packing = Packing::new(&rings.row_lengths()?, options)?;
    let images = MeshImages::new(&packing, rings)?;
    Ok((packing, images))
}

fn check_offsets(
    mut offsets: impl DoubleEndedIterator<Item = usize> + Clone,
    entries: usize,
) -> Result<(), MatrixError> {
    let ascending = offsets.clone().is_sorted();
    match (offsets.next(), offsets.next_back()) {
        (Some(0), None) if entries == 0 => Ok(()),
        (Some(0), Some(last)) if last == entries && ascending => Ok(()),
        _ => Err(MatrixError::Inconsistent(
            "the offsets do not ascend from 0 to the number of entries",
        )),
    }
}

fn check_indices(row: usize, indices: &[u32], size: usize) -> Result<(), MatrixError> {
    match indices.iter().find(|&&index| index as usize >= size) {
        Some(&index) => Err(MatrixError::OutOfRange { row, index, size }),
        None => Ok(()),
    }
}

fn row_length(row: usize, length: usize) -> Result<u32, MatrixError> {
    u32::try_from(length).map_err(|_| MatrixError::RowTooLong { row, length })
}
