//! ELLPACK, with rows padded to the longest one, and ELLPACK-R, with their own lengths (geveler2011 §3.1).

use std::rc::Rc;

use crate::geveler2011::{
    Arithmetic, EllpackLayout, EllpackProduct, EllpackStorage, Entries, RowFormat,
};
use crate::solver::Csr;
use crate::stream::{Format, Layout as VectorLayout, Machine};

use super::error::LayoutsError;
use super::layout::{Label, MatrixLayout, Plan, Product, Stored, Upload};
use super::textures::Texture;

/// Rows side by side in one texture.
pub enum Ellpack {
    /// All rows padded to the longest one.
    Padded,
    /// Each row with its own length.
    Ending,
}

impl Ellpack {
    /// Storage of the rows, with value and pointer in one texel.
    pub fn storage(&self) -> EllpackLayout {
        EllpackLayout {
            rows: match self {
                Self::Padded => RowFormat::Ellpack,
                Self::Ending => RowFormat::EllpackR,
            },
            entries: Entries::Packed,
        }
    }
}

impl MatrixLayout for Ellpack {
    fn label(&self) -> Label {
        let source = "geveler2011 §3.1";
        match self {
            Self::Padded => Label::new("ellpack", source, "Rows padded to the longest one"),
            Self::Ending => Label {
                is_of_2003: false,
                ..Label::new(
                    "ellpack-r",
                    source,
                    "Rows with their own lengths, which no program of 2003 could run",
                )
            },
        }
    }

    fn plan(&self, matrix: &Csr<f64>, _side: u32) -> Result<Plan, LayoutsError> {
        let longest = (0..matrix.rows()).map(|row| matrix.row_length(row)).max();
        let size = EllpackStorage::texture_size(matrix.rows(), longest.unwrap_or(0))?;
        let places = size[0].saturating_mul(size[1]);
        let textures = vec![Texture::planned("matrix", size, Format::Rgba32F)];
        let mut plan = Plan::new(textures, places, matrix.entries());
        if let Self::Ending = self {
            let (width, height) = VectorLayout::square(matrix.rows(), Format::R32F)?.size();
            let size = [width.into(), height.into()];
            let lengths = Texture::planned("row_lengths", size, Format::R32F);
            plan.textures.push(lengths);
        }
        Ok(plan)
    }

    fn upload(
        &self,
        machine: &Machine,
        matrix: &Csr<f64>,
        upload: &Upload,
    ) -> Result<Stored, LayoutsError> {
        let vectors = VectorLayout::square(matrix.rows(), Format::R32F)?;
        Stored::pair(machine, vectors, None, (matrix, upload.transposed), |a| {
            let storage = Rc::new(EllpackStorage::new(machine, a, self.storage())?);
            let words = format!("rows of at most {}", storage.row_length());
            let product = EllpackProduct::new(machine, &storage, Arithmetic::Single)?;
            Ok((Rc::new(product) as Product, words))
        })
    }
}
