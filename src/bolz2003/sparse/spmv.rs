//! The sparse matrix-vector product on the stream processor (Bolz et al. 2003, section 3.1.1).

use std::rc::Rc;

use crate::solver::{Operator, TextureSpace};
use crate::stream::{
    Format, Kernel, Machine, Pass, Rect, Rects, Source, Stream, StreamError, source,
};

use super::matrix::{MatrixImages, Pointers};
use super::packing::{Group, Packing};

pub(crate) const SPMV: Source = source!("bolz2003/spmv");
const SPMV_CONTINUED: Source = source!("bolz2003/spmv_continued");

/// The rectangles of a packing in graphics memory, group by group: what every program that runs
/// over rows is drawn with.
pub struct RowGroups {
    groups: Vec<RowGroup>,
}

/// The rectangles that one program draws.
pub struct RowGroup {
    /// Their geometry.
    pub rects: Rects,
    /// Passes that a row takes.
    pub passes: u32,
    /// Entries of a row in one pass, as the define `ROW_LENGTH` wants it.
    pub row_length: String,
}

impl RowGroups {
    /// Uploads the rectangles of every group.
    pub fn new(machine: &Machine, packing: &Packing) -> Result<Self, StreamError> {
        let [width, height] = packing.rectangle;
        let upload = |group: &Group| {
            let rects: Vec<Rect> = group
                .origins
                .iter()
                .map(|&[x, y]| Rect {
                    x,
                    y,
                    width,
                    height,
                })
                .collect();
            Ok(RowGroup {
                rects: machine.rects(&rects)?,
                passes: group.passes,
                row_length: format!("{}.0", group.pass_length),
            })
        };
        let groups = packing
            .groups
            .iter()
            .map(upload)
            .collect::<Result<_, StreamError>>()?;
        Ok(Self { groups })
    }

    /// The groups, longest rows first.
    pub fn iter(&self) -> impl Iterator<Item = &RowGroup> {
        self.groups.iter()
    }

    /// For each group the variant of a program for its row length.
    pub fn kernels(
        &self,
        machine: &Machine,
        source: &Source,
    ) -> Result<Vec<Rc<Kernel>>, StreamError> {
        self.iter()
            .map(|group| machine.kernel(source, &[("ROW_LENGTH", &group.row_length)]))
            .collect()
    }
}

/// The pointer streams ℛ and 𝒞, which depend on the pattern alone.
pub struct PointerStreams {
    /// ℛ, laid out like x: positions of segments.
    pub row: Stream,
    /// 𝒞, laid out in segments: positions in x.
    pub column: Stream,
}

impl PointerStreams {
    /// Uploads the pointers.
    pub fn new(
        machine: &Machine,
        packing: &Packing,
        pointers: &Pointers,
    ) -> Result<Self, StreamError> {
        Ok(Self {
            row: pointer_stream(machine, "row pointers", packing.size, &pointers.row)?,
            column: pointer_stream(
                machine,
                "column pointers",
                packing.segment_size,
                &pointers.column,
            )?,
        })
    }
}

/// A stream of texture positions.
pub fn pointer_stream(
    machine: &Machine,
    label: &str,
    [width, height]: [u32; 2],
    pointers: &[[f32; 2]],
) -> Result<Stream, StreamError> {
    let data = pointers.as_flattened();
    Stream::from_data(machine, label, (width, height), Format::Rg32F, data)
}

/// A sparse matrix in textures: y ← A x by one rectangle after the other, each with the program of
/// its row length.
///
/// The product writes the records that have a row and no others: y must come from
/// [`zeros`](crate::solver::VectorSpace::zeros) of its space, and stays zero elsewhere.
pub struct SparseMatrix {
    groups: Rc<RowGroups>,
    first: Vec<Rc<Kernel>>,
    continued: Vec<Rc<Kernel>>,
    pointers: Rc<PointerStreams>,
    /// 𝒜_i, laid out like x.
    pub diagonal: Stream,
    /// 𝒜_j, laid out in segments.
    pub off_diagonal: Stream,
    /// What rows of several passes have summed so far, two streams that take turns; none when every
    /// row takes one pass.
    partial: Option<[Stream; 2]>,
}

impl SparseMatrix {
    /// A matrix of a known pattern whose entries are all zero, to be computed by other kernels, for
    /// vectors of this format.
    pub fn of_pattern(
        machine: &Machine,
        packing: &Packing,
        groups: Rc<RowGroups>,
        pointers: Rc<PointerStreams>,
        vectors: Format,
    ) -> Result<Self, StreamError> {
        let size = (packing.size[0], packing.size[1]);
        let segments = (packing.segment_size[0], packing.segment_size[1]);
        let partial = if groups.iter().any(|group| group.passes > 1) {
            let stream = || Stream::zeros(machine, "partial sums", size, vectors);
            Some([stream()?, stream()?])
        } else {
            None
        };
        Ok(Self {
            first: groups.kernels(machine, &SPMV)?,
            continued: groups.kernels(machine, &SPMV_CONTINUED)?,
            groups,
            pointers,
            diagonal: Stream::zeros(machine, "diagonal", size, Format::R32F)?,
            off_diagonal: Stream::zeros(machine, "off-diagonal", segments, Format::R32F)?,
            partial,
        })
    }

    /// Uploads a matrix for vectors of this format.
    pub fn upload(
        machine: &Machine,
        packing: &Packing,
        images: &MatrixImages<f32>,
        vectors: Format,
    ) -> Result<Self, StreamError> {
        let groups = Rc::new(RowGroups::new(machine, packing)?);
        let pointers = Rc::new(PointerStreams::new(machine, packing, &images.pointers)?);
        let matrix = Self::of_pattern(machine, packing, groups, pointers, vectors)?;
        matrix.diagonal.write(&images.entries.diagonal)?;
        matrix.off_diagonal.write(&images.entries.off_diagonal)?;
        Ok(matrix)
    }

    /// y ← A x
    pub fn multiply(&self, x: &Stream, y: &Stream) -> Result<(), StreamError> {
        let kernels = self.first.iter().zip(&self.continued);
        for (group, (first, continued)) in self.groups.iter().zip(kernels) {
            // The last pass renders into y, those before into the partial sums.
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

    /// Binds what all passes read.
    fn fill<'a>(&'a self, pass: Pass<'a>, x: &'a Stream) -> Pass<'a> {
        pass.read("offdiagonal", &self.off_diagonal)
            .read("row_pointer", &self.pointers.row)
            .read("column_pointer", &self.pointers.column)
            .read("x", x)
    }
}

impl Operator<TextureSpace> for SparseMatrix {
    fn apply(&self, _: &TextureSpace, x: &Stream, y: &mut Stream) -> Result<(), StreamError> {
        self.multiply(x, y)
    }
}
