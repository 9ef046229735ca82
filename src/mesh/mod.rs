//! Triangle meshes: connectivity, generators, measures.

pub mod connectivity;
pub mod generate;
pub mod measure;
pub mod triangle_mesh;
pub mod validity;
mod vector;

pub use connectivity::{Connectivity, VertexKind};
pub use triangle_mesh::{MeshError, TriangleMesh};
