//! What a person looks at: colours, meshes, plots.

pub mod colour;
pub mod mesh;
#[cfg(feature = "plot")]
pub mod plot;
