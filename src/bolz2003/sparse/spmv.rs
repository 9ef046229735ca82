//! The sparse matrix–vector product on the GPU (Bolz et al. 2003, section 3.1.1).

use std::rc::Rc;

use crate::solver::{Operator, TextureSpace};
use crate::stream::rows::{RowGroups, pointer_stream};
use crate::stream::{Format, Kernel, Machine, Pass, Source, Stream, StreamError, source};

use super::matrix::MatrixImages;
use super::packing::Packing;

pub(crate) const SPMV: Source = source!(bolz2003, "sparse/spmv");
const SPMV_CONTINUED: Source = source!(bolz2003, "sparse/spmv_continued");

/// A sparse matrix in textures: y ← A x, rectangle by rectangle, each with the program of
/// its row length.
///
/// The product writes only records that have a row: y must come from
/// [`zeros`](crate::solver::VectorSpace::zeros) of its space, and stays zero elsewhere.
pub struct SparseMatrix {
    pub(crate) groups: RowGroups,
    first: Vec<Rc<Kernel>>,
    continued: Vec<Rc<Kernel>>,
    /// ℛ, laid out like x: positions of segments.
    pub(crate) row_pointers: Stream,
    /// 𝒞, laid out in segments: positions in x.
    pub(crate) column_pointers: Stream,
    /// 𝒜_i, laid out like x.
    pub diagonal: Stream,
    /// 𝒜_j, laid out in segments.
    pub off_diagonal: Stream,
    /// Partial sums of rows of several passes, two streams used alternately; none if every
    /// row takes one pass.
    partial: Option<[Stream; 2]>,
}

impl SparseMatrix {
    /// Creates a matrix with a known pattern, given by its 𝒞; its entries are zero, to be computed by other
    /// kernels, for vectors of this format.
    pub fn of_pattern(
        machine: &Machine,
        packing: &Packing,
        column: &[[f32; 2]],
        vectors: Format,
    ) -> Result<Self, StreamError> {
        let (size, segments) = (packing.size, packing.segment_size);
        let groups = packing.upload_groups(machine)?;
        let partial = || Stream::zeros(machine, "partial sums", size, vectors);
        let is_long = groups.iter().any(|group| group.passes > 1);
        Ok(Self {
            first: groups.kernels(machine, &SPMV)?,
            continued: groups.kernels(machine, &SPMV_CONTINUED)?,
            row_pointers: pointer_stream(machine, "row pointers", size, &packing.row_pointers())?,
            column_pointers: pointer_stream(machine, "column pointers", segments, column)?,
            diagonal: Stream::zeros(machine, "diagonal", size, Format::R32F)?,
            off_diagonal: Stream::zeros(machine, "off-diagonal", segments, Format::R32F)?,
            partial: if is_long { Some([partial()?, partial()?]) } else { None },
            groups,
        })
    }

    /// Uploads a matrix for vectors of this format.
    pub fn upload(
        machine: &Machine,
        packing: &Packing,
        images: &MatrixImages,
        vectors: Format,
    ) -> Result<Self, StreamError> {
        let matrix = Self::of_pattern(machine, packing, &images.column, vectors)?;
        matrix.diagonal.write(&images.diagonal)?;
        matrix.off_diagonal.write(&images.off_diagonal)?;
        Ok(matrix)
    }

    /// y ← A x
    pub fn multiply(&self, x: &Stream, y: &Stream) -> Result<(), StreamError> {
        // §3.1.1: y[i] = 𝒜_i[i] x[i] + Σ_c 𝒜_j[j + c] x[𝒞[j + c]], where j = ℛ[i]
        let kernels = self.first.iter().zip(&self.continued);
        for (group, (first, continued)) in self.groups.iter().zip(kernels) {
            // The last pass writes y, the others write the partial sums.
            let target = |part: u32| match &self.partial {
                Some(partial) if part + 1 < group.passes => &partial[part as usize % 2],
                _ => y,
            };
            self.fill(Pass::new(first), x)
                .read("diagonal", &self.diagonal)
                .draw(target(0), &group.rects)?;
            for part in 1..group.passes {
                self.fill(Pass::new(continued), x)
                    .read("before", target(part - 1))
                    .set("part", part as f32)
                    .draw(target(part), &group.rects)?;
            }
        }
        Ok(())
    }

    /// Binds the inputs of all passes.
    fn fill<'a>(&'a self, pass: Pass<'a>, x: &'a Stream) -> Pass<'a> {
        pass.read("offdiagonal", &self.off_diagonal)
            .read("row_pointer", &self.row_pointers)
            .read("column_pointer", &self.column_pointers)
            .read("x", x)
    }
}

impl Operator<TextureSpace> for SparseMatrix {
    fn apply(&self, _: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.multiply(x, y)
    }
}
