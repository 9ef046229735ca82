//! The textures that passes read and write, observed during the passes.

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Serialize, Serializer};

use crate::gl::GlError;
use crate::stream::{
    Drawing, Extent, Format, Layout as VectorLayout, Machine, Observer, Point, StreamError, Surface,
};

/// Bytes of a vertex: its position, its value, the position of its x.
pub const VERTEX_BYTES: u64 = 20;

/// A texture with its contents.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Texture {
    /// Name.
    pub name: String,
    /// Columns.
    pub width: u64,
    /// Rows.
    pub height: u64,
    /// Format of a texel.
    #[serde(serialize_with = "as_text")]
    pub format: Format,
    /// The channels of each texel, rows from the bottom up; empty unless requested.
    #[serde(skip)]
    pub contents: Vec<f32>,
}

fn as_text<S: Serializer>(format: &Format, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(format)
}

impl Texture {
    /// A texture that does not exist (yet).
    pub fn planned(name: &str, [width, height]: [u64; 2], format: Format) -> Self {
        Self { name: name.to_owned(), width, height, format, contents: Vec::new() }
    }

    /// The texture of a vector that does not exist yet.
    pub fn of_vector(name: &str, layout: VectorLayout) -> Self {
        let (width, height) = layout.size();
        Self::planned(name, [width.into(), height.into()], layout.format())
    }

    /// The texture of a stream, read back if its contents are requested.
    fn of(stream: &dyn Surface, contents: bool) -> Result<Self, GlError> {
        let (width, height) = stream.size();
        Ok(Self {
            name: stream.label().to_owned(),
            width: width.into(),
            height: height.into(),
            format: stream.format(),
            contents: if contents { stream.read_back()? } else { Vec::new() },
        })
    }

    /// Size in graphics memory, in bytes.
    pub fn bytes(&self) -> u64 {
        let texels = self.width.saturating_mul(self.height);
        texels.saturating_mul(self.format.bytes() as u64)
    }
}

/// Textures and points observed during passes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// Textures that are only read, except for the operands.
    pub data: Vec<Texture>,
    /// Textures that are written on the way to the result.
    pub work: Vec<Texture>,
    /// The points of each draw.
    pub points: Vec<Vec<Point>>,
}

impl Observed {
    /// Bytes of the textures that are only read, including vertices.
    pub fn bytes(&self) -> u64 {
        let points: usize = self.points.iter().map(Vec::len).sum();
        total_bytes(&self.data) + points as u64 * VERTEX_BYTES
    }
}

/// Total number of bytes.
pub fn total_bytes(textures: &[Texture]) -> u64 {
    let bytes = textures.iter().map(Texture::bytes);
    bytes.fold(0, u64::saturating_add)
}

/// Draws, and returns the textures that are read and written, except for operands with these names, with the
/// contents of those that are read.
///
/// # Errors
/// Errors of `draw`, and of read-backs.
pub fn observe<E: From<StreamError>>(
    machine: &Machine,
    operands: &[&'static str],
    contents: bool,
    draw: impl FnOnce() -> Result<(), E>,
) -> Result<Observed, E> {
    let watch = Rc::new(Watch { operands: operands.to_vec(), contents, notes: RefCell::default() });
    let observation = machine.observe(Rc::clone(&watch) as _)?;
    draw()?;
    drop(observation);
    let notes = watch.notes.take();
    if let Some(error) = notes.error {
        return Err(StreamError::from(error).into());
    }
    let mut seen = Observed { points: notes.points, ..Observed::default() };
    for note in notes.streams {
        if note.is_written { seen.work.push(note.texture) } else { seen.data.push(note.texture) }
    }
    Ok(seen)
}

/// Observer of the passes.
struct Watch {
    operands: Vec<&'static str>,
    contents: bool,
    notes: RefCell<Notes>,
}

#[derive(Default)]
struct Notes {
    streams: Vec<Note>,
    points: Vec<Vec<Point>>,
    error: Option<GlError>,
}

struct Note {
    /// Number of the stream.
    stream: u64,
    texture: Texture,
    is_written: bool,
}

impl Watch {
    fn note(&self, stream: &dyn Surface, is_written: bool) -> Result<(), GlError> {
        let notes = &mut *self.notes.borrow_mut();
        if self.operands.contains(&stream.label()) {
            return Ok(());
        }
        if let Some(note) = notes.streams.iter_mut().find(|note| note.stream == stream.number()) {
            note.is_written |= is_written;
            return Ok(());
        }
        notes.streams.push(Note {
            stream: stream.number(),
            texture: Texture::of(stream, self.contents && !is_written)?,
            is_written,
        });
        Ok(())
    }
}

impl Observer for Watch {
    fn before(&self, pass: Drawing<'_>) {
        let streams = pass.streams.iter().map(|(_, stream)| (*stream, false));
        for (stream, is_written) in streams.chain([(pass.target, true)]) {
            if let Err(error) = self.note(stream, is_written) {
                self.notes.borrow_mut().error = Some(error);
            }
        }
        if let Extent::Points(points) = pass.extent {
            self.notes.borrow_mut().points.push(points.list().to_vec());
        }
    }
}
