//! OBJ, Wavefront's text format.
//!
//! The reader uses lines `v` (a fourth value is the weight; more, such as colours, are skipped) and `f` with corners like `7`,
//! `7/1`, `7//2`, `7/1/2` or `-1` (the last vertex so far). Polygons are split into triangles. A line that ends
//! with `\` goes on in the next one. All other lines are skipped, and named unless they are harmless. Vertices are counted from 1 in the file and in
//! messages about it.
//!
//! This is own code because the errors of the best maintained crate (tobj 4.0) give no line.

use std::io::{self, Write};

use super::contents::{Contents, Numbers};
use crate::io::error::{Fault, quote};
use crate::io::text::{Fields, Lines, Shortest, number};
use crate::mesh::TriangleMesh;

/// Lines that do not change the triangles: normals, textures, names, materials, points and lines, display.
const HARMLESS: [&str; 22] = [
    "values after x y z",
    "vn",
    "vt",
    "vp",
    "o",
    "g",
    "s",
    "mg",
    "mtllib",
    "usemtl",
    "maplib",
    "usemap",
    "p",
    "l",
    "lod",
    "bevel",
    "c_interp",
    "d_interp",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
];

/// Reads an OBJ file.
pub(super) fn read(text: &[u8], keep: bool) -> Result<Contents, Fault> {
    let mut contents = Contents::new(text, keep);
    let (mut corners, mut largest, mut line_of_largest) = (Vec::new(), 0, 0);
    for mut fields in Lines::new(text, 1, Some(b'#')).continuing() {
        match fields.next() {
            Some(b"v") => {
                let mut axis = |name| fields.placed(name);
                let mut place = [axis("x")?, axis("y")?, axis("z")?];
                let others = fields.clone().count();
                if others == 1 {
                    // A rational point: x, y and z are divided by its weight.
                    let weight = fields.finite("the weight")?;
                    if weight != 1.0 {
                        contents.numbers = Numbers::Weighted;
                    }
                    place = place.map(|(x, bytes)| (x / weight, bytes));
                    if place.iter().any(|(x, _)| !x.is_finite()) && weight == 0.0 {
                        return Err(
                            fields.fault(format!("the weight {weight} gives no finite point"))
                        );
                    }
                } else if others > 0 {
                    contents.other(b"values after x y z");
                }
                contents.vertex(place, |axis| fields.not_finite(axis));
            }
            Some(b"f") => {
                corners.clear();
                while let Some(field) = fields.next() {
                    let corner = corner(field, contents.mesh.positions.len());
                    corners.push(corner.map_err(|what| fields.fault(what))?);
                }
                let most = corners.iter().copied().fold(0, u32::max);
                if most >= largest {
                    (largest, line_of_largest) = (most, fields.line);
                }
                contents.face(&corners, fields.line);
            }
            Some(keyword) => contents.other(keyword),
            None => {}
        }
    }
    contents.remark_beyond(&HARMLESS, "lines with ");
    let vertices = contents.mesh.positions.len();
    // Vertices may follow their faces.
    if !contents.mesh.triangles.is_empty() && largest as usize >= vertices {
        let index = u64::from(largest) + 1;
        let what =
            format!("the face uses vertex {index} (counted from 1), but there are {vertices}");
        return Err(Fields::none(line_of_largest).fault(what));
    }
    if vertices == 0 {
        return Err(Fault::in_file("there is no vertex (a line `v`)", "give an OBJ file"));
    }
    Ok(contents.finished())
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
pub(super) fn write_to(out: &mut impl Write, mesh: &TriangleMesh) -> io::Result<()> {
    writeln!(out, "# written by fragstream")?;
    for [x, y, z] in mesh.positions.iter().map(|p| p.map(Shortest)) {
        writeln!(out, "v {x} {y} {z}")?;
    }
    for [a, b, c] in mesh.triangles.iter().map(|t| t.map(|index| u64::from(index) + 1)) {
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}
