//! ELLPACK, with rows padded to the longest one, and ELLPACK-R, with their own lengths (geveler2011 §3.1).

use std::rc::Rc;

use crate::geveler2011::{
    Arithmetic, EllpackLayout, EllpackProduct, EllpackStorage, Entries, RowFormat,
};
use crate::solver::Csr;
use crate::stream::{Format, Layout as VectorLayout, Machine};

use super::error::LayoutsError;
use super::layout::{Contents, Footprint, Layout, MatrixLayout, Role, Stored, Upload};

/// Rows padded to the longest one.
#[rustfmt::skip]
pub const ELLPACK: Layout = &MatrixLayout {
    name: "ellpack",
    source: "geveler2011 §3.1",
    about: "Rows padded to the longest one",
    is_of_2003: true,
    is_variant: false,
    roles: &[
        Role { texture: "matrix", words: "values, each with its column pointer", contents: Contents::Values(1) },
        Role { texture: "row_lengths", words: "row lengths", contents: Contents::OfRows },
    ],
    footprint: |matrix, _| entries(matrix),
    store: |machine, matrix, upload| store(machine, matrix, upload, RowFormat::Ellpack),
};

/// Rows with their own lengths.
pub const ELLPACK_R: Layout = &MatrixLayout {
    name: "ellpack-r",
    about: "Rows with their own lengths, which no program of 2003 could run",
    is_of_2003: false,
    footprint: |matrix, _| {
        let lengths = VectorLayout::square(matrix.rows(), Format::R32F)?;
        Ok(entries(matrix)?.and(Footprint::vectors(1, lengths)))
    },
    store: |machine, matrix, upload| store(machine, matrix, upload, RowFormat::EllpackR),
    ..*ELLPACK
};

/// Storage of rows, with value and pointer in one texel.
pub(crate) fn packed(rows: RowFormat) -> EllpackLayout {
    EllpackLayout { rows, entries: Entries::Packed }
}

/// The memory of all entries.
fn entries(matrix: &Csr<f64>) -> Result<Footprint, LayoutsError> {
    let longest = (0..matrix.rows()).map(|row| matrix.row_length(row)).max();
    let size = EllpackStorage::texture_size(matrix.rows(), longest.unwrap_or(0))?;
    Ok(Footprint::textures(1, size, Format::Rgba32F))
}

fn store(
    machine: &Machine,
    matrix: &Csr<f64>,
    upload: &Upload,
    rows: RowFormat,
) -> Result<Stored, LayoutsError> {
    let vectors = VectorLayout::square(matrix.rows(), Format::R32F)?;
    Stored::pair(machine, vectors, None, (matrix, upload.transposed), |a| {
        let storage = Rc::new(EllpackStorage::new(machine, a, packed(rows))?);
        let words = format!("rows of at most {}", storage.row_length);
        let product = EllpackProduct::new(machine, &storage, Arithmetic::Single)?;
        Ok((product, words))
    })
}
