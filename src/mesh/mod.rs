//! Triangle meshes: connectivity, generators, measures.

pub mod connectivity;
pub mod generate;
pub mod measure;
pub mod triangle_mesh;
