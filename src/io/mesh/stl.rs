//! STL, the format of stereolithography: triangles with corners of their own, as text or in binary.
//!
//! The reader joins corners in the same position, and skips normals, attributes and names. This is own code because
//! the errors of the maintained crates give no line and no byte.

use std::io::{self, Write};

use super::contents::Contents;
use crate::io::error::{EXPORT, Fault, Place, RESTORE};
use crate::io::reading::remark;
use crate::io::text::{Lines, Shortest, Words};
use crate::mesh::repair::join;
use crate::mesh::vector::{Vector, cross, norm, subtract};
use crate::mesh::{MeshError, TriangleMesh};

/// Bytes before the first triangle of a binary file: a comment, and the number of triangles.
const HEAD: usize = 84;
/// Bytes of a triangle: normal, three corners, an attribute.
const TRIANGLE: usize = 50;

/// Remedy for another file.
const STL: &str = "give an STL file";

/// Remedy for bytes behind the announced triangles.
const ONE_BODY: &str =
    "correct the number of triangles in bytes 80 to 83, or give one body per file";

/// Reads an STL file. It is binary if its length is that of its number of triangles, or if it is not a text with
/// facets: some programs begin binary files with `solid`, too, or add bytes at the end.
pub(super) fn read(bytes: &[u8]) -> Result<Contents, Fault> {
    let count = bytes
        .get(HEAD - 4..HEAD)
        .map(|count| u32::from_le_bytes([count[0], count[1], count[2], count[3]]));
    let length = count.map(|count| HEAD as u64 + TRIANGLE as u64 * u64::from(count));
    let given = bytes.len() as u64;
    let mut contents = Contents::new(bytes, false);
    match length {
        Some(length) if length == given => read_binary(&bytes[HEAD..], &mut contents)?,
        Some(length) if length < given && !is_text(bytes) => match without_attributes(bytes) {
            Some(triangles) => read_binary(&triangles, &mut contents)?,
            None if given - length < TRIANGLE as u64 => {
                remark(format!("not used: {} bytes behind the triangles", given - length));
                read_binary(&bytes[HEAD..length as usize], &mut contents)?;
            }
            None => {
                let announced = (length - HEAD as u64) / TRIANGLE as u64;
                let there = (given - HEAD as u64) / TRIANGLE as u64;
                let what = format!(
                    "the header announces {announced} triangles, but the file has {given} bytes, enough for {there}"
                );
                return Err(Fault::in_file(what, ONE_BODY));
            }
        },
        _ if is_text(bytes) => read_text(bytes, &mut contents)?,
        Some(length) if bytes[..HEAD].contains(&0) => {
            let triangles = (length - HEAD as u64) / TRIANGLE as u64;
            let what = format!(
                "as binary STL its {triangles} triangles have {length} bytes, but the file has {given}"
            );
            return Err(Fault::in_file(what, RESTORE));
        }
        _ => {
            let what = "it has no `vertex`, and does not begin as binary STL";
            return Err(Fault::in_file(what, STL));
        }
    }
    join(&mut contents.mesh);
    Ok(contents.finished())
}

/// The triangles of a file in which each is followed by as many bytes as its attribute gives, without these bytes.
fn without_attributes(bytes: &[u8]) -> Option<Vec<u8>> {
    let (mut rest, mut triangles) = (&bytes[HEAD..], Vec::new());
    while !rest.is_empty() {
        let (triangle, after) = rest.split_at_checked(TRIANGLE)?;
        triangles.extend(triangle);
        rest = after.get(usize::from(u16::from_le_bytes([triangle[48], triangle[49]]))..)?;
    }
    let count = u32::from_le_bytes([bytes[80], bytes[81], bytes[82], bytes[83]]);
    (triangles.len() / TRIANGLE == count as usize).then_some(triangles)
}

/// Tests whether the file has a vertex before the first NUL byte: the number of triangles of a binary file has one.
fn is_text(bytes: &[u8]) -> bool {
    let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    text.windows(6).any(|word| word.eq_ignore_ascii_case(b"vertex"))
}

fn read_binary(triangles: &[u8], contents: &mut Contents) -> Result<(), Fault> {
    for (number, triangle) in triangles.chunks_exact(TRIANGLE).enumerate() {
        let float = |at: usize| {
            let bytes = &triangle[at..at + 4];
            (f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])), bytes)
        };
        let corners = [12, 24, 36].map(|at| [at, at + 4, at + 8].map(float));
        if corners.as_flattened().iter().any(|(value, _)| !value.is_finite()) {
            let what = format!("triangle {number}: a coordinate is NaN or infinite");
            return Err(Fault::new(Place::Byte(HEAD + TRIANGLE * number), what, EXPORT));
        }
        facet(contents, &corners, 0);
    }
    Ok(())
}

fn read_text(text: &[u8], contents: &mut Contents) -> Result<(), Fault> {
    let mut corners = Vec::with_capacity(4);
    let mut words = Words::new(Lines::new(text, 1, None));
    while let Some(word) = words.next() {
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword.as_bytes());
        if is("vertex") {
            let mut axis = |name| words.filled().placed(name);
            let corner = [axis("x")?, axis("y")?, axis("z")?];
            if let Some(axis) = corner.iter().position(|(value, _)| !value.is_finite()) {
                return Err(words.fields.not_finite(["x", "y", "z"][axis]));
            }
            corners.push(corner);
        } else if is("endfacet") {
            if corners.len() > 3 {
                let what = format!("the facet has {} corners, not 3", corners.len());
                return Err(words.fields.fault(what));
            }
            facet(contents, &corners, words.fields.line);
            corners.clear();
        } else if is("solid") || is("endsolid") {
            // A name of any words, after which a facet may be in the same line.
            words.fields.find(|word| word.eq_ignore_ascii_case(b"facet"));
        }
    }
    match (corners.is_empty(), contents.mesh.positions.is_empty()) {
        (true, false) => Ok(()),
        (true, true) => Err(Fault::in_file("it has no facet", STL)),
        _ => Err(Fault::in_file("it ends before `endfacet`", "complete the last facet")),
    }
}

fn facet(contents: &mut Contents, corners: &[[(f64, &[u8]); 3]], line: usize) {
    let first = contents.mesh.positions.len() as u32;
    corners.iter().for_each(|&corner| {
        contents.vertex(corner, |_| Fault::in_file("a coordinate is not finite", EXPORT));
    });
    let corners = [first, first + 1, first + 2];
    contents.face(&corners[..contents.mesh.positions.len() - first as usize], line);
}

/// Writes the triangles, in their order: in binary, or as text if the mesh does not fit in single precision.
pub(super) fn write_to(out: &mut impl Write, mesh: &TriangleMesh) -> io::Result<()> {
    if !mesh.fits_single() {
        writeln!(out, "solid fragstream")?;
        for &triangle in &mesh.triangles {
            let [x, y, z] = normal(mesh.corners(triangle)).map(Shortest);
            writeln!(out, "facet normal {x} {y} {z}\nouter loop")?;
            for [x, y, z] in mesh.corners(triangle).map(|corner| corner.map(Shortest)) {
                writeln!(out, "vertex {x} {y} {z}")?;
            }
            writeln!(out, "endloop\nendfacet")?;
        }
        return writeln!(out, "endsolid fragstream");
    }
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
        let corners = mesh.corners(triangle);
        let coordinates = corners.as_flattened().iter().map(|&x| x as f32);
        for number in normal(corners).into_iter().chain(coordinates) {
            out.write_all(&number.to_le_bytes())?;
        }
        out.write_all(&[0, 0])?;
    }
    Ok(())
}

/// The unit normal of a triangle; zero if it has no area.
fn normal([a, b, c]: [Vector; 3]) -> [f32; 3] {
    let normal = cross(subtract(b, a), subtract(c, a));
    let length = norm(normal);
    normal.map(|n| if length > 0.0 { (n / length) as f32 } else { 0.0 })
}
