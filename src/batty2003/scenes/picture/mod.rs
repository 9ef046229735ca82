//! Pictures of the liquid. Not in the paper.
//!
//! | file | holds |
//! |---|---|
//! | `surface` | the liquid's surface as a mesh |
//! | `light` | solids, the frame of the box, shadows and caustics |
//! | `glass_box` | all of it in a glass box |

mod glass_box;
mod light;
mod surface;

pub use glass_box::GlassBox;
pub use light::{FloorLight, SUN, bodies};
pub use surface::Surface;
