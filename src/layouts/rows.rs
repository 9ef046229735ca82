//! Rows of equal length, packed into rectangles (bolz2003 §3.2).

use std::rc::Rc;

use crate::bolz2003::sparse::matrix::{pack, row_lengths};
use crate::bolz2003::sparse::packing::{Packing, PackingOptions};
use crate::bolz2003::sparse::spmv::SparseMatrix;
use crate::solver::Csr;
use crate::stream::{Format, Layout as VectorLayout, Machine};

use super::error::LayoutsError;
use super::layout::{Contents, Footprint, Layout, MatrixLayout, Product, Role, Stored, Upload};

/// Rows, packed into rectangles.
#[rustfmt::skip]
pub const ROWS: Layout = &MatrixLayout {
    name: "rows",
    source: "bolz2003 §3.2",
    about: "Rows of equal length, packed into rectangles",
    is_of_2003: true,
    is_variant: false,
    roles: &[
        Role { texture: "off-diagonal", words: "values off the diagonal", contents: Contents::Values(1) },
        Role { texture: "diagonal", words: "values on the diagonal", contents: Contents::AtRows(1) },
        Role { texture: "row pointers", words: "row pointers", contents: Contents::OfRows },
        Role { texture: "column pointers", words: "column pointers", contents: Contents::Pointers },
    ],
    footprint,
    store,
};

fn footprint(matrix: &Csr<f64>, _: u32) -> Result<Footprint, LayoutsError> {
    // The size is needed even if no driver supports such textures.
    let options = PackingOptions { texture_limit: u32::MAX, ..PackingOptions::default() };
    let packing = Packing::new(&row_lengths(matrix)?, &options)?;
    // Values and pointers of each.
    let [own, segments] = [packing.size, packing.segment_size].map(|(width, height)| {
        let of = |format| Footprint::textures(1, [width.into(), height.into()], format);
        of(Format::R32F).and(of(Format::Rg32F))
    });
    Ok(own.and(segments))
}

/// The transpose shares the packing: the shorter of both rows i is padded.
fn store(machine: &Machine, matrix: &Csr<f64>, upload: &Upload) -> Result<Stored, LayoutsError> {
    let options =
        PackingOptions { texture_limit: machine.description().rectangle_limit, ..upload.packing };
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
