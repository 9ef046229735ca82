//! What a person sees of the liquid. The paper says nothing of it.
//!
//! | what | file |
//! |---|---|
//! | its surface as a mesh | [`surface`] |
//! | solids, and the frame of the box | [`bodies`] |
//! | shadows and caustics | [`floor_light`] |
//! | all of it in a glass box | [`glass_box`] |
//! | what films and windows step | [`shown`] |

pub mod bodies;
pub mod floor_light;
pub mod glass_box;
pub mod shown;
pub mod surface;

pub use glass_box::GlassBox;
pub use shown::LiquidScene;
pub use surface::Surface;
