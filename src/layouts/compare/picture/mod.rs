//! Pictures of the memory of layouts, drawn from the contents of their textures.

pub mod grids;
pub mod matrices;
pub mod panel;

pub use panel::{Legend, Panel, Tile, sheet};
