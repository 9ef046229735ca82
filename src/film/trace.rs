//! The trace: the names, events and counts of a film. Its floats are stored separately ([`super::Film::floats`]).
//!
//! | event | in the player |
//! |---|---|
//! | make, free | a texture of zeros is created or deleted |
//! | upload, fill | the CPU writes records; all records get one value |
//! | pass | a kernel runs |
//! | count | the number of fragments that the pass before did not discard is shown |
//! | read | a read-back by the CPU is shown |
//! | outside | a texture gets the contents that were drawn by other means than a pass |
//! | geometry | an upload of vertices is shown |
//! | scene | a new scene begins |

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::blob::Span;

/// Version of the trace. The player reads this version only.
pub const VERSION: u32 = 9;

/// A recorded run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// [`VERSION`].
    pub version: u32,
    /// Origin of the film.
    pub made: Made,
    /// Name of the scene, or of the command.
    pub name: String,
    /// Title.
    pub title: String,
    /// The paper's name, or an empty string.
    pub paper: String,
    /// The paper's section, or an empty string.
    pub section: String,
    /// Index of the scene that is shown first.
    pub opens: usize,
    /// The cards whose seconds are given, in order.
    pub cards: Vec<Card>,
    /// The programs' texts for OpenGL 3.3, from `#version` on.
    pub texts: Vec<String>,
    /// Programs.
    pub kernels: Vec<Kernel>,
    /// Textures.
    pub streams: Vec<Stream>,
    /// The rectangles and points of passes.
    pub extents: Vec<Extent>,
    /// Costs of passes.
    pub costs: Vec<Cost>,
    /// Passes without their constants. Most passes of a run repeat one of a few calls.
    pub calls: Vec<Call>,
    /// Events, in order.
    pub events: Vec<Event>,
    /// The last pass's target, at the end of the film.
    pub still: Option<Still>,
}

/// Origin of a film.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// Version of fragstream.
    pub version: String,
    /// OpenGL renderer.
    pub renderer: String,
    /// The command that made the film, with file names but not their directories.
    pub command: String,
}

/// A card of 2003.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// Its name.
    pub card: String,
    /// The driver and its interface.
    pub driver: String,
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// Its file, and the defines that make it this variant.
    pub name: String,
    /// Number of its vertex program's text.
    pub vertex: usize,
    /// Number of its own text.
    pub fragment: usize,
    /// True if it runs for points.
    pub points: bool,
    /// Caption, from its first lines.
    pub caption: String,
    /// Paper and section, from its first lines.
    pub section: String,
    /// Instructions per fragment on NV30; `None` if they cannot be counted.
    pub instructions: Option<u32>,
    /// Fetches among the instructions.
    pub fetches: Option<u32>,
    /// The program in assembly; `None` if it cannot be counted or is too long for a card of 2003.
    pub assembly: Option<Assembly>,
}

/// A program as a listing of `NV_fragment_program`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assembly {
    /// The listing: declarations, one line per instruction, `END`.
    pub text: String,
    /// For each instruction, its line in the program's own text; 0 if it has none.
    pub lines: Vec<u32>,
}

/// A texture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream {
    /// Its name.
    pub label: String,
    /// Columns and rows.
    pub size: [u32; 2],
    /// `R32F`, …, `RGBA16F`, `RGBA8`.
    pub format: String,
    /// Floats per record.
    pub channels: usize,
    /// Number of the buffer that it is a surface of.
    pub buffer: u64,
    /// Index of that surface.
    pub surface: usize,
}

/// The rectangles or points that a pass rasterises.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// Two floats per corner and six corners per rectangle, or five floats per point.
    pub vertices: Span,
    /// Column, row, width and height of each rectangle; `None` for points.
    pub rectangles: Option<Span>,
    /// Columns and rows by which points are moved.
    pub moved: [i32; 2],
}

/// Cost of a pass.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Number of fragments.
    pub fragments: u64,
    /// Number of 2 x 2 tuples of fragments that are rasterised.
    pub tuples: u64,
    /// Number of fetches of all fragments.
    pub fetches: u64,
    /// Bytes fetched, without caches.
    pub bytes_read: u64,
    /// Bytes rendered.
    pub bytes_written: u64,
    /// 1 if the target surface was switched before the pass, else 0.
    pub target_switches: u8,
    /// 1 if the target's buffer was switched, else 0.
    pub buffer_switches: u8,
    /// 1 if the context was switched, else 0.
    pub context_switches: u8,
    /// 1 if the program was switched, else 0.
    pub program_switches: u8,
    /// Seconds for the pass on each card, by the calibrated model.
    pub seconds: Vec<f64>,
    /// Seconds for the target switch on each card, by the same model.
    pub switching: Vec<f64>,
}

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Event {
    /// A stream was created.
    Make {
        /// Number of the stream.
        stream: usize,
    },
    /// Records were uploaded.
    Upload {
        /// Number of the stream.
        stream: usize,
        /// Column, row, width and height of the part of the stream.
        rectangle: [u32; 4],
        /// The channels of each.
        data: Span,
    },
    /// Vertices were uploaded.
    Geometry {
        /// Bytes uploaded.
        bytes: u64,
    },
    /// All records were set to one value.
    Fill {
        /// Number of the stream.
        stream: usize,
        /// Four floats.
        value: Span,
    },
    /// A kernel was run.
    Pass(Pass),
    /// Fragments of the pass before were counted.
    Count {
        /// Number of fragments that were not discarded.
        survivors: u32,
    },
    /// Records were read back.
    Read {
        /// Number of the stream.
        stream: usize,
        /// Column, row, width and height of the part of the stream.
        rectangle: [u32; 4],
        /// 1 if another context had to be made current, else 0.
        context_switches: u8,
    },
    /// A picture was drawn by other means than passes.
    Outside {
        /// Number of the stream.
        stream: usize,
        /// The channels of all its records afterwards.
        data: Span,
    },
    /// A stream was deleted.
    Free {
        /// Number of the stream.
        stream: usize,
    },
    /// A scene begins.
    Scene {
        /// Title of the scene.
        title: String,
    },
}

/// A pass without its constants.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Call {
    /// Number of the kernel.
    pub kernel: usize,
    /// Number of the target stream.
    pub target: usize,
    /// Number of the extent.
    pub extent: usize,
    /// Numbers of the input streams, by their names in the program.
    pub streams: BTreeMap<String, usize>,
    /// Names of the constants, and the number of floats of each.
    pub constants: Vec<(String, u32)>,
    /// True if the target may be among the inputs (feedback).
    pub feedback: bool,
    /// Number of the cost.
    pub cost: usize,
}

/// A run of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pass {
    /// Number of the call.
    pub call: usize,
    /// The constants of the call, in order. Next, for the smallest rectangle around the texels drawn: two words, the
    /// [`super::hash`] of its texels after the pass, low word first, and the largest finite magnitude in each
    /// channel. Last, the channels of up to eight of the texels drawn.
    pub values: Span,
}

/// A texture at the end of a film, for browsers that cannot draw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Still {
    /// Number of its stream.
    pub stream: usize,
    /// Columns and rows. A large texture has only every nth of them; a texture that still exists at the end has only
    /// those that were drawn last.
    pub size: [u32; 2],
    /// The channels of each texel.
    pub values: Span,
}
