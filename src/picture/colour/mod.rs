//! Colours of pictures, independent of their subject and of the papers.

pub mod map;
pub mod oklab;
pub mod srgb;

pub use map::Map;
pub use oklab::{Linear, Stop};
pub use srgb::{linear, srgb};
