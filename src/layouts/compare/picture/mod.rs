//! Pictures of the memory of layouts, drawn from the contents of their textures.
//!
//! | file | holds |
//! |---|---|
//! | [`panel`] | a layout's textures on a sheet of layouts |
//! | [`grids`] | a grid: the node of each texel |
//! | [`matrices`] | a matrix: the row of each entry |

pub mod grids;
pub mod matrices;
pub mod panel;

pub use panel::{Legend, Panel, Tile, sheet};
