//! Programs: their texts, and what the driver makes of them.

mod declarations;
mod kernel;
mod source;

pub(crate) use declarations::without_comments;
pub(super) use kernel::Input;
pub use kernel::{Kernel, ProgramText};
pub(crate) use source::source;
pub use source::{Part, Source};

/// Streams that a program may read: the texture units of an NV30.
pub const STREAMS: usize = 16;
