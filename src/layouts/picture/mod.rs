//! How layouts lie in memory, drawn from what their textures hold.
//!
//! | file | holds |
//! |---|---|
//! | [`panel`] | a layout's textures on a sheet, beside others' |
//! | [`matrices`] | a matrix: which row an entry belongs to |

pub mod matrices;
pub mod panel;

pub use panel::{Panel, Tile, sheet};
