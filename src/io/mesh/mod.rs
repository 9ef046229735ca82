//! Mesh files, by extension.

pub mod obj;
pub mod off;
pub mod ply;

use std::path::Path;

use super::atomic::write_atomically;
use super::error::{InputError, UnknownExtension, WriteError};
use super::reading::parse_file;
use crate::mesh::TriangleMesh;

/// The formats in which meshes are read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFormat {
    /// Stanford's polygon format, see [`ply`].
    Ply,
    /// Wavefront's object format, see [`obj`].
    Obj,
    /// Geomview's object file format, see [`off`].
    Off,
}

impl MeshFormat {
    /// The format of a file name's extension, in upper or lower case.
    pub fn of(path: &Path) -> Result<Self, UnknownExtension> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("ply") => Ok(Self::Ply),
            Some("obj") => Ok(Self::Obj),
            Some("off") => Ok(Self::Off),
            _ => Err(UnknownExtension),
        }
    }
}

/// Reads a mesh in the format of the extension, with all its vertices in their order.
///
/// Coordinates are finite and indices in range, but triangles may have zero area, and edges may belong to more
/// than two triangles: [`TriangleMesh::validate`] finds these.
pub fn read_mesh(path: &Path) -> Result<TriangleMesh, InputError> {
    match MeshFormat::of(path) {
        Ok(MeshFormat::Ply) => parse_file(path, ply::parse),
        Ok(MeshFormat::Obj) => parse_file(path, obj::parse),
        Ok(MeshFormat::Off) => parse_file(path, off::parse),
        Err(source) => Err(InputError::Format { path: path.to_path_buf(), source }),
    }
}

/// Reads a mesh, and checks that it can be used for computations ([`TriangleMesh::validate`]).
///
/// Triangles are counted after polygons have been split.
pub fn read_valid_mesh(path: &Path) -> Result<TriangleMesh, InputError> {
    let mesh = read_mesh(path)?;
    match mesh.validate() {
        Ok(()) => Ok(mesh),
        Err(source) => Err(InputError::Unfit { path: path.to_path_buf(), source }),
    }
}

/// Writes a mesh in the format of the extension, vertices and triangles in their order.
///
/// Coordinates read back as the same numbers.
///
/// # Errors
/// [`WriteError`], also for a coordinate that is NaN or infinite. Former contents at the path are then
/// unchanged.
pub fn write_mesh(path: &Path, mesh: &TriangleMesh) -> Result<(), WriteError> {
    let format = MeshFormat::of(path)
        .map_err(|source| WriteError::Format { path: path.to_path_buf(), source })?;
    mesh.check_finite().map_err(|source| WriteError::Unfit { path: path.to_path_buf(), source })?;
    write_atomically(path, |out| match format {
        MeshFormat::Ply => ply::write_to(out, mesh),
        MeshFormat::Obj => obj::write_to(out, mesh),
        MeshFormat::Off => off::write_to(out, mesh),
    })
}
