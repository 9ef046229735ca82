//! The nonzero diagonals, one texture each (kruger2003 §2, and §6 with four entries per texel).

use crate::base::error::counted;
use crate::kruger2003::diagonals::count;
use crate::kruger2003::{DiagonalMatrix, ProductOptions};
use crate::solver::Csr;
use crate::stream::{Format, Layout as VectorLayout, Machine};

use super::error::LayoutsError;
use super::layout::{Contents, Footprint, Layout, MatrixLayout, Role, Stored, Upload};

/// Diagonals, one entry per texel.
pub const DIAGONALS: Layout = &MatrixLayout {
    name: "diagonals",
    source: "kruger2003 §2",
    about: "The nonzero diagonals, one texture each",
    is_of_2003: true,
    is_variant: false,
    roles: &[role(1)],
    footprint: |matrix, _| footprint(matrix, Format::R32F),
    store: |machine, matrix, upload| store(machine, matrix, upload, Format::R32F),
};

/// Diagonals, four entries per texel.
pub const DIAGONALS_RGBA: Layout = &MatrixLayout {
    name: "diagonals-rgba",
    source: "kruger2003 §6",
    about: "The same with four entries per texel",
    is_variant: true,
    roles: &[role(4)],
    footprint: |matrix, _| footprint(matrix, Format::Rgba32F),
    store: |machine, matrix, upload| store(machine, matrix, upload, Format::Rgba32F),
    ..*DIAGONALS
};

/// The role of diagonals with this number of entries per texel.
pub(super) const fn role(entries: usize) -> Role {
    Role { texture: "diagonal", words: "diagonals", contents: Contents::Values(entries) }
}

fn footprint(matrix: &Csr<f64>, format: Format) -> Result<Footprint, LayoutsError> {
    let vectors = VectorLayout::square(matrix.rows(), format)?;
    Ok(Footprint::vectors(count(matrix, vectors.capacity()), vectors))
}

fn store(
    machine: &Machine,
    matrix: &Csr<f64>,
    upload: &Upload,
    format: Format,
) -> Result<Stored, LayoutsError> {
    let vectors = VectorLayout::square(matrix.rows(), format)?;
    Stored::pair(machine, vectors, None, (matrix, upload.transposed), |a| {
        let stored = DiagonalMatrix::new(machine, vectors, a, ProductOptions::default())?;
        let passes = counted(stored.passes(), "pass");
        let diagonals = counted(stored.numbers().count(), "diagonal");
        let words = format!("{diagonals} in {passes}");
        Ok((stored, words))
    })
}
