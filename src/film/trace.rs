//! The trace: what a film says in words and counts. Its floats are beside it ([`super::Film::floats`]).
//!
//! | event | what the player does |
//! |---|---|
//! | make, free | a texture, all zeros, comes and goes |
//! | upload, fill | records are written by the CPU; all records get one value |
//! | pass | runs a kernel |
//! | count | the fragments of the pass before that were not discarded |
//! | read | shows that the CPU learns something |
//! | outside | the texture as it is after it was drawn into by other means |
//! | geometry | shows what was uploaded |
//! | scene | a new scene begins |

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::blob::Span;

/// The version of the trace. The player reads no other one.
pub const VERSION: u32 = 8;

/// All of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// [`VERSION`].
    pub version: u32,
    /// Where it comes from.
    pub made: Made,
    /// The scene's name, or that of the command.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The paper's name, or nothing.
    pub paper: String,
    /// Its section, or nothing.
    pub section: String,
    /// The scene that is shown first, counted from zero.
    pub opens: usize,
    /// Whose seconds there are, in their order.
    pub cards: Vec<Card>,
    /// The texts of programs as OpenGL 3.3 has them, from `#version` on.
    pub texts: Vec<String>,
    /// Programs.
    pub kernels: Vec<Kernel>,
    /// Textures.
    pub streams: Vec<Stream>,
    /// What passes rasterise.
    pub extents: Vec<Extent>,
    /// What passes cost.
    pub costs: Vec<Cost>,
    /// What is drawn: most passes of a run are a few that come again and again.
    pub calls: Vec<Call>,
    /// What happened.
    pub events: Vec<Event>,
    /// What the last pass rendered to, at the end.
    pub still: Option<Still>,
}

/// Where a film comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// Of this program.
    pub version: String,
    /// What drew.
    pub renderer: String,
    /// The command that made it, files without their folders.
    pub command: String,
}

/// A card of 2003.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// Its name.
    pub card: String,
    /// What drives it.
    pub driver: String,
}

/// A program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// Its file, and the defines that make it this variant.
    pub name: String,
    /// The number of its vertex program's text.
    pub vertex: usize,
    /// The number of its own text.
    pub fragment: usize,
    /// Whether it runs for points.
    pub points: bool,
    /// What it does, as its first lines say.
    pub caption: String,
    /// The paper and section that they name.
    pub section: String,
    /// Instructions for one fragment, as NV30 counts them; none where it cannot.
    pub instructions: Option<u32>,
    /// Fetches among them.
    pub fetches: Option<u32>,
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
    /// Floats a record.
    pub channels: usize,
    /// The number of the buffer that it is a surface of.
    pub buffer: u64,
    /// Which one.
    pub surface: usize,
}

/// What a pass rasterises.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// Two floats a corner, six corners a rectangle; or five floats a point.
    pub vertices: Span,
    /// Column, row, width and height of each rectangle; nothing for points.
    pub rectangles: Option<Span>,
    /// Columns and rows that points are moved by.
    pub moved: [i32; 2],
}

/// What a pass cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Fragments run.
    pub fragments: u64,
    /// Tuples of 2 x 2 that they are rasterised in.
    pub tuples: u64,
    /// Fetches of all fragments.
    pub fetches: u64,
    /// Their bytes, caches not considered.
    pub bytes_read: u64,
    /// Bytes rendered.
    pub bytes_written: u64,
    /// Whether the surface that is rendered to changed before it (0 or 1).
    pub target_switches: u8,
    /// Whether its buffer did.
    pub buffer_switches: u8,
    /// Whether the context did.
    pub context_switches: u8,
    /// Whether the program did.
    pub program_switches: u8,
    /// Seconds that each card would have taken for the pass, by the calibrated model.
    pub seconds: Vec<f64>,
    /// Seconds for the change of the surface, likewise.
    pub switching: Vec<f64>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Event {
    /// A stream is there from now on.
    Make {
        /// Its number.
        stream: usize,
    },
    /// Records were uploaded.
    Upload {
        /// Where.
        stream: usize,
        /// Column, row, width and height of the part.
        rectangle: [u32; 4],
        /// The channels of each.
        data: Span,
    },
    /// Vertices were uploaded.
    Geometry {
        /// How much.
        bytes: u64,
    },
    /// All records were set to one value.
    Fill {
        /// Where.
        stream: usize,
        /// Four floats.
        value: Span,
    },
    /// A kernel was run.
    Pass(Pass),
    /// Fragments of the pass before were counted.
    Count {
        /// Those that were not discarded.
        survivors: u32,
    },
    /// Records were read back.
    Read {
        /// Where.
        stream: usize,
        /// Column, row, width and height of the part.
        rectangle: [u32; 4],
        /// Whether another context had to be made current for it (0 or 1).
        context_switches: u8,
    },
    /// A picture was drawn by other means than passes.
    Outside {
        /// Where.
        stream: usize,
        /// All of it afterwards.
        data: Span,
    },
    /// A stream is gone.
    Free {
        /// Its number.
        stream: usize,
    },
    /// A scene begins.
    Scene {
        /// What it shows.
        title: String,
    },
}

/// A pass without its constants.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Call {
    /// The kernel's number.
    pub kernel: usize,
    /// The number of the stream that it renders to.
    pub target: usize,
    /// The number of what it rasterises.
    pub extent: usize,
    /// The numbers of the streams, by the names of its inputs.
    pub streams: BTreeMap<String, usize>,
    /// The names of its constants, and the floats of each.
    pub constants: Vec<(String, u32)>,
    /// Whether the target may be among the streams.
    pub feedback: bool,
    /// The number of its cost.
    pub cost: usize,
}

/// A run of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pass {
    /// The number of the call.
    pub call: usize,
    /// The constants of the call in their order. Then, of the smallest rectangle around what was drawn:
    /// two words, the [`super::hash`] of its texels after the pass, low word first; and the largest
    /// finite magnitude in each channel. Then the channels of up to eight of the texels drawn.
    pub values: Span,
}

/// A texture at the end of a film, for browsers that cannot draw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Still {
    /// Whose.
    pub stream: usize,
    /// Columns and rows. A large texture has only every nth of them; one that still exists at the end has
    /// only those that were drawn last.
    pub size: [u32; 2],
    /// The channels of each texel.
    pub values: Span,
}
