//! The textures that passes read and write, observed during the passes.

use std::cell::RefCell;
use std::rc::Rc;

use crate::gl::GlError;
use crate::stream::{Drawing, Extent, Format, Machine, Observer, Point, Stream, StreamError};

/// Bytes of a vertex: its position, its value, the position of its x.
pub const VERTEX_BYTES: u64 = 20;

/// A texture with its contents.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Label of the stream.
    pub name: String,
    /// Columns.
    pub width: u64,
    /// Rows.
    pub height: u64,
    /// Format of a texel.
    pub format: Format,
    /// The channels of each texel, rows from the bottom up; empty unless requested.
    pub contents: Vec<f32>,
}

impl Texture {
    /// The texture of a stream, read back if its contents are requested.
    fn of(stream: &Stream, contents: bool) -> Result<Self, GlError> {
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
    /// Number of vertices of all draws.
    pub fn vertices(&self) -> u64 {
        self.points.iter().map(Vec::len).sum::<usize>() as u64
    }

    /// Bytes of the textures that are only read, including vertices.
    pub fn bytes(&self) -> u64 {
        total_bytes(&self.data) + self.vertices() * VERTEX_BYTES
    }
}

/// Total number of bytes.
pub fn total_bytes(textures: &[Texture]) -> u64 {
    let bytes = textures.iter().map(Texture::bytes);
    bytes.fold(0, u64::saturating_add)
}

/// Draws, and returns the textures that are read and written, except for operands with these names, with the
/// contents of those that are read.
pub fn observe<E: From<StreamError>>(
    machine: &Machine,
    operands: &[&'static str],
    contents: bool,
    draw: impl FnOnce() -> Result<(), E>,
) -> Result<Observed, E> {
    let watch = Rc::new(Watch { operands: operands.to_vec(), contents, ..Watch::default() });
    let observation = machine.observe(Rc::clone(&watch) as _)?;
    draw()?;
    drop(observation);
    if let Some(error) = watch.error.take() {
        return Err(StreamError::from(error).into());
    }
    let (work, data): (Vec<_>, Vec<_>) =
        watch.streams.take().into_iter().partition(|(.., is_written)| *is_written);
    let [data, work] = [data, work].map(|all| all.into_iter().map(|(_, one, _)| one).collect());
    Ok(Observed { data, work, points: watch.points.take() })
}

/// Observer of the passes.
#[derive(Default)]
struct Watch {
    operands: Vec<&'static str>,
    contents: bool,
    /// The number of each stream, its texture, and true if it is written.
    streams: RefCell<Vec<(u64, Texture, bool)>>,
    points: RefCell<Vec<Vec<Point>>>,
    error: RefCell<Option<GlError>>,
}

impl Watch {
    fn note(&self, stream: &Stream, is_target: bool) -> Result<(), GlError> {
        if self.operands.contains(&stream.label()) {
            return Ok(());
        }
        let mut streams = self.streams.borrow_mut();
        match streams.iter_mut().find(|(number, ..)| *number == stream.number()) {
            Some((.., is_written)) => *is_written |= is_target,
            None => {
                let texture = Texture::of(stream, self.contents && !is_target)?;
                streams.push((stream.number(), texture, is_target));
            }
        }
        Ok(())
    }
}

impl Observer for Watch {
    fn before(&self, pass: Drawing<'_>) {
        let streams = pass.streams.iter().map(|(_, stream)| (*stream, false));
        for (stream, is_target) in streams.chain([(pass.target, true)]) {
            if let Err(error) = self.note(stream, is_target) {
                self.error.replace(Some(error));
            }
        }
        if let Extent::Points(points) = pass.extent {
            self.points.borrow_mut().push(points.list().to_vec());
        }
    }
}
