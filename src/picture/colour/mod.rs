//! Colours of pictures, whatever they show: below everything else, and of no paper.
//!
//! | file | holds |
//! |---|---|
//! | [`srgb`](mod@srgb) | from linear light to the bytes of a file |
//! | [`oklab`] | colours between stops that look equally far apart |
//! | [`map`] | colours for numbers: from low to high, and on both sides of zero |

pub mod map;
pub mod oklab;
pub mod srgb;

pub use map::Map;
pub use oklab::{Linear, Stop};
pub use srgb::srgb;
