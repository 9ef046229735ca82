//! Films: recorded runs, and the page that replays them in a browser.
//!
//! A run consists of passes, each with a program, input textures, a rectangle or points, and a target. A
//! [`Recorder`] observes a machine and records all of this as a [`Film`]: the [`Trace`], which a person can read,
//! and the floats. A [`page`] holds films and a player. The player executes them again in WebGL, pass by pass, and
//! so is a second implementation of the same arithmetic. The times that the GPUs of 2003 would have taken are in
//! the trace; the player does not compute them.
//!
//! [`scenes`] holds the films that `fragstream film` can make.

mod blob;
mod caption;
mod check;
mod container;
mod course;
#[cfg(feature = "plot")]
mod diagrams;
mod error;
pub mod kit;
mod numbers;
mod page;
pub mod pressure;
mod recorder;
pub mod scenes;
mod scripts;
mod seen;
mod trace;

pub use blob::Span;
pub use container::Film;
pub use course::{Course, Exercise, Lesson};
#[cfg(feature = "plot")]
pub use diagrams::diagrams;
pub use error::{FilmError, PAGE_BYTES, PASSES};
pub use page::{films, page, titles};
pub use recorder::{About, Recorder};
pub use seen::hash;
pub use trace::{
    Assembly, Call, Card, Cost, Event, Extent, Kernel, Made, Pass, Still, Stream, Trace, VERSION,
};
