//! Pictures of the liquid. Not in the paper.
//!
//! | what | file |
//! |---|---|
//! | its surface as a mesh | [`surface`] |
//! | solids, and the frame of the box | [`bodies`] |
//! | shadows and caustics | [`floor_light`] |
//! | all of it in a glass box | [`glass_box`] |
//! | the liquid as films and windows step it | [`shown`] |

pub mod bodies;
pub mod floor_light;
pub mod glass_box;
pub mod shown;
pub mod surface;

pub use glass_box::GlassBox;
pub use shown::LiquidScene;
pub use surface::Surface;
