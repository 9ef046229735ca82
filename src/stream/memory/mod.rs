//! Graphics memory: streams, and the buffers whose surfaces they are.

mod buffer;
mod stream;

pub use buffer::Buffer;
pub use stream::Stream;
