//! Every column in one texture, including zeros, for dense matrices (kruger2003 §3.2).

use crate::kruger2003::{ColumnMatrix, ProductOptions, Tiles};
use crate::stream::{Format, Layout as VectorLayout};

use super::layout::{Contents, Footprint, Layout, MatrixLayout, Role, Stored};

/// Every column, including zeros.
pub const COLUMNS: Layout = &MatrixLayout {
    name: "columns",
    source: "kruger2003 §3.2",
    about: "Every column, including zeros: for dense matrices",
    is_of_2003: true,
    is_variant: false,
    roles: &[Role { texture: "columns", words: "columns", contents: Contents::Values(1) }],
    footprint: |matrix, _| {
        let tiles = Tiles::of(VectorLayout::square(matrix.rows(), Format::R32F)?);
        Ok(Footprint::textures(1, tiles.sides().into(), Format::R32F))
    },
    store: |machine, matrix, upload| {
        let vectors = VectorLayout::square(matrix.rows(), Format::R32F)?;
        Stored::pair(machine, vectors, None, (matrix, upload.transposed), |a| {
            let stored = ColumnMatrix::new(machine, vectors, a, ProductOptions::default())?;
            let (width, height) = stored.stream().size();
            let words = format!("one {width}x{height} texture");
            Ok((stored, words))
        })
    },
};
