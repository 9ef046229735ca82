//! The stream processor: streams, kernels, passes, the ledger.
//!
//! A **stream** ([`Stream`]) is a rectangle of records, one to four floats each, in a texture. A
//! **kernel** ([`Kernel`]) is a fragment program that computes one record from any it likes of at
//! most sixteen streams. A **pass** ([`Pass`]) runs a kernel for all records of some rectangles,
//! or points ([`Points`]), of one target (Bolz et al. 2003, section 2). The CPU learns results by
//! read-back or occlusion query alone; the [`Ledger`] counts all of it.
//!
//! Streams may be the surfaces of one [`Buffer`], and a buffer may have a context of its own, as the
//! pbuffers of 2003 had ([`Stream::surfaces`]). A kernel may have a vertex program that computes
//! coordinates for its fragments ([`Machine::rectangle_kernel`]), and may come from a user's file
//! ([`UserSource`]).

mod buffer;
mod data;
mod error;
mod extent;
mod kernel;
mod ledger;
mod machine;
mod pass;
mod points;
pub mod probe;
mod rect;
mod reduction;
mod source;

pub use crate::gl::Format;
pub use buffer::Buffer;
pub use data::Stream;
pub use error::StreamError;
pub use extent::Extent;
pub use kernel::Kernel;
pub use ledger::{Account, Ledger};
pub use machine::Machine;
pub use pass::{Constant, Pass};
pub use points::{Point, Points};
pub use rect::{Rect, Rects};
pub use reduction::{Edges, Reduce, Reduction};
pub(crate) use source::source;
pub use source::{Part, Source, SourceText, UserSource};
