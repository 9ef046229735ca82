//! Meshes of triangles and quadrilaterals in the plane, as files hold them: Gmsh's MSH and FEAT's TRI
//! with its PRM. What they are good for is for others to judge.

mod feat;
mod gmsh;

use std::path::Path;

use super::error::{Fault, InputError, Place};
use super::reading::parse_file;

pub use feat::{Curves as FeatCurves, parse as parse_feat};
pub use gmsh::parse as parse_gmsh;

/// A mesh in the plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaneMesh {
    /// x, y of every vertex; some may belong to no cell.
    pub vertices: Vec<[f64; 2]>,
    /// Triangles and quadrilaterals.
    pub cells: Vec<PlaneCell>,
    /// Edges that belong to a part of the boundary; some may lie inside, or be no edge of a cell.
    pub edges: Vec<PlaneEdge>,
    /// The parts of the boundary.
    pub parts: Vec<PlanePart>,
}

/// A triangle or a quadrilateral.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneCell {
    /// Its three or four corners, one after the other, in either direction.
    pub corners: Vec<u32>,
    /// Where in the file it stands.
    pub line: usize,
}

/// An edge with the part that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneEdge {
    /// The vertices at its ends.
    pub ends: [u32; 2],
    /// Which of the parts.
    pub part: u32,
}

/// A part of the boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanePart {
    /// What it is called.
    pub name: String,
    /// Centre and radius of the circle that it lies on; straight without.
    pub circle: Option<([f64; 2], f64)>,
}

/// Reads a mesh: Gmsh's from a file `.msh`, FEAT's from a file `.tri` and the `.prm` beside it.
///
/// # Errors
/// [`InputError`], with the line and what is wrong.
pub fn read_plane_mesh(path: &Path) -> Result<PlaneMesh, InputError> {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        Some("msh") => parse_file(path, parse_gmsh),
        Some("tri") => {
            let curves = path.with_extension("prm");
            let curves = parse_file(&curves, FeatCurves::parse)?;
            parse_file(path, |text| parse_feat(text, &curves))
        }
        _ => Err(InputError::Malformed {
            path: path.to_path_buf(),
            fault: Fault::new(
                Place::File,
                "the extension tells no format of plane meshes",
                "use .msh (Gmsh) or .tri with .prm (FEAT)",
            ),
        }),
    }
}
