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
use super::reading::{bytes_of, remark, tell_remarks};
use super::text::decoded;
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
        let contents = match self {
            Self::Ply => ply::read(bytes, keep),
            Self::Obj => obj::read(bytes, keep),
            Self::Off => off::read(bytes, keep),
            Self::Stl => stl::read(bytes),
        }?;
        // A mesh that is kept may still be repaired.
        contents.unfit(keep).map_or(Ok(()), |fault| Err(fault.clone()))?;
        Ok(contents)
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
        let mut bytes = bytes_of(&path)?;
        // The head of binary STL is anything.
        if format != MeshFormat::Stl
            || bytes.get(..16).is_none_or(|head| decoded(head.into()).starts_with(b"solid"))
        {
            bytes = decoded(bytes.into()).into_owned();
        }
        let contents = format.contents(&bytes, keep);
        tell_remarks(&path);
        match contents {
            Ok(contents) => Ok(Self { path, format, bytes, contents, is_repaired: false }),
            Err(fault) => Err(InputError::Malformed { path, fault }),
        }
    }

    /// The mesh: all vertices in the file's order, polygons as triangles.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.contents.mesh
    }

    /// Tests whether [`Self::write`] keeps normals at this path, which are those of the old positions.
    pub fn keeps_normals(&self, path: &Path) -> bool {
        let is_normal = |name: &String| match self.format {
            MeshFormat::Obj => name == "vn",
            MeshFormat::Ply => name == "nx",
            MeshFormat::Off => name.contains('N'),
            MeshFormat::Stl => false,
        };
        let is_same = self.is_kept() && MeshFormat::of(path) == Ok(self.format);
        is_same && self.contents.others.iter().any(is_normal)
    }

    /// Checks that the mesh can be used for computations.
    pub fn check(&self) -> Result<(), InputError> {
        let short = self.contents.short.as_ref().map(|(fault, _)| fault);
        if let Some(fault) = self.contents.unfit(false).or(short) {
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
        let unfit = self.contents.drop_unfit();
        if unfit > 0 {
            remark(format!("not used: vertices that are not finite: {unfit}"));
            tell_remarks(&self.path);
        }
        (repair(&mut self.contents.mesh), short)
    }

    /// Tests whether a file of the same format keeps everything but the positions.
    fn is_kept(&self) -> bool {
        let holds = !matches!(self.contents.numbers, Numbers::Integers | Numbers::Weighted);
        holds && !self.is_repaired && self.format != MeshFormat::Stl
    }

    /// Writes the mesh with other positions. In the file's own format everything else stays as it is, unless the
    /// mesh was repaired. Returns the names of what is lost.
    pub fn write(&self, path: &Path, mesh: &TriangleMesh) -> Result<Vec<String>, WriteError> {
        let contents = &self.contents;
        let is_same = MeshFormat::of(path) == Ok(self.format);
        if is_same && self.is_kept() {
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
