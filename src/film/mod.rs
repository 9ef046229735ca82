//! Films: a run as data, and the page that replays it in a browser.
//!
//! A run consists of passes: a program, textures, what is rasterised, a target. A [`Recorder`] observes a
//! machine and writes all of it down as a [`Film`]: the [`Trace`], which a person can read, and the floats.
//! A [`page`] holds films and a player, which executes them again, pass by pass, in WebGL: a second
//! implementation of the same arithmetic. What cards of 2003 would have paid is in the trace; the player
//! computes none of it.
//!
//! [`scenes`] are the films that are worth showing, each of a few hundred passes.

mod blob;
mod caption;
mod container;
pub mod course;
mod error;
mod numbers;
mod page;
mod recorder;
pub mod scenes;
mod seen;
mod trace;

pub use blob::Span;
pub use container::Film;
pub use error::{FilmError, Limits};
pub use page::{page, titles};
pub use recorder::{About, Recorder};
pub use seen::hash;
pub use trace::{
    Call, Card, Cost, Event, Extent, Kernel, Made, Pass, Still, Stream, Trace, VERSION,
};
