//! Pictures, independent of the papers.

pub mod camera;
pub mod canvas;
pub mod colour;
pub mod file;
pub mod mesh;
pub mod panels;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "plot")]
pub mod sheet;
pub mod spy;
pub mod triangles;

pub use camera::Camera;
pub use canvas::Canvas;
pub use file::{Gif, png};
pub use panels::panels;
pub use spy::spy;
