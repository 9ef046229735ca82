//! The stream processor: streams, kernels, passes, the ledger.
//!
//! A **stream** ([`Stream`]) is a rectangle of records, one to four floats each, in a texture. A **kernel**
//! ([`Kernel`]) is a fragment program that computes one record from any records of at most sixteen streams. A
//! **pass** ([`Pass`]) runs a kernel for all records of some rectangles, or points ([`Points`]), of one target
//! (Bolz et al. 2003, section 2). A size is a pair, columns and rows; a position is an array of a column and a
//! row. The CPU gets results only by read-backs and occlusion queries. The [`Ledger`] records all work, and an
//! [`Observer`] may watch it. The limits and costs of the cards of 2003 are in `card`, a layer above.
//!
//! Streams may be the surfaces of one [`Buffer`], and a buffer may have a context of its own, like the pbuffers
//! of 2003 ([`Stream::surfaces`]). A kernel may have a vertex program that computes coordinates for its
//! fragments ([`Source::with_vertices`]), and may come from a user's file.

mod device;
mod error;
mod extent;
mod layout;
mod ledger;
mod machine;
mod memory;
mod observer;
mod pair;
mod pass;
mod probe;
mod program;
mod reduction;
pub mod rows;

pub use crate::gl::{Format, Size};
pub use device::Backend;
pub use error::StreamError;
pub use extent::{Drawable, Extent, Point, Points, Rect, Rects, Tuples, rasterise};
pub use layout::Layout;
pub use ledger::{Account, Ledger, PassCounts, Work};
pub use machine::{Machine, StandIn};
pub use memory::{Buffer, Stream};
pub use observer::{Drawing, Observation, Observer, Switches};
pub use pair::Pair;
pub use pass::{Constant, Pass};
pub(crate) use program::source;
pub use program::{Kernel, Limits, Part, ProgramText, STREAMS, Source};
pub use reduction::{Combine, Edges, Grouping, Reduce, Reduction};

/// Programs that all papers share fit the smallest card.
pub const LIMITS: Limits = Limits::R300;
