//! Every column in one texture, including zeros, for dense matrices (kruger2003 §3.2).

use std::rc::Rc;

use crate::kruger2003::{ColumnMatrix, ProductOptions, Tiles};
use crate::solver::Csr;
use crate::stream::{Format, Layout as VectorLayout, Machine};

use super::error::LayoutsError;
use super::layout::{Label, MatrixLayout, Plan, Product, Stored, Upload};
use super::textures::Texture;

/// Every column, including zeros.
pub struct Columns;

impl MatrixLayout for Columns {
    fn label(&self) -> Label {
        let about = "Every column, including zeros: for dense matrices";
        Label::new("columns", "kruger2003 §3.2", about)
    }

    fn plan(&self, matrix: &Csr<f64>, _side: u32) -> Result<Plan, LayoutsError> {
        let vectors = VectorLayout::square(matrix.rows(), Format::R32F)?;
        let tiles = Tiles::of(vectors);
        let (width, height) = tiles.sides();
        let textures = vec![Texture::planned("columns", [width, height], Format::R32F)];
        let places = width.saturating_mul(height);
        Ok(Plan::new(textures, places, matrix.entries()))
    }

    fn upload(
        &self,
        machine: &Machine,
        matrix: &Csr<f64>,
        upload: &Upload,
    ) -> Result<Stored, LayoutsError> {
        let vectors = VectorLayout::square(matrix.rows(), Format::R32F)?;
        Stored::pair(machine, vectors, None, (matrix, upload.transposed), |a| {
            let stored = ColumnMatrix::new(machine, vectors, a, ProductOptions::default())?;
            let (width, height) = stored.stream().size();
            let words = format!("one {width}x{height} texture");
            Ok((Rc::new(stored) as Product, words))
        })
    }
}
