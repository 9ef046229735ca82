//! Triangle meshes: connectivity, generators, measures, finite elements.

pub mod assembly;
pub mod connectivity;
mod edges;
pub mod generate;
pub mod measure;
mod offsets;
pub mod order;
pub(crate) mod polygon;
pub mod repair;
pub mod triangle_mesh;
pub mod validity;
pub(crate) mod vector;

pub use connectivity::{Connectivity, VertexKind};
pub use repair::{Repaired, repair};
pub use triangle_mesh::{MeshError, TriangleMesh};
