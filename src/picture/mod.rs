//! Pictures, independent of the papers.
//!
//! | file | holds |
//! |---|---|
//! | [`colour`] | sRGB, and colours for numbers |
//! | [`canvas`] | pictures that passes draw into a stream |
//! | [`camera`] | the perspective camera of a scene |
//! | [`triangles`] | triangles in space |
//! | [`mesh`] | meshes, lit |
//! | [`panels`](mod@panels) | several pictures in one |
//! | [`spy`](mod@spy) | the pattern of a sparse matrix |
//! | [`mod@file`] | PNG and GIF |
//! | `sheet` | drawings: lines, boxes, text |
//! | `plot` | charts |

pub mod camera;
pub mod canvas;
pub mod colour;
pub mod csv;
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
pub use csv::field;
pub use file::{Gif, png};
pub use panels::panels;
pub use spy::spy;
