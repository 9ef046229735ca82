//! Errors of the machine.

use thiserror::Error;

use crate::base::error::{ErrorKind, WithKind, with_remedy};
use crate::base::memory::Shortage;
use crate::gl::{GlError, Size};
use crate::program::interpret::InterpretError;

use super::extent::Rect;

/// An error of the stream processor. Every message is one line and ends with the remedy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum StreamError {
    /// A pass would read its own target.
    #[error(
        "hazard: a pass of {kernel} reads its target {stream}. Render into another stream, or declare the pass as feedback."
    )]
    Hazard { kernel: String, stream: String },
    /// A kernel, stream or geometry of another machine than the target.
    #[error("{what} belongs to another machine than {target}. Create both on one machine.")]
    OtherMachine { what: String, target: String },
    /// A feedback pass on a driver without texture barriers.
    #[error(
        "{kernel} needs a texture barrier, which this driver lacks. Use a variant that renders into another stream, or Mesa's software renderer (Debian: apt-get install libgl1-mesa-dri)."
    )]
    NoBarrier { kernel: String },
    /// A program in double precision on a driver without it.
    #[error(
        "{kernel} computes in double precision (GL_ARB_gpu_shader_fp64), which this driver lacks. Choose another precision (--precision mixed or pairs)."
    )]
    NoDouble { kernel: String },
    /// Pairs of floats on a driver whose compiler removes rounding errors.
    #[error(
        "this driver drops the errors of sums and products of which pairs of floats are made. Choose another precision (--precision native or single)."
    )]
    NoPairs,
    /// A rectangle or point reaches beyond its target.
    #[error("a rectangle or point of {kernel} reaches beyond its target {stream}. Clip it first.")]
    Outside { kernel: String, stream: String },
    /// A kernel for points was given rectangles, or vice versa.
    #[error(
        "{kernel} is built for the other primitive. Use Source::for_points for points, and only there."
    )]
    Primitive { kernel: String },
    /// A name that the program does not declare, or declares as something else.
    #[error("{kernel} declares no {what} named {name}. Look at its header.")]
    Unknown { kernel: String, what: &'static str, name: String },
    /// A kernel that the machine has not compiled.
    #[error("no kernel is called {0}. Choose one that has run.")]
    NoKernel(String),
    /// An input that the program declares was not given.
    #[error(
        "{kernel} has no value for its uniform {name}. Bind it before drawing, or write a constant into the text."
    )]
    Missing { kernel: String, name: String },
    /// A fragment program declares a coordinate that its vertex program does not output.
    #[error(
        "{kernel} declares in {name}, which its vertex program does not declare as out of the same type. Declare it there."
    )]
    Coordinate { kernel: String, name: String },
    /// More inputs than the machine has texture units.
    #[error("{kernel} reads {streams} streams, but a fragment program has 16. Split it.")]
    TooManyStreams { kernel: String, streams: usize },
    /// A user's program uses something that did not exist in 2003. The message gives the line and the remedy.
    #[error("{0}")]
    Rules(String),
    /// Data or streams of different sizes.
    #[error("{what} has {got} where {expected} are needed. Use one layout for all.")]
    Size { what: String, got: String, expected: String },
    /// A part that is not completely inside of its stream.
    #[error(
        "the {}x{} records from column {}, row {} reach beyond {stream} of {}x{}. Clip them first.",
        part.width, part.height, part.x, part.y, size.0, size.1
    )]
    Part { part: Rect, stream: String, size: Size },
    /// An observer that needs the full history was added after streams were created.
    #[error(
        "{bytes} bytes of streams were created before the observer. Observe the machine before it has streams."
    )]
    Late { bytes: u64 },
    /// A stream without records.
    #[error("{stream} of {}x{} records is empty. Give it at least one column and one row.", size.0, size.1)]
    Empty { stream: String, size: Size },
    /// A vector without entries.
    #[error("a vector without entries has no texture. Give it at least one.")]
    NoEntries,
    /// A texture that would be larger than the driver allows (`GL_MAX_RECTANGLE_TEXTURE_SIZE`). The remedy is a layout that
    /// fits, if there is one.
    #[error(
        "{}",
        with_remedy(
            format_args!("{what} takes a {width}x{height} texture, over this driver's limit of {limit} texels per side"),
            remedy
        )
    )]
    TooLarge { what: String, width: u64, height: u64, limit: u32, remedy: String },
    /// A stream that does not fit in main memory.
    #[error(transparent)]
    Memory(#[from] Shortage),
    /// The interpreter cannot run a program.
    #[error(transparent)]
    Interpret(#[from] InterpretError),
    /// The OpenGL layer failed.
    #[error(transparent)]
    Gl(#[from] GlError),
}

impl WithKind for StreamError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Gl(error) => error.error_kind(),
            Self::NoBarrier { .. } | Self::NoDouble { .. } | Self::NoPairs => ErrorKind::Lacking,
            _ => ErrorKind::Input,
        }
    }
}
