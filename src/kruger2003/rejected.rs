//! The product that the paper rejects (Krüger and Westermann 2003, section 3.2, Fig. 2).

use std::rc::Rc;

use crate::stream::{Format, Kernel, Machine, Pass, Rects, Source, Stream, StreamError, source};
use crate::timing::cost::all;

const ENTRYWISE: Source = source!(kruger2003, "matrices/entrywise");
const HALVE_ROWS: Source = source!(kruger2003, "matrices/halve_rows");

/// The matrix as one texture is multiplied by a periodic vector entry by
/// entry, and each row is summed by halvings.
pub struct Periodic {
    matrix: Stream,
    vector: Stream,
    /// The products, and the sums after each halving.
    levels: Vec<(Rects, Stream)>,
    kernels: [Rc<Kernel>; 2],
}

impl Periodic {
    /// Uploads a matrix row by row, of an order that is a power of two, and a vector.
    pub fn new(machine: &Machine, entries: &[f32], x: &[f32]) -> Result<Self, StreamError> {
        let n = x.len() as u32;
        let upload =
            |label, size, data| Stream::from_data(machine, label, size, Format::R32F, data);
        let level = |halvings| -> Result<(Rects, Stream), StreamError> {
            let size = (n >> halvings, n);
            let stream = Stream::zeros(machine, "sums along rows", size, Format::R32F)?;
            Ok((machine.rect(stream.full())?, stream))
        };
        Ok(Self {
            matrix: upload("matrix", (n, n), entries)?,
            vector: upload("vector", (n, 1), x)?,
            levels: (0..=n.ilog2()).map(level).collect::<Result<_, _>>()?,
            kernels: all([&ENTRYWISE, &HALVE_ROWS].map(|source| machine.kernel(source, &[])))?,
        })
    }

    /// The product, in a texture with one column.
    pub fn multiply(&self) -> Result<&Stream, StreamError> {
        let (rects, mut last) = (&self.levels[0].0, &self.levels[0].1);
        let pass = Pass::new(&self.kernels[0]).read("a", &self.matrix);
        pass.read("x", &self.vector).draw(last, rects)?;
        // §2, Fig. 2: y_i = Σ_j a_ij x_j, by half as many columns in each pass
        for (rects, sums) in &self.levels[1..] {
            Pass::new(&self.kernels[1]).read("x", last).draw(sums, rects)?;
            last = sums;
        }
        Ok(last)
    }
}
