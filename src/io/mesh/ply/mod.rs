//! PLY, the Stanford polygon format: ASCII and binary, as scanners and modellers write it.
//!
//! Read are x, y, z of the element `vertex` and the list `vertex_indices` (or `vertex_index`) of
//! the element `face`, of any number type and in any order; every other element and property
//! (cameras, colours, confidence, texture coordinates, lists) is skipped. A face of more than three
//! corners becomes a fan of triangles about its first one. What follows the last element is ignored.
//!
//! Own code instead of a crate: the best kept one (ply-rs-bw 4.0) reports errors over several
//! lines, and by a line number even in binary data, where a user needs the element and the byte.

mod header;
mod records;

use std::io::{self, Write};

use crate::io::error::{CORRECT, Fault};
use crate::io::text::{Fields, Lines};
use crate::mesh::TriangleMesh;
use header::{Element, Encoding, Header, Shape};
use records::{AsciiRecords, BinaryRecords, Records};

/// Parses the contents of a PLY file. Indices and coordinates are checked; triangles may still be
/// degenerate.
pub fn parse(bytes: &[u8]) -> Result<TriangleMesh, Fault> {
    let header = Header::parse(bytes)?;
    if header.encoding == Encoding::Ascii {
        let lines = Lines::new(&bytes[header.body_byte..], header.body_line, None);
        read_elements(
            &header,
            AsciiRecords {
                lines,
                fields: Fields::none(header.body_line - 1),
            },
        )
    } else {
        let big_endian = header.encoding == Encoding::BigEndian;
        read_elements(
            &header,
            BinaryRecords {
                bytes,
                at: header.body_byte,
                big_endian,
            },
        )
    }
}

fn read_elements(header: &Header, mut records: impl Records) -> Result<TriangleMesh, Fault> {
    let (vertex, face) = (header.element("vertex")?, header.element("face")?);
    let axes = vertex_axes(vertex)?;
    let corners = face_corners(face)?;
    let mut mesh = TriangleMesh::default();
    // No record takes fewer bytes than this, so a false count cannot claim much memory.
    let plausible = |count: u64, left: usize| usize::try_from(count).unwrap_or(left).min(left / 3);
    for element in &header.elements {
        let left = records.bytes_left();
        match element.name.as_str() {
            "vertex" => {
                mesh.positions.reserve(plausible(element.count, left));
                each_record(element, &mut records, |records| {
                    mesh.positions.push(read_vertex(element, axes, records)?);
                    Ok(())
                })?;
            }
            "face" => {
                mesh.triangles.reserve(plausible(element.count, left));
                let mut polygon = Vec::new();
                each_record(element, &mut records, |records| {
                    read_face(element, corners, vertex.count, &mut polygon, records)?;
                    mesh.push_polygon(&polygon);
                    Ok(())
                })?;
            }
            _ => each_record(element, &mut records, |records| {
                element
                    .properties
                    .iter()
                    .try_for_each(|property| skip(property.shape, records))
            })?,
        }
    }
    Ok(mesh)
}

/// Runs `read` on every record of an element, and says of errors which record they are in.
fn each_record<R: Records>(
    element: &Element,
    records: &mut R,
    mut read: impl FnMut(&mut R) -> Result<(), Fault>,
) -> Result<(), Fault> {
    // Without properties nothing is written, however many there are.
    let count = if element.properties.is_empty() {
        0
    } else {
        element.count
    };
    for index in 0..count {
        let done = records
            .begin()
            .and_then(|()| read(records))
            .and_then(|()| records.end());
        done.map_err(|fault| {
            let what = format!("{} {index} of {count}: {}", element.label(), fault.what);
            Fault { what, ..fault }
        })?;
    }
    Ok(())
}

fn read_vertex(
    element: &Element,
    axes: [usize; 3],
    records: &mut impl Records,
) -> Result<[f32; 3], Fault> {
    let mut position = [0.0; 3];
    for (place, property) in element.properties.iter().enumerate() {
        match (axes.iter().position(|&axis| axis == place), property.shape) {
            (Some(axis), Shape::One(scalar)) => {
                position[axis] = records.float(scalar)?;
                if !position[axis].is_finite() {
                    let what = format!("{} is NaN, infinite or too large", property.name);
                    return Err(records.fault(what));
                }
            }
            (_, shape) => skip(shape, records)?,
        }
    }
    Ok(position)
}

/// Leaves the corners of the next face in `polygon`.
fn read_face(
    element: &Element,
    corners: usize,
    vertices: u64,
    polygon: &mut Vec<u32>,
    records: &mut impl Records,
) -> Result<(), Fault> {
    for (place, property) in element.properties.iter().enumerate() {
        match property.shape {
            Shape::List { count, item } if place == corners => {
                polygon.clear();
                let count = records.integer(count)?;
                if count < 3 {
                    return Err(records.fault(format!("it has {count} corners, but needs 3")));
                }
                for _ in 0..count {
                    let index = records.integer(item)?;
                    match u32::try_from(index) {
                        Ok(index) if u64::from(index) < vertices => polygon.push(index),
                        _ => {
                            let what =
                                format!("vertex {index} is out of range, there are {vertices}");
                            return Err(records.fault(what));
                        }
                    }
                }
            }
            shape => skip(shape, records)?,
        }
    }
    Ok(())
}

fn skip(shape: Shape, records: &mut impl Records) -> Result<(), Fault> {
    match shape {
        Shape::One(scalar) => records.skip(scalar, 1),
        Shape::List { count, item } => {
            let count = records.integer(count)?;
            let count = u64::try_from(count)
                .map_err(|_| records.fault(format!("a list has the length {count}")))?;
            records.skip(item, count)
        }
    }
}

/// The places of x, y and z among the properties of the vertices.
fn vertex_axes(element: &Element) -> Result<[usize; 3], Fault> {
    let wrong = |what| Err(Fault::in_line(element.line, what, CORRECT));
    if element.count >= u64::from(u32::MAX) {
        return wrong(format!(
            "{} vertices are more than can be indexed",
            element.count
        ));
    }
    let mut axes = [0; 3];
    for (axis, name) in axes.iter_mut().zip(["x", "y", "z"]) {
        match element.property(name) {
            Some(place) if matches!(element.properties[place].shape, Shape::One(_)) => {
                *axis = place
            }
            Some(_) => return wrong(format!("the property {name} of the vertices is a list")),
            None => return wrong(format!("the vertices have no property {name}")),
        }
    }
    Ok(axes)
}

/// The place of the corners' indices among the properties of the faces.
fn face_corners(element: &Element) -> Result<usize, Fault> {
    let place = element
        .property("vertex_indices")
        .or_else(|| element.property("vertex_index"));
    let what = match place.map(|place| (place, element.properties[place].shape)) {
        Some((place, Shape::List { item, .. })) if item.is_integer() => return Ok(place),
        Some(_) => "the faces' vertex indices are not a list of whole numbers",
        None => "the faces have no list `vertex_indices`",
    };
    Err(Fault::in_line(element.line, what, CORRECT))
}

/// Writes a binary little-endian PLY file of positions and triangles, in their order.
pub fn write_to(out: &mut impl Write, mesh: &TriangleMesh) -> io::Result<()> {
    // Signed indices are what most readers expect, as long as they can hold them.
    let index = if i32::try_from(mesh.positions.len()).is_ok() {
        "int"
    } else {
        "uint"
    };
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\ncomment written by fragstream\n\
         element vertex {}\nproperty float x\nproperty float y\nproperty float z\n\
         element face {}\nproperty list uchar {index} vertex_indices\nend_header\n",
        mesh.positions.len(),
        mesh.triangles.len()
    )?;
    for position in &mesh.positions {
        for coordinate in position {
            out.write_all(&coordinate.to_le_bytes())?;
        }
    }
    for triangle in &mesh.triangles {
        out.write_all(&[3])?;
        for index in triangle {
            out.write_all(&index.to_le_bytes())?;
        }
    }
    Ok(())
}
