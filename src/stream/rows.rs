//! Sparse rows in textures: pointers, and rectangles of rows of equal length.
//!
//! A pointer is a pair of floats, the position of a record to fetch. Rows of a sparse matrix are padded to the
//! row length of their program; the pointers of the padding all refer to one texel that is zero. No program has
//! a loop whose trip count is data, so rows of equal length are stored together, in rectangles that are drawn
//! with the program of that length.

use std::rc::Rc;

use super::{Format, Kernel, Machine, Rect, Rects, Size, Source, Stream, StreamError};

/// The pointer to a texel: its centre.
pub fn centre([column, row]: [u32; 2]) -> [f32; 2] {
    [column as f32 + 0.5, row as f32 + 0.5]
}

pub(crate) fn pointer_stream(
    machine: &Machine,
    label: &str,
    size: Size,
    pointers: &[[f32; 2]],
) -> Result<Stream, StreamError> {
    let data = pointers.as_flattened();
    Stream::from_data(machine, label, size, Format::Rg32F, data)
}

/// The rectangles of all rows in graphics memory, group by group, with which every program over rows is drawn.
pub struct RowGroups(Vec<RowGroup>);

/// The rectangles drawn with one program.
pub struct RowGroup {
    /// Their geometry.
    pub rects: Rects,
    /// Number of passes per row.
    pub passes: u32,
    /// Entries of a row in one pass, as the define `ROW_LENGTH`.
    pub row_length: String,
}

impl RowGroups {
    /// Uploads the rectangles of each group, given the passes per row and the entries per pass.
    pub fn new(
        machine: &Machine,
        groups: impl IntoIterator<Item = (Vec<Rect>, u32, u32)>,
    ) -> Result<Self, StreamError> {
        let upload = |(rects, passes, row_length): (Vec<Rect>, u32, u32)| {
            Ok(RowGroup {
                rects: machine.rects(&rects)?,
                passes,
                row_length: format!("{row_length}.0"),
            })
        };
        let groups: Result<_, StreamError> = groups.into_iter().map(upload).collect();
        Ok(Self(groups?))
    }

    /// The groups in their order.
    pub fn iter(&self) -> impl Iterator<Item = &RowGroup> {
        self.0.iter()
    }

    /// For each group, the variant of a program for its row length.
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
