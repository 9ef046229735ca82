//! How layouts lie in memory, drawn from what their textures hold.
//!
//! | file | holds |
//! |---|---|
//! | [`panel`] | a layout's textures on a sheet, beside others' |
//! | [`grids`] | a grid: which node a texel holds |
//! | [`matrices`] | a matrix: which row an entry belongs to |

pub mod grids;
pub mod matrices;
pub mod panel;

pub use panel::{Legend, Panel, Tile, sheet};
