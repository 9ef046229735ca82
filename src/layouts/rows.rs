//! Rows of equal length, packed into rectangles (bolz2003 §3.2).

use std::rc::Rc;

use crate::bolz2003::sparse::matrix::{pack, row_lengths};
use crate::bolz2003::sparse::packing::{Packing, PackingOptions};
use crate::bolz2003::sparse::spmv::SparseMatrix;
use crate::solver::Csr;
use crate::stream::{Format, Layout as VectorLayout, Machine};

use super::error::LayoutsError;
use super::layout::{Label, MatrixLayout, Plan, Product, Stored, Upload};
use super::textures::Texture;

/// Rows, packed into rectangles.
pub struct Rows;

impl MatrixLayout for Rows {
    fn label(&self) -> Label {
        let about = "Rows of equal length, packed into rectangles";
        Label::new("rows", "bolz2003 §3.2", about)
    }

    fn plan(&self, matrix: &Csr<f64>, _side: u32) -> Result<Plan, LayoutsError> {
        // The size is needed even if no driver supports such textures.
        let options = PackingOptions { texture_limit: u32::MAX, ..PackingOptions::default() };
        let packing = Packing::new(&row_lengths(matrix)?, &options)?;
        let [own, segments] =
            [packing.size, packing.segment_size].map(|(w, h)| [w, h].map(u64::from));
        let textures = vec![
            Texture::planned("off-diagonal", segments, Format::R32F),
            Texture::planned("row pointers", own, Format::Rg32F),
            Texture::planned("column pointers", segments, Format::Rg32F),
            Texture::planned("diagonal", own, Format::R32F),
        ];
        let places = own[0] * own[1] + segments[0] * segments[1];
        Ok(Plan::new(textures, places, matrix.entries()))
    }

    /// The transpose shares the packing: the shorter of both rows i is padded.
    fn upload(
        &self,
        machine: &Machine,
        matrix: &Csr<f64>,
        upload: &Upload,
    ) -> Result<Stored, LayoutsError> {
        let options = PackingOptions {
            texture_limit: machine.context().description().rectangle_limit,
            ..upload.packing
        };
        let (packing, images, transpose) = if upload.transposed {
            let (packing, [images, transpose]) = pack([matrix, &matrix.transpose()], &options)?;
            (packing, images, Some(transpose))
        } else {
            let (packing, [images]) = pack([matrix], &options)?;
            (packing, images, None)
        };
        let store = |images| -> Result<Product, LayoutsError> {
            let stored = SparseMatrix::upload(machine, &packing, images, Format::R32F)?;
            Ok(Rc::new(stored))
        };
        let vectors = VectorLayout::grid(packing.size, Format::R32F);
        let place = |&texel| packing.index(texel) as u32;
        let places = packing.texel.iter().map(place).collect();
        let [width, height] = options.rectangle;
        let words = format!("rectangles of {width}x{height}");
        let transpose = transpose.as_ref().map(store).transpose()?;
        let stored = (store(&images)?, words);
        Stored::new(machine, vectors, Some(places), stored, transpose)
    }
}
