//! Programs: their texts, and their compiled forms.

mod kernel;
mod limits;
mod source;

pub use kernel::Kernel;
pub(super) use kernel::{Code, Input};
pub use limits::Limits;
pub(super) use source::Key;
pub(crate) use source::source;
pub use source::{Part, ProgramText, Source};

pub use crate::program::STREAMS;
