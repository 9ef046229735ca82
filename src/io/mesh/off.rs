//! OFF, Geomview's text format. Its variants with further values per vertex (COFF, NOFF, STOFF and their
//! combinations) are read, but these values are ignored, as are colours of faces and comments from `#` on.
//!
//! A face with more than three corners becomes a fan of triangles around its first corner. Every vertex and
//! every face is on a line of its own. Everything after the last face is ignored. No maintained crate reads the
//! format.

use std::io::{self, Write};

use crate::io::error::{Fault, quote};
use crate::io::text::{Fields, Lines, Shortest};
use crate::mesh::TriangleMesh;

/// Parses the contents of an OFF file. Indices and coordinates are checked; triangles may still be
/// degenerate.
pub fn parse(text: &[u8]) -> Result<TriangleMesh, Fault> {
    let mut lines = Lines::new(text, 1, Some(b'#'));
    let (vertices, faces) = parse_counts(&mut lines)?;
    let mut mesh = TriangleMesh::default();
    // No line is shorter than six bytes, so a false count cannot claim much memory.
    let plausible = lines.rest().len() / 6;
    mesh.positions.reserve(plausible.min(vertices as usize));
    mesh.triangles.reserve(plausible.min(faces as usize));
    for vertex in 0..vertices {
        let mut fields =
            lines.demand(|| format!("the file ends after {vertex} of {vertices} vertices"))?;
        let mut axis = |name| fields.coordinate(format_args!("vertex {vertex}: {name}"));
        mesh.positions.push([axis("x")?, axis("y")?, axis("z")?]);
    }
    let mut polygon = Vec::new();
    for face in 0..faces {
        let mut fields = lines.demand(|| format!("the file ends after {face} of {faces} faces"))?;
        parse_face(face, vertices, &mut fields, &mut polygon)?;
        mesh.push_polygon(&polygon);
    }
    Ok(mesh)
}

/// The numbers of vertices and faces, which are in the first line or the next.
fn parse_counts(lines: &mut Lines) -> Result<(u32, u32), Fault> {
    let mut fields = lines.demand(|| "the file is empty".into())?;
    let keyword = fields.next().unwrap_or_default();
    let variant = keyword.strip_suffix(b"OFF").ok_or_else(|| {
        Fault::in_line(
            fields.line,
            format!("the file begins with {}, not `OFF`", quote(keyword)),
            "give an OFF file",
        )
    })?;
    if !matches!(variant, b"" | b"C" | b"N" | b"CN" | b"ST" | b"STC" | b"STN" | b"STCN") {
        let what = format!("the variant {} does not have three-dimensional points", quote(keyword));
        return Err(Fault::in_line(fields.line, what, "convert it to plain OFF"));
    }
    if fields.clone().next() == Some(b"BINARY") {
        return Err(Fault::in_line(fields.line, "the file is binary OFF", "convert it to text"));
    }
    if fields.clone().next().is_none() {
        fields = lines.demand(|| "the numbers of vertices and faces are missing".into())?;
    }
    let vertices = fields.number("the number of vertices")?;
    // The third number, of edges, is often wrong or missing.
    Ok((vertices, fields.number("the number of faces")?))
}

/// Stores the corners of a face in `polygon`.
fn parse_face(
    face: u32,
    vertices: u32,
    fields: &mut Fields,
    polygon: &mut Vec<u32>,
) -> Result<(), Fault> {
    polygon.clear();
    let corners: u32 = fields.number(format_args!("face {face}: the number of corners"))?;
    if corners < 3 {
        return Err(fields.fault(format!("face {face} has {corners} corners, but needs 3")));
    }
    for _ in 0..corners {
        let index = fields.number(format_args!("face {face}: a corner"))?;
        if index >= vertices {
            let what = format!("face {face}: vertex {index} is out of range: there are {vertices}");
            return Err(fields.fault(what));
        }
        polygon.push(index);
    }
    Ok(())
}

/// Writes an OFF file of positions and triangles, in their order.
pub fn write_to(out: &mut impl Write, mesh: &TriangleMesh) -> io::Result<()> {
    writeln!(out, "OFF\n{} {} 0", mesh.positions.len(), mesh.triangles.len())?;
    for [x, y, z] in mesh.positions.iter().map(|p| p.map(Shortest)) {
        writeln!(out, "{x} {y} {z}")?;
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(out, "3 {a} {b} {c}")?;
    }
    Ok(())
}
