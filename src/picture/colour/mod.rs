//! Colours of pictures, independent of their subject and of the papers.
//!
//! | file | holds |
//! |---|---|
//! | [`srgb`](mod@srgb) | between linear light and the bytes of a file |
//! | [`oklab`] | perceptually uniform colours between stops |
//! | [`map`] | colours for numbers: from low to high, or diverging from zero |

pub mod map;
pub mod oklab;
pub mod srgb;

pub use map::Map;
pub use oklab::{Linear, Stop};
pub use srgb::{linear, srgb};
