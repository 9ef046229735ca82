//! Graphics memory: streams, and the buffers of their surfaces.

mod buffer;
mod stream;

pub use buffer::Buffer;
pub use stream::Stream;
