//! The nonzero diagonals, one texture each (kruger2003 §2, and §6 with four entries per texel).

use std::rc::Rc;

use crate::error::counted;
use crate::kruger2003::diagonals::count;
use crate::kruger2003::{DiagonalMatrix, ProductOptions};
use crate::solver::Csr;
use crate::stream::{Format, Layout as VectorLayout, Machine, StreamError};

use super::error::LayoutsError;
use super::layout::{Label, MatrixLayout, Plan, Product, Stored, Upload};
use super::textures::Texture;

/// Diagonals, one texture each.
pub enum Diagonals {
    /// One entry per texel.
    Single,
    /// Four entries per texel.
    Quads,
}

impl Diagonals {
    fn vectors(&self, rows: usize) -> Result<VectorLayout, StreamError> {
        let format = match self {
            Self::Single => Format::R32F,
            Self::Quads => Format::Rgba32F,
        };
        VectorLayout::square(rows, format)
    }
}

impl MatrixLayout for Diagonals {
    fn label(&self) -> Label {
        match self {
            Self::Single => {
                Label::new("diagonals", "kruger2003 §2", "The nonzero diagonals, one texture each")
            }
            Self::Quads => Label::new(
                "diagonals-rgba",
                "kruger2003 §6",
                "The same with four entries per texel",
            ),
        }
    }

    fn plan(&self, matrix: &Csr<f64>, _side: u32) -> Result<Plan, LayoutsError> {
        let vectors = self.vectors(matrix.rows())?;
        let count = count(matrix, vectors.capacity());
        let texture = Texture::of_vector("diagonal", vectors);
        let places = count as u64 * vectors.capacity() as u64;
        Ok(Plan::new(vec![texture; count], places, matrix.entries()))
    }

    fn upload(
        &self,
        machine: &Machine,
        matrix: &Csr<f64>,
        upload: &Upload,
    ) -> Result<Stored, LayoutsError> {
        let vectors = self.vectors(matrix.rows())?;
        Stored::pair(machine, vectors, None, (matrix, upload.transposed), |a| {
            let stored = DiagonalMatrix::new(machine, vectors, a, ProductOptions::default())?;
            let passes = counted(stored.passes(), "pass");
            let diagonals = counted(stored.numbers().count(), "diagonal");
            let words = format!("{diagonals} in {passes}");
            Ok((Rc::new(stored) as Product, words))
        })
    }
}
