//! STL, the format of stereolithography: triangles with corners of their own, as text or in binary.
//!
//! The reader joins corners in the same position, and skips normals, attributes and names. This is own code because
//! the errors of the maintained crates give no line and no byte.

use std::io::{self, Write};

use super::contents::Contents;
use crate::io::error::{FETCH, Fault, Place};
use crate::io::text::Lines;
use crate::mesh::repair::join;
use crate::mesh::vector::{cross, norm, subtract};
use crate::mesh::{MeshError, TriangleMesh};

/// Bytes before the first triangle of a binary file: a comment, and the number of triangles.
const HEAD: usize = 84;
/// Bytes of a triangle: normal, three corners, an attribute.
const TRIANGLE: usize = 50;

/// Reads an STL file. A file is binary if its length is that of its number of triangles.
pub(super) fn read(bytes: &[u8]) -> Result<Contents, Fault> {
    let count = bytes
        .get(HEAD - 4..HEAD)
        .map(|count| u32::from_le_bytes([count[0], count[1], count[2], count[3]]));
    let length = count.map(|count| HEAD as u64 + TRIANGLE as u64 * u64::from(count));
    let is_text = bytes.trim_ascii_start().starts_with(b"solid");
    let mut contents = Contents::new(bytes, false);
    match length {
        Some(length) if length == bytes.len() as u64 || !is_text && length < bytes.len() as u64 => {
            read_binary(&bytes[HEAD..length as usize], &mut contents)?;
        }
        _ if is_text => read_text(bytes, &mut contents)?,
        _ => {
            let what = "it does not begin with `solid`, and its length does not fit its number of triangles";
            return Err(Fault::in_file(what, FETCH));
        }
    }
    join(&mut contents.mesh);
    Ok(contents)
}

fn read_binary(triangles: &[u8], contents: &mut Contents) -> Result<(), Fault> {
    for (number, triangle) in triangles.chunks_exact(TRIANGLE).enumerate() {
        let float = |at: usize| {
            let bytes = &triangle[at..at + 4];
            (f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]), bytes)
        };
        let corners = [12, 24, 36].map(|at| [at, at + 4, at + 8].map(float));
        if corners.as_flattened().iter().any(|(value, _)| !value.is_finite()) {
            let what = format!("triangle {number}: a coordinate is NaN or infinite");
            return Err(Fault::new(Place::Byte(HEAD + TRIANGLE * number), what, FETCH));
        }
        add(contents, corners, 0);
    }
    Ok(())
}

fn read_text(text: &[u8], contents: &mut Contents) -> Result<(), Fault> {
    let mut corners = Vec::with_capacity(3);
    for mut fields in Lines::new(text, 1, None) {
        match fields.next() {
            Some(b"vertex") => {
                let mut axis = |name| fields.placed(name);
                corners.push([axis("x")?, axis("y")?, axis("z")?]);
            }
            Some(b"endfacet") => match <[_; 3]>::try_from(std::mem::take(&mut corners)) {
                Ok(corners) => add(contents, corners, fields.line),
                Err(corners) => {
                    let what = format!("the facet has {} corners, not 3", corners.len());
                    return Err(fields.fault(what));
                }
            },
            _ => {}
        }
    }
    match contents.mesh.triangles.is_empty() || !corners.is_empty() {
        true => Err(Fault::in_file("it ends before `endfacet`", crate::io::error::RESTORE)),
        false => Ok(()),
    }
}

fn add(contents: &mut Contents, corners: [[(f32, &[u8]); 3]; 3], line: usize) {
    let first = contents.mesh.positions.len() as u32;
    corners.into_iter().for_each(|corner| contents.vertex(corner));
    contents.face(&[first, first + 1, first + 2], line);
}

/// Writes a binary STL file of the triangles, in their order.
pub(super) fn write_to(out: &mut impl Write, mesh: &TriangleMesh) -> io::Result<()> {
    let too_many = |_| {
        let (vertices, triangles) = (mesh.positions.len(), mesh.triangles.len());
        io::Error::other(MeshError::TooLarge { vertices, triangles })
    };
    let count = u32::try_from(mesh.triangles.len()).map_err(too_many)?;
    let mut head = [0; HEAD];
    let comment = b"written by fragstream";
    head[..comment.len()].copy_from_slice(comment);
    head[HEAD - 4..].copy_from_slice(&count.to_le_bytes());
    out.write_all(&head)?;
    for &triangle in &mesh.triangles {
        let [a, b, c] = mesh.corners(triangle);
        let normal = cross(subtract(b, a), subtract(c, a));
        let length = norm(normal);
        let normal = normal.map(|n| if length > 0.0 { (n / length) as f32 } else { 0.0 });
        let corners = triangle.map(|vertex| mesh.positions[vertex as usize]);
        for coordinate in normal.iter().chain(corners.as_flattened()) {
            out.write_all(&coordinate.to_le_bytes())?;
        }
        out.write_all(&[0, 0])?;
    }
    Ok(())
}
