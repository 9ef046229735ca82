//! Meshes of triangles and quadrilaterals in the plane, as read from files: Gmsh's MSH and FEAT's TRI with its
//! PRM. `read_quad_mesh` of geveler2011 checks that they fit.

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
    /// Edges that belong to a part of the boundary; some may be in the interior, or not belong to a cell.
    pub edges: Vec<PlaneEdge>,
    /// The parts of the boundary; some may have no edge.
    pub parts: Vec<PlanePart>,
    /// True if the file declares sides to be periodic, which is not used.
    pub periodic: bool,
}

/// A triangle or a quadrilateral.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneCell {
    /// Three or four corners in sequence, in either direction.
    pub corners: Vec<u32>,
    /// Line in the file.
    pub line: usize,
}

/// An edge with its part of the boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneEdge {
    /// The vertices at its ends.
    pub ends: [u32; 2],
    /// Index of the part.
    pub part: u32,
}

/// A part of the boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanePart {
    /// Its names, of which there is at least one. Several parts may share a name.
    pub names: Vec<String>,
    /// Centre and radius of its circle; straight if absent.
    pub circle: Option<([f64; 2], f64)>,
}

/// Reads a mesh: Gmsh's from a file `.msh`, FEAT's from a file `.tri` and the `.prm` in the same folder.
///
/// # Errors
/// [`InputError`], with the line and the fault.
pub fn read_plane_mesh(path: &Path) -> Result<PlaneMesh, InputError> {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        Some("msh") => parse_file(path, parse_gmsh),
        Some("tri") => {
            parse_file(path, feat::check_plane)?;
            let curves = path.with_extension("prm");
            let curves = parse_file(&curves, FeatCurves::parse)?;
            parse_file(path, |text| parse_feat(text, &curves))
        }
        _ => Err(InputError::Malformed {
            path: path.to_path_buf(),
            fault: Fault::new(
                Place::File,
                "the extension is not that of a plane mesh",
                "use .msh (Gmsh) or .tri with .prm (FEAT)",
            ),
        }),
    }
}
