//! Graphics memory: streams, and the buffers of their surfaces.

mod buffer;
mod stream;

pub use buffer::Buffer;
pub(super) use buffer::{Allocation, Memory};
pub use stream::Stream;
