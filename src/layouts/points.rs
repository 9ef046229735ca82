//! Entries drawn as points: for sparse matrices (kruger2003 §4.2).

use crate::base::error::counted;
use crate::kruger2003::{Accumulation, VertexMatrix};
use crate::stream::{Format, Layout as VectorLayout};

use super::layout::{Footprint, Layout, MatrixLayout, Stored};

/// Entries, drawn as points.
pub const POINTS: Layout = &MatrixLayout {
    name: "points",
    source: "kruger2003 §4.2",
    about: "The entries, drawn as points: for sparse matrices",
    is_of_2003: true,
    is_variant: false,
    roles: &[],
    footprint: |matrix, _| Ok(Footprint::vertices(matrix.entries())),
    store: |machine, matrix, upload| {
        let vectors = VectorLayout::square(matrix.rows(), Format::R32F)?;
        Stored::pair(machine, vectors, None, (matrix, upload.transposed), |a| {
            let stored = VertexMatrix::new(machine, vectors, a, Accumulation::default())?;
            let draws = counted(stored.passes(), "draw");
            let words = format!("{} in {draws}", stored.vertices());
            Ok((stored, words))
        })
    },
};
