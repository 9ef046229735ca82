//! Entries drawn as points: for sparse matrices (kruger2003 §4.2).

use std::rc::Rc;

use crate::error::counted;
use crate::kruger2003::{Accumulation, VertexMatrix};
use crate::solver::Csr;
use crate::stream::{Format, Layout as VectorLayout, Machine};

use super::error::LayoutsError;
use super::layout::{Label, MatrixLayout, Plan, Product, Stored, Upload};

/// Entries, drawn as points.
pub struct Points;

impl MatrixLayout for Points {
    fn label(&self) -> Label {
        let about = "The entries, drawn as points: for sparse matrices";
        Label::new("points", "kruger2003 §4.2", about)
    }

    fn plan(&self, matrix: &Csr<f64>, _side: u32) -> Result<Plan, LayoutsError> {
        let entries = matrix.entries();
        Ok(Plan { points: entries as u64, ..Plan::new(Vec::new(), entries as u64, entries) })
    }

    fn upload(
        &self,
        machine: &Machine,
        matrix: &Csr<f64>,
        upload: &Upload,
    ) -> Result<Stored, LayoutsError> {
        let vectors = VectorLayout::square(matrix.rows(), Format::R32F)?;
        Stored::pair(machine, vectors, None, (matrix, upload.transposed), |a| {
            let stored = VertexMatrix::new(machine, vectors, a, Accumulation::default())?;
            let draws = counted(stored.passes(), "draw");
            let words = format!("{} in {draws}", stored.vertices());
            Ok((Rc::new(stored) as Product, words))
        })
    }
}
