//! Films: a run as data, and the page that replays it in a browser.
//!
//! A run is nothing but passes: a program, some textures, what is rasterised, a target. A
//! [`Recorder`] looks on while a machine works and writes all of it down as a [`Film`]: the [`Trace`],
//! a header that a person can read, and a blob of floats. A [`page`] holds films and a player, which
//! executes them again, pass by pass, in WebGL: a second implementation of the same arithmetic.
//! What cards of 2003 would have paid stands in the trace; the player computes none of it.
//!
//! [`scenes`] are the films that are worth showing, each of a few hundred passes.

mod blob;
mod caption;
mod container;
pub mod course;
mod error;
mod fingerprint;
mod numbers;
mod packing;
mod page;
mod recorder;
pub mod scenes;
mod trace;

pub use blob::{Blob, Span};
pub use container::Film;
pub use error::{FilmError, Limits};
pub use fingerprint::hash;
pub use packing::{Packed, Packing};
pub use page::{Page, page, titles};
pub use recorder::{About, Recorder};
pub use trace::{
    Call, Card, Cost, Event, Extent, Kernel, Made, Pass, Seen, Still, Stream, Trace, VERSION,
};
