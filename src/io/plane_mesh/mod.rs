//! Meshes of triangles and quadrilaterals in the plane, as read from files: Gmsh's MSH and FEAT's TRI with its
//! PRM. `read_quad_mesh` of geveler2011 checks that they fit.

mod cells;
mod feat;
mod gmsh;

use std::path::Path;

use super::error::{Fault, InputError, Place};
use super::reading::parse_file;
use super::text::decoded;

pub use cells::{PlaneCell, PlaneEdge, PlaneMesh, PlanePart};
pub use feat::{Curves as FeatCurves, parse as parse_feat};
pub use gmsh::parse as parse_gmsh;

/// Reads a mesh: Gmsh's from a file `.msh`, FEAT's from a file `.tri` and the `.prm` in the same folder.
pub fn read_plane_mesh(path: &Path) -> Result<PlaneMesh, InputError> {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        Some("msh") => parse_file(path, |text| parse_gmsh(&decoded(text.into()))),
        Some("tri") => {
            parse_file(path, |text| feat::check_plane(&decoded(text.into())))?;
            let curves = path.with_extension("prm");
            let curves = parse_file(&curves, |text| FeatCurves::parse(&decoded(text.into())))?;
            parse_file(path, |text| parse_feat(&decoded(text.into()), &curves))
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
