//! Dense matrices as in the paper (Krüger and Westermann 2003, section 3.2): every column is a
//! texture of its own, laid out like a vector, and a pass takes one. [`super::columns`] has all of them in one
//! texture.

use std::rc::Rc;

use crate::solver::Csr;
use crate::stream::{Kernel, Layout, Machine, Pass, Rects, Source, Stream, StreamError, source};

use crate::kruger2003::vectors::accumulate::{Accumulation, Accumulator};
use crate::kruger2003::vectors::operations::{check_bytes, check_channels, check_shape};
use crate::kruger2003::{AlgebraError, Matrix};

const COLUMN: Source = source!("kruger2003/matrices/column");

/// A dense matrix with one texture per column.
pub struct ColumnTextures {
    layout: Layout,
    full: Rects,
    columns: Vec<Stream>,
    /// The programs of the first pass and of the other passes.
    kernels: [Rc<Kernel>; 2],
    accumulator: Accumulator,
}

impl ColumnTextures {
    /// Uploads a matrix for vectors of this layout.
    pub fn new(
        machine: &Machine,
        layout: Layout,
        matrix: &Csr<f64>,
        accumulation: Accumulation,
    ) -> Result<Self, AlgebraError> {
        check_shape(layout, matrix.rows(), matrix.columns())?;
        let transpose = matrix.transpose();
        Self::of_columns(machine, layout, accumulation, |column| {
            let mut entries = vec![0.0; layout.length()];
            for (row, value) in transpose.row(column) {
                entries[row] = value as f32;
            }
            entries
        })
    }

    /// Creates the matrix with these columns, given by number.
    pub fn of_columns(
        machine: &Machine,
        layout: Layout,
        accumulation: Accumulation,
        column: impl Fn(usize) -> Vec<f32>,
    ) -> Result<Self, AlgebraError> {
        layout.check(machine)?;
        check_channels(layout)?;
        let (order, (size, format)) = (layout.length(), (layout.size(), layout.format()));
        let texels = u64::from(size.0) * u64::from(size.1);
        let what = format!("a dense matrix with {order} columns");
        let remedy = "if it is sparse, store it as vertices or as diagonals";
        check_bytes(what, order as u64 * texels * format.bytes() as u64, remedy)?;
        let columns =
            (0..order).map(|n| Stream::from_entries(machine, "column", layout, &column(n)));
        Ok(Self {
            layout,
            full: machine.rects(&layout.rectangles())?,
            columns: columns.collect::<Result<_, _>>()?,
            kernels: [
                machine.kernel(&COLUMN, &[])?,
                machine.kernel(&COLUMN, &[("CONTINUED", "1")])?,
            ],
            accumulator: Accumulator::new(machine, accumulation, size, format)?,
        })
    }
}

impl Matrix for ColumnTextures {
    fn multiply(&self, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        x.expect("x", self.layout)?;
        y.expect("y", self.layout)?;
        self.accumulator.run(self.columns.len(), y, |step| {
            let mut channel = [0.0; 4];
            channel[self.layout.place(step.number).1] = 1.0;
            let kernel = &self.kernels[usize::from(step.number > 0)];
            step.fill(Pass::new(kernel))
                .read("column", &self.columns[step.number])
                .read("x", x)
                .set("entry", self.layout.centre(step.number))
                .set("channel", channel)
                .draw(step.target, &self.full)
        })
    }
}
