//! Pictures of the liquid. Not in the paper.

mod glass_box;
mod light;
mod surface;

pub use glass_box::GlassBox;
pub use light::{FloorLight, SUN, bodies};
pub use surface::Surface;
