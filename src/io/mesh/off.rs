//! OFF, Geomview's text format. Its variants with further values per vertex (COFF, NOFF, STOFF and their
//! combinations) are read, but these values are skipped, as are colours of faces and comments from `#` on.
//!
//! Polygons are split into triangles. A vertex or a face may take several lines, but begins a new one. Everything
//! after the last face is ignored. No maintained crate reads the format.

use std::io::{self, Write};

use super::contents::Contents;
use crate::io::error::{Fault, quote};
use crate::io::text::{Coordinate, Fields, Lines};
use crate::mesh::TriangleMesh;

/// Reads an OFF file.
pub(super) fn read(text: &[u8], keep: bool) -> Result<Contents, Fault> {
    let mut lines = Lines::new(text, 1, Some(b'#'));
    let mut contents = Contents::new(text, keep);
    let (vertices, faces) = parse_counts(&mut lines, &mut contents)?;
    // No line is shorter than six bytes, so a false count cannot claim much memory.
    let plausible = lines.rest().len() / 6;
    contents.mesh.positions.reserve(plausible.min(vertices as usize));
    contents.mesh.triangles.reserve(plausible.min(faces as usize));
    for vertex in 0..vertices {
        let mut fields =
            lines.demand(|| format!("the file ends after {vertex} of {vertices} vertices"))?;
        let mut axis = |name| {
            go_on(&mut fields, &mut lines);
            fields.placed(format_args!("vertex {vertex}: {name}"))
        };
        contents.vertex([axis("x")?, axis("y")?, axis("z")?]);
    }
    let mut corners = Vec::new();
    for face in 0..faces {
        let mut fields = lines.demand(|| format!("the file ends after {face} of {faces} faces"))?;
        let line = fields.line;
        corners.clear();
        let count: u32 = fields.number(format_args!("face {face}: the number of corners"))?;
        if count < 3 {
            return Err(fields.fault(format!("face {face} has {count} corners, but needs 3")));
        }
        for _ in 0..count {
            go_on(&mut fields, &mut lines);
            let index = fields.number(format_args!("face {face}: a corner"))?;
            if index >= vertices {
                let what =
                    format!("face {face}: vertex {index} is out of range: there are {vertices}");
                return Err(fields.fault(what));
            }
            corners.push(index);
        }
        if fields.next().is_some() {
            contents.other(b"colours of faces");
        }
        contents.face(&corners, line);
    }
    Ok(contents.finished())
}

/// Goes to the next line at the end of one, if there is one.
fn go_on<'a>(fields: &mut Fields<'a>, lines: &mut Lines<'a>) {
    if fields.rest().is_empty()
        && let Some(next) = lines.next()
    {
        *fields = next;
    }
}

/// The numbers of vertices and faces, which are in the first line or the next; some programs write them directly
/// after `OFF`.
fn parse_counts(lines: &mut Lines, contents: &mut Contents) -> Result<(u32, u32), Fault> {
    let mut fields = lines.demand(|| "the file is empty".into())?;
    let glued = fields.clone();
    let keyword = fields.next().unwrap_or_default();
    let letters = keyword.iter().position(u8::is_ascii_digit).unwrap_or(keyword.len());
    let variant = keyword[..letters].strip_suffix(b"OFF").ok_or_else(|| {
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
    if !variant.is_empty() {
        contents.other(keyword);
    }
    if fields.clone().next() == Some(b"BINARY") {
        return Err(Fault::in_line(fields.line, "the file is binary OFF", "convert it to text"));
    }
    if letters < keyword.len() {
        fields = glued.after(letters);
    } else if fields.clone().next().is_none() {
        fields = lines.demand(|| "the numbers of vertices and faces are missing".into())?;
    }
    let vertices = fields.number("the number of vertices")?;
    // The third number, of edges, is often wrong or missing.
    Ok((vertices, fields.number("the number of faces")?))
}

/// Writes an OFF file of positions and triangles, in their order.
pub(super) fn write_to(out: &mut impl Write, mesh: &TriangleMesh) -> io::Result<()> {
    writeln!(out, "OFF\n{} {} 0", mesh.positions.len(), mesh.triangles.len())?;
    for [x, y, z] in mesh.positions.iter().map(|p| p.map(Coordinate)) {
        writeln!(out, "{x} {y} {z}")?;
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(out, "3 {a} {b} {c}")?;
    }
    Ok(())
}
