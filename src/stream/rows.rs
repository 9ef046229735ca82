//! Sparse rows in textures: pointers, and the rectangles whose rows have one length.
//!
//! A pointer is a pair of floats, the position at which a record is fetched. Rows of a sparse matrix
//! are padded to the length of the program that runs over them; the pointers of the padding all go to
//! one texel that is zero. No program has a loop of a length that is data, so that the rows of one
//! length lie together, in rectangles that are drawn with the program of that length.

use std::rc::Rc;

use super::{Format, Kernel, Machine, Rect, Rects, Size, Source, Stream, StreamError};

/// The pointer to a texel: its centre.
pub fn centre([column, row]: [u32; 2]) -> [f32; 2] {
    [column as f32 + 0.5, row as f32 + 0.5]
}

/// The texel that a pointer goes to.
pub fn texel_at([x, y]: [f32; 2]) -> [u32; 2] {
    [x as u32, y as u32]
}

/// A stream of pointers.
pub fn pointer_stream(
    machine: &Machine,
    label: &str,
    size: Size,
    pointers: &[[f32; 2]],
) -> Result<Stream, StreamError> {
    let data = pointers.as_flattened();
    Stream::from_data(machine, label, size, Format::Rg32F, data)
}

/// The rectangles of all rows in graphics memory, group by group: what every program that runs over
/// rows is drawn with.
pub struct RowGroups(Vec<RowGroup>);

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
    /// Uploads the rectangles of each group, given with the passes of its rows and the entries of
    /// each pass.
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
