//! Mesh files, by extension.

mod contents;
pub mod obj;
pub mod off;
pub mod ply;
pub mod stl;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::atomic::write_atomically;
use super::error::{Fault, InputError, Place, UnknownExtension, WriteError};
use super::reading::bytes_of;
use crate::mesh::{MeshError, Repaired, TriangleMesh, repair};
use contents::{Contents, Numbers};

/// Loss in a file of single precision if its mesh is far from the origin.
const ROUNDED: &str = "displacements below the spacing of its coordinates in single precision";

/// The formats in which meshes are read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFormat {
    /// Stanford's polygon format, see [`ply`].
    Ply,
    /// Wavefront's object format, see [`obj`].
    Obj,
    /// Geomview's object file format, see [`off`].
    Off,
    /// The format of stereolithography, see [`stl`].
    Stl,
}

impl MeshFormat {
    /// The format of a file name's extension, in upper or lower case.
    pub fn of(path: &Path) -> Result<Self, UnknownExtension> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("ply") => Ok(Self::Ply),
            Some("obj") => Ok(Self::Obj),
            Some("off") => Ok(Self::Off),
            Some("stl") => Ok(Self::Stl),
            _ => Err(UnknownExtension),
        }
    }

    /// Parses a file's contents: all vertices in their order, polygons as triangles ([`MeshFile::read`]).
    pub fn parse(self, bytes: &[u8]) -> Result<TriangleMesh, Fault> {
        let contents = self.contents(bytes, false)?;
        contents.short.map_or(Ok(contents.mesh), |(fault, _)| Err(fault))
    }

    fn contents(self, bytes: &[u8], keep: bool) -> Result<Contents, Fault> {
        match self {
            Self::Ply => ply::read(bytes, keep),
            Self::Obj => obj::read(bytes, keep),
            Self::Off => off::read(bytes, keep),
            Self::Stl => stl::read(bytes),
        }
    }

    /// Writes a mesh, vertices and triangles in their order. Coordinates read back as the same numbers, but those in PLY
    /// and STL have single precision, unless the mesh is too far from the origin for it.
    ///
    /// # Errors
    /// Those of `out`; for STL also more triangles than 32 bits count.
    pub fn write(self, out: &mut impl Write, mesh: &TriangleMesh) -> io::Result<()> {
        match self {
            Self::Ply => ply::write_to(out, mesh),
            Self::Obj => obj::write_to(out, mesh),
            Self::Off => off::write_to(out, mesh),
            Self::Stl => stl::write_to(out, mesh),
        }
    }
}

/// A mesh with its file, whose other contents (colours, normals, materials, polygons) can be written again.
#[derive(Clone, Debug)]
pub struct MeshFile {
    path: PathBuf,
    format: MeshFormat,
    bytes: Vec<u8>,
    contents: Contents,
    is_repaired: bool,
}

impl MeshFile {
    /// Reads a file in the format of its extension.
    ///
    /// Coordinates are finite and indices in range, but faces may have fewer than three corners (and then give no
    /// triangle), triangles may have zero area, and edges may belong to more than two triangles: [`Self::check`] finds
    /// these.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        Self::read_to(path, true)
    }

    fn read_to(path: &Path, keep: bool) -> Result<Self, InputError> {
        let path = path.to_path_buf();
        let format = match MeshFormat::of(&path) {
            Ok(format) => format,
            Err(source) => return Err(InputError::Format { path, source }),
        };
        let bytes = bytes_of(&path)?;
        match format.contents(&bytes, keep) {
            Ok(contents) => Ok(Self { path, format, bytes, contents, is_repaired: false }),
            Err(fault) => Err(InputError::Malformed { path, fault }),
        }
    }

    /// The mesh: all vertices in the file's order, polygons as triangles.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.contents.mesh
    }

    /// Checks that the mesh can be used for computations.
    pub fn check(&self) -> Result<(), InputError> {
        if let Some((fault, _)) = &self.contents.short {
            return Err(InputError::Malformed { path: self.path.clone(), fault: fault.clone() });
        }
        self.mesh().validate().map_err(|source| {
            let place = self.place_of(&source);
            InputError::Unfit { path: self.path.clone(), place, source }
        })
    }

    /// The face in the file to which an error belongs.
    fn place_of(&self, error: &MeshError) -> Place {
        let triangle = match *error {
            MeshError::RepeatedIndex { triangle, .. }
            | MeshError::ZeroArea { triangle, .. }
            | MeshError::TooSmall { triangle, .. } => triangle,
            MeshError::CrowdedEdge { vertices, .. } => {
                let has = |t: &[u32; 3]| vertices.iter().all(|vertex| t.contains(vertex));
                self.mesh().triangles.iter().position(has).unwrap_or(0)
            }
            _ => return Place::File,
        };
        if self.is_repaired {
            return Place::File;
        }
        let (face, line) = self.contents.faces.of(triangle);
        Place::Face { face, line: (line > 0).then_some(line) }
    }

    /// Repairs the mesh, see [`repair()`], and returns the number of faces with fewer than three corners, too, which
    /// are dropped. The other contents of the file are then lost.
    pub fn repair(&mut self) -> (Repaired, usize) {
        self.is_repaired = true;
        let short = self.contents.short.take().map_or(0, |(_, count)| count);
        (repair(&mut self.contents.mesh), short)
    }

    /// Writes the mesh with other positions. In the file's own format everything else stays as it is, unless the
    /// mesh was repaired. Returns the names of what is lost.
    pub fn write(&self, path: &Path, mesh: &TriangleMesh) -> Result<Vec<String>, WriteError> {
        let contents = &self.contents;
        let is_same = !self.is_repaired && MeshFormat::of(path) == Ok(self.format);
        if is_same
            && !matches!(contents.numbers, Numbers::Integers | Numbers::Weighted)
            && self.format != MeshFormat::Stl
        {
            check_finite(path, mesh)?;
            if contents.is_single() {
                check_finite(path, &mesh.offsets([0.0; 3], 1.0))?;
            }
            write_atomically(path, |out| contents.write(out, &self.bytes, &mesh.positions))?;
            let is_rounded = contents.is_single() && !mesh.fits_single();
            return Ok(if is_rounded { vec![ROUNDED.into()] } else { Vec::new() });
        }
        write_mesh(path, mesh)?;
        Ok(contents.others.clone())
    }
}

/// Reads a mesh, and checks that it can be used for computations ([`TriangleMesh::validate`]).
pub fn read_valid_mesh(path: &Path) -> Result<TriangleMesh, InputError> {
    let file = MeshFile::read_to(path, false)?;
    file.check()?;
    Ok(file.contents.mesh)
}

fn check_finite(path: &Path, mesh: &TriangleMesh) -> Result<(), WriteError> {
    mesh.check_finite().map_err(|source| WriteError::Unfit { path: path.to_path_buf(), source })
}

/// Writes a mesh in the format of the extension ([`MeshFormat::write`]).
pub fn write_mesh(path: &Path, mesh: &TriangleMesh) -> Result<(), WriteError> {
    let format = MeshFormat::of(path)
        .map_err(|source| WriteError::Format { path: path.to_path_buf(), source })?;
    check_finite(path, mesh)?;
    write_atomically(path, |out| format.write(out, mesh))
}
