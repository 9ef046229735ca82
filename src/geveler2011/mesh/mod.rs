//! Meshes of quadrilaterals: the paper's two, the user's, and their refinement.
//!
//! | file | holds |
//! |---|---|
//! | [`quad_mesh`] | vertices, edges, cells; refinement |
//! | [`curve`] | curves of boundaries |
//! | [`mod@circle`] | CIRCLE |
//! | [`mod@blood`] | the stand-in for BLOOD |
//! | [`from_file`] | meshes of the user |
//! | [`error`] | errors of meshes |

pub mod blood;
pub mod circle;
pub mod curve;
pub mod error;
pub mod from_file;
pub mod quad_mesh;

pub use blood::blood;
pub use circle::circle;
pub use curve::Curve;
pub use error::QuadMeshError;
pub use from_file::read_quad_mesh;
pub use quad_mesh::{BoundaryPart, QuadMesh};
