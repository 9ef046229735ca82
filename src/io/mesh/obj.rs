//! OBJ, Wavefront's text format.
//!
//! The reader uses lines `v` (further values, such as colours, are ignored) and `f` with corners like `7`,
//! `7/1`, `7//2`, `7/1/2` or `-1` (the last vertex so far). A face with more than three corners becomes a fan
//! of triangles around its first corner, and may continue over lines that end with `\`. All other lines are
//! ignored. Vertices are counted from 1 in the file and in messages about it.
//!
//! This is own code because the errors of the best maintained crate (tobj 4.0) give no line.

use std::io::{self, Write};

use crate::io::error::{Fault, quote};
use crate::io::text::{Fields, Lines, Shortest, number};
use crate::mesh::TriangleMesh;

/// Parses the contents of an OBJ file. Indices and coordinates are checked; triangles may still be
/// degenerate.
pub fn parse(text: &[u8]) -> Result<TriangleMesh, Fault> {
    let mut mesh = TriangleMesh::default();
    let mut polygon = Polygon::default();
    for mut fields in Lines::new(text, 1, Some(b'#')) {
        if polygon.goes_on {
            polygon.read_corners(&mut fields, &mut mesh)?;
            continue;
        }
        match fields.next() {
            Some(b"v") => {
                let mut axis = |name| fields.coordinate(name);
                mesh.positions.push([axis("x")?, axis("y")?, axis("z")?]);
            }
            Some(b"f") => polygon.read_corners(&mut fields, &mut mesh)?,
            _ => {}
        }
    }
    polygon.check_range(&mesh)?;
    if mesh.positions.is_empty() {
        return Err(Fault::in_file("there is no vertex (a line `v`)", "give an OBJ file"));
    }
    Ok(mesh)
}

/// The face being read, and the largest index so far, because vertices may follow their faces.
#[derive(Default)]
struct Polygon {
    corners: Vec<u32>,
    goes_on: bool,
    largest: u32,
    line_of_largest: usize,
}

impl Polygon {
    /// Reads the corners in one line, and adds the triangles if the face is complete.
    fn read_corners(&mut self, fields: &mut Fields, mesh: &mut TriangleMesh) -> Result<(), Fault> {
        self.goes_on = false;
        while let Some(field) = fields.next() {
            if field == b"\\" {
                self.goes_on = true;
                return Ok(());
            }
            let corner = corner(field, mesh.positions.len()).map_err(|what| fields.fault(what))?;
            if corner >= self.largest {
                (self.largest, self.line_of_largest) = (corner, fields.line);
            }
            self.corners.push(corner);
        }
        if self.corners.len() < 3 {
            let what = format!("the face has {} corners, but needs 3", self.corners.len());
            return Err(fields.fault(what));
        }
        mesh.push_polygon(&self.corners);
        self.corners.clear();
        Ok(())
    }

    /// Checks that all vertices of faces exist, and that the last face is complete.
    fn check_range(&self, mesh: &TriangleMesh) -> Result<(), Fault> {
        let fields = Fields::none(self.line_of_largest);
        if self.goes_on {
            return Err(fields.fault("the last face is not complete"));
        }
        let vertices = mesh.positions.len();
        if !mesh.triangles.is_empty() && self.largest as usize >= vertices {
            let index = u64::from(self.largest) + 1;
            let what =
                format!("the face uses vertex {index} (counted from 1), but there are {vertices}");
            return Err(fields.fault(what));
        }
        Ok(())
    }
}

/// The vertex, counted from 0, to which a face's field refers after `vertices` vertices.
fn corner(field: &[u8], vertices: usize) -> Result<u32, String> {
    let index = field.split(|&byte| byte == b'/').next().unwrap_or_default();
    let index: i64 =
        number(index).ok_or_else(|| format!("{} is not a corner of a face", quote(field)))?;
    let from_zero = if index < 0 { vertices as i64 + index } else { index - 1 };
    match u32::try_from(from_zero) {
        Ok(corner) if corner < u32::MAX => Ok(corner),
        _ => Err(format!("the face uses vertex {index}, but there are {vertices} so far")),
    }
}

/// Writes an OBJ file of positions and triangles, in their order.
pub fn write_to(out: &mut impl Write, mesh: &TriangleMesh) -> io::Result<()> {
    writeln!(out, "# written by fragstream")?;
    for [x, y, z] in mesh.positions.iter().map(|p| p.map(Shortest)) {
        writeln!(out, "v {x} {y} {z}")?;
    }
    for [a, b, c] in mesh.triangles.iter().map(|t| t.map(|index| u64::from(index) + 1)) {
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}
