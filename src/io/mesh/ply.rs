//! PLY, the Stanford polygon format: ASCII and binary, as scanners and modellers write it.
//!
//! The reader uses x, y, z of the element `vertex` and the list `vertex_indices` (or `vertex_index`) of the
//! element `face`, of any number type and in any order. It skips every other element and property (cameras,
//! colours, confidence, texture coordinates, lists). Polygons are split into triangles. Everything after the last
//! element is ignored.
//!
//! This is own code because the best maintained crate (ply-rs-bw 4.0) reports errors over several lines, and by
//! a line number even in binary data, for which a user needs the element and the byte.

use std::io::{self, Write};
use std::str::FromStr;

use super::contents::{Contents, Numbers};
use crate::io::error::{CORRECT, EXPORT, Fault, Place, RESTORE, quote};
use crate::io::reading::remark;
use crate::io::text::{Fields, Lines, number};
use crate::mesh::TriangleMesh;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Signed,
    Unsigned,
    Float,
}

/// The type of a number, and its bytes in a binary file.
#[derive(Clone, Copy, Debug)]
struct Scalar(Kind, usize);

impl Scalar {
    fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self(Kind::Signed, 1),
            b"uchar" | b"uint8" => Self(Kind::Unsigned, 1),
            b"short" | b"int16" => Self(Kind::Signed, 2),
            b"ushort" | b"uint16" => Self(Kind::Unsigned, 2),
            b"int" | b"int32" => Self(Kind::Signed, 4),
            b"uint" | b"uint32" => Self(Kind::Unsigned, 4),
            b"float" | b"float32" => Self(Kind::Float, 4),
            b"double" | b"float64" => Self(Kind::Float, 8),
            _ => return None,
        })
    }
}

/// A property of an element: a number, or a list if it has a count type.
struct Property {
    name: String,
    count: Option<Scalar>,
    item: Scalar,
}

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
    /// The line that declares it.
    line: usize,
}

impl Element {
    fn property(&self, name: &str) -> Option<usize> {
        self.properties.iter().position(|own| own.name == name)
    }

    fn wrong<T>(&self, what: impl Into<String>) -> Result<T, Fault> {
        Err(Fault::in_line(self.line, what, CORRECT))
    }

    /// The positions of x, y and z among the properties of the vertices.
    fn axes(&self) -> Result<[usize; 3], Fault> {
        let count = self.count;
        if count >= u64::from(u32::MAX) {
            return self.wrong(format!("{count} vertices are too many for 32-bit indices"));
        }
        let mut axes = [0; 3];
        for (axis, name) in axes.iter_mut().zip(["x", "y", "z"]) {
            *axis = match self.property(name) {
                Some(place) if self.properties[place].count.is_none() => place,
                Some(_) => {
                    return self.wrong(format!("the property {name} of the vertices is a list"));
                }
                None => return self.wrong(format!("the vertices have no property {name}")),
            };
        }
        Ok(axes)
    }

    /// The position of the corners' indices among the properties of the faces.
    fn corners(&self) -> Result<usize, Fault> {
        let place = self.property("vertex_indices").or_else(|| self.property("vertex_index"));
        match place.map(|place| (place, &self.properties[place])) {
            Some((place, list)) if list.count.is_some() && list.item.0 != Kind::Float => Ok(place),
            Some(_) => self.wrong("the faces' vertex indices are not a list of integers"),
            None => self.wrong("the faces have no list `vertex_indices`"),
        }
    }
}

/// Elements that are read, or do not change the triangles.
const HARMLESS: [&str; 5] = ["vertex", "face", "edge", "material", "camera"];

/// Reads a PLY file.
pub(super) fn read(bytes: &[u8], keep: bool) -> Result<Contents, Fault> {
    let (elements, mut body) = header(bytes)?;
    let element = |name: &str| {
        elements.iter().find(|element| element.name == name).ok_or_else(|| {
            let remedy = "give a PLY file of vertices and faces, not points or triangle strips";
            Fault::in_file(format!("the file has no element `{name}`"), remedy)
        })
    };
    let (vertex, face) = (element("vertex")?, element("face")?);
    let (axes, corners) = (vertex.axes()?, face.corners()?);
    let mut contents = Contents::new(bytes, keep);
    let mut polygon = Vec::new();
    for element in &elements {
        let name = element.name.as_str();
        if !HARMLESS.contains(&name) {
            remark(format!("not used: the element {}", name.escape_debug()));
        }
        for (place, property) in element.properties.iter().enumerate() {
            if !(name == "vertex" && axes.contains(&place) || name == "face" && place == corners) {
                contents.other(property.name.as_bytes());
            }
        }
        // Without properties an element has no data, whatever its count.
        let count = if element.properties.is_empty() { 0 } else { element.count };
        // No record takes fewer bytes than this, so a false count cannot claim much memory.
        let left = body.left();
        let plausible = usize::try_from(count).unwrap_or(left).min(left / 3);
        match name {
            "vertex" => contents.mesh.positions.reserve(plausible),
            "face" => contents.mesh.triangles.reserve(plausible),
            _ => {}
        }
        for index in 0..count {
            let mut position = [(0.0, &bytes[..0]); 3];
            let mut read = || {
                body.begin()?;
                for (place, property) in element.properties.iter().enumerate() {
                    let axis = axes.iter().position(|&axis| axis == place);
                    match (name, axis, property.count) {
                        ("vertex", Some(axis), _) => position[axis] = body.coordinate(property)?,
                        ("face", _, Some(count)) if place == corners => {
                            body.polygon(count, property.item, vertex.count, &mut polygon)?;
                        }
                        _ => body.skip(property)?,
                    }
                }
                body.end()
            };
            read().map_err(|fault| {
                let label = name.escape_debug();
                let what = format!("{label} {index} of {count}: {}", fault.what);
                Fault { what, ..fault }
            })?;
            match name {
                "vertex" => contents.vertex(position, |axis| {
                    let what = format!("{axis} is NaN, infinite or too large");
                    body.fault(format!("vertex {index} of {count}: {what}"))
                }),
                "face" => contents.face(&polygon, body.line()),
                _ => {}
            }
        }
    }
    if body.rest().iter().any(|byte| !byte.is_ascii_whitespace()) {
        remark("not used: what is behind the last element");
    }
    contents.numbers = match body {
        Body::Text { .. } => Numbers::Text,
        Body::Binary { is_big_endian, .. } => {
            let kinds = axes.map(|axis| vertex.properties[axis].item);
            if kinds.iter().all(|kind| kind.0 == Kind::Float) {
                Numbers::Binary { is_big_endian }
            } else {
                Numbers::Integers
            }
        }
    };
    Ok(contents.finished())
}

/// The elements in their order, and the body after the header.
fn header(bytes: &[u8]) -> Result<(Vec<Element>, Body<'_>), Fault> {
    let mut lines = Lines::new(bytes, 1, None);
    if lines.next().and_then(|mut first| first.next()) != Some(b"ply") {
        let what = "the file does not begin with the line `ply`";
        return Err(Fault::in_line(1, what, "give a PLY file"));
    }
    let mut format = None;
    let mut elements: Vec<Element> = Vec::new();
    loop {
        let mut fields = lines.need(|| "the header has no `end_header`".into(), "add it")?;
        match fields.next() {
            Some(b"format") => format = Some(parse_format(&mut fields)?),
            Some(b"element") => {
                let name = new_name(&mut fields, "element", &elements, |element| &element.name)?;
                elements.push(Element {
                    name,
                    count: fields.number("the number of elements")?,
                    properties: Vec::new(),
                    line: fields.line,
                });
            }
            Some(b"property") => match elements.last_mut() {
                Some(element) => element.properties.push(parse_property(&mut fields, element)?),
                None => return Err(fields.fault("a property precedes the first element")),
            },
            Some(b"comment" | b"obj_info") => {}
            Some(b"end_header") => {
                let none = || fields.fault("the header has no line `format`");
                let body = match format.ok_or_else(none)? {
                    Format::Ascii => Body::Text {
                        lines: Lines::new(lines.rest(), fields.line + 1, None),
                        fields: Fields::none(fields.line),
                    },
                    Format::Binary { is_big_endian } => {
                        Body::Binary { bytes, at: body_byte(bytes, lines.rest()), is_big_endian }
                    }
                };
                return Ok((elements, body));
            }
            keyword => {
                let keyword = quote(keyword.unwrap_or_default());
                return Err(fields.fault(format!("{keyword} is not a keyword of a PLY header")));
            }
        }
    }
}

/// The first byte after the header. If lines end with CR alone, a following LF is part of the binary data.
fn body_byte(bytes: &[u8], rest: &[u8]) -> usize {
    let at = bytes.len() - rest.len();
    let after = bytes.get(b"ply".len()..).unwrap_or_default();
    let is_cr_alone = after.starts_with(b"\r") && !after.starts_with(b"\r\n");
    at - usize::from(is_cr_alone && bytes[..at].ends_with(b"\r\n"))
}

enum Format {
    Ascii,
    Binary { is_big_endian: bool },
}

fn parse_format(fields: &mut Fields) -> Result<Format, Fault> {
    let [name, version] = [(); 2].map(|()| fields.next().unwrap_or_default());
    let format = match name {
        b"ascii" => Format::Ascii,
        b"binary_little_endian" => Format::Binary { is_big_endian: false },
        b"binary_big_endian" => Format::Binary { is_big_endian: true },
        other => return Err(fields.fault(format!("the format {} is unknown", quote(other)))),
    };
    match version {
        b"1.0" => Ok(format),
        other => Err(fields.fault(format!("the version is {}, not `1.0`", quote(other)))),
    }
}

fn parse_property(fields: &mut Fields, element: &Element) -> Result<Property, Fault> {
    let scalar = |fields: &Fields, name: &[u8]| {
        let unknown = || fields.fault(format!("the type {} is unknown", quote(name)));
        Scalar::named(name).ok_or_else(unknown)
    };
    let mut next = || fields.next().unwrap_or_default();
    let (count, item) = match next() {
        b"list" => (Some(next()), next()),
        item => (None, item),
    };
    let count = count.map(|name| scalar(fields, name)).transpose()?;
    if count.is_some_and(|count| count.0 == Kind::Float) {
        return Err(fields.fault("the count of a list must have an integer type"));
    }
    Ok(Property {
        count,
        item: scalar(fields, item)?,
        name: new_name(fields, "property", &element.properties, |own| &own.name)?,
    })
}

/// The next field as a name that does not exist yet.
fn new_name<T>(
    fields: &mut Fields,
    what: &str,
    known: &[T],
    name_of: impl Fn(&T) -> &str,
) -> Result<String, Fault> {
    let name = fields.next().ok_or_else(|| fields.fault("a name is missing"))?;
    let name = String::from_utf8_lossy(name).into_owned();
    if known.iter().any(|known| name_of(known) == name) {
        let name = quote(name.as_bytes());
        Err(fields.fault(format!("{what} {name} is declared twice")))
    } else {
        Ok(name)
    }
}

/// The body after the header. A record is one vertex, one face, or the like.
///
/// Faults give the position and the fault; the caller adds the record.
enum Body<'a> {
    /// One record per line.
    Text { lines: Lines<'a>, fields: Fields<'a> },
    /// Numbers without gaps, the next of which begins `at` this byte.
    Binary { bytes: &'a [u8], at: usize, is_big_endian: bool },
}

impl<'a> Body<'a> {
    /// Goes to the next record.
    fn begin(&mut self) -> Result<(), Fault> {
        let Self::Text { lines, fields } = self else {
            return Ok(());
        };
        let end = || Fault::in_line(fields.line, "the file ends after this line", RESTORE);
        *fields = lines.next().ok_or_else(end)?;
        Ok(())
    }

    /// Checks that the record holds nothing more.
    fn end(&mut self) -> Result<(), Fault> {
        match self {
            Self::Text { fields, .. } => fields.end(),
            Self::Binary { .. } => Ok(()),
        }
    }

    /// The next number of the record; in a binary file `binary` converts its bits.
    fn number<T: FromStr>(
        &mut self,
        scalar: Scalar,
        binary: impl FnOnce(u64) -> T,
    ) -> Result<T, Fault> {
        self.placed(scalar, binary).map(|(number, _)| number)
    }

    /// The next number of the record, and its bytes in the file.
    fn placed<T: FromStr>(
        &mut self,
        Scalar(_, size): Scalar,
        binary: impl FnOnce(u64) -> T,
    ) -> Result<(T, &'a [u8]), Fault> {
        match self {
            Self::Text { fields, .. } => {
                let field = fields
                    .next()
                    .ok_or_else(|| fields.fault("the line ends before its last value"))?;
                match number(field) {
                    Some(number) => Ok((number, field)),
                    None => {
                        let what = format!("{} is not a valid number here", quote(field));
                        Err(fields.fault(what))
                    }
                }
            }
            Self::Binary { bytes, at, is_big_endian } => {
                let own = bytes.get(*at..*at + size).ok_or_else(|| cut_off(bytes))?;
                *at += size;
                let more = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
                let bits = if *is_big_endian {
                    own.iter().fold(0, more)
                } else {
                    own.iter().rev().fold(0, more)
                };
                Ok((binary(bits), own))
            }
        }
    }

    fn integer(&mut self, scalar: Scalar) -> Result<i64, Fault> {
        self.number(scalar, |bits| integer(scalar, bits))
    }

    /// The next number as a coordinate and its bytes in the file.
    fn coordinate(&mut self, property: &Property) -> Result<(f64, &'a [u8]), Fault> {
        let scalar = property.item;
        self.placed(scalar, |bits| match scalar {
            Scalar(Kind::Float, 4) => f64::from(f32::from_bits(bits as u32)),
            Scalar(Kind::Float, _) => f64::from_bits(bits),
            scalar => integer(scalar, bits) as f64,
        })
    }

    /// The next list as corners of a face.
    fn polygon(
        &mut self,
        count: Scalar,
        item: Scalar,
        vertices: u64,
        polygon: &mut Vec<u32>,
    ) -> Result<(), Fault> {
        polygon.clear();
        let count = self.integer(count)?;
        if count < 0 {
            return Err(self.fault(format!("it has {count} corners")));
        }
        for _ in 0..count {
            let index = self.integer(item)?;
            match u32::try_from(index) {
                Ok(index) if u64::from(index) < vertices => polygon.push(index),
                _ => {
                    let what = format!("vertex {index} is out of range: there are {vertices}");
                    return Err(self.fault(what));
                }
            }
        }
        Ok(())
    }

    /// Skips the numbers of a property.
    fn skip(&mut self, property: &Property) -> Result<(), Fault> {
        let count = match property.count {
            Some(count) => self.integer(count)?,
            None => 1,
        };
        let wrong = |_| self.fault(format!("a list has the length {count}"));
        let count = usize::try_from(count).map_err(wrong)?;
        if let Self::Binary { bytes, at, .. } = self {
            let end = count.checked_mul(property.item.1).and_then(|size| at.checked_add(size));
            *at = end.filter(|&end| end <= bytes.len()).ok_or_else(|| cut_off(bytes))?;
            return Ok(());
        }
        // What is not used may be no number, such as `-1.#IND` for NaN.
        let Self::Text { fields, .. } = self else { return Ok(()) };
        match fields.by_ref().take(count).count() == count {
            true => Ok(()),
            false => Err(fields.fault("the line ends before its last value")),
        }
    }

    /// A fault at the present position.
    fn fault(&self, what: impl Into<String>) -> Fault {
        match self {
            Self::Text { fields, .. } => fields.fault(what),
            Self::Binary { at, .. } => Fault::new(Place::Byte(*at), what, EXPORT),
        }
    }

    /// The line of the record, or 0 in a binary file.
    fn line(&self) -> usize {
        match self {
            Self::Text { fields, .. } => fields.line,
            Self::Binary { .. } => 0,
        }
    }

    /// Number of remaining bytes, which limits the number of records.
    fn left(&self) -> usize {
        self.rest().len()
    }

    fn rest(&self) -> &[u8] {
        match self {
            Self::Text { lines, .. } => lines.rest(),
            Self::Binary { bytes, at, .. } => &bytes[*at..],
        }
    }
}

fn cut_off(bytes: &[u8]) -> Fault {
    Fault::new(Place::Byte(bytes.len()), "the file ends there", RESTORE)
}

/// The integer with these bits.
fn integer(Scalar(kind, size): Scalar, bits: u64) -> i64 {
    let unused = 64 - 8 * size;
    match kind {
        Kind::Signed => (bits << unused) as i64 >> unused,
        _ => bits as i64,
    }
}

/// Writes a binary little-endian PLY file of positions and triangles, in their order.
pub(super) fn write_to(out: &mut impl Write, mesh: &TriangleMesh) -> io::Result<()> {
    // Most readers expect signed indices, so they are used as long as they suffice.
    let index = match i32::try_from(mesh.positions.len()) {
        Ok(_) => "int",
        Err(_) => "uint",
    };
    let is_single = mesh.fits_single();
    let float = if is_single { "float" } else { "double" };
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\ncomment written by fragstream\n\
         element vertex {}\nproperty {float} x\nproperty {float} y\nproperty {float} z\n\
         element face {}\nproperty list uchar {index} vertex_indices\nend_header\n",
        mesh.positions.len(),
        mesh.triangles.len()
    )?;
    for coordinate in mesh.positions.as_flattened() {
        if is_single {
            out.write_all(&(*coordinate as f32).to_le_bytes())?;
        } else {
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
