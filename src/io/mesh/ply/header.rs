//! The header of a PLY file: which elements follow, in which encoding.

use crate::io::error::{Fault, quote};
use crate::io::text::{Fields, Lines};

/// How the elements are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Int8,
    Uint8,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Float32,
    Float64,
}

impl Scalar {
    fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::Int8,
            b"uchar" | b"uint8" => Self::Uint8,
            b"short" | b"int16" => Self::Int16,
            b"ushort" | b"uint16" => Self::Uint16,
            b"int" | b"int32" => Self::Int32,
            b"uint" | b"uint32" => Self::Uint32,
            b"float" | b"float32" => Self::Float32,
            b"double" | b"float64" => Self::Float64,
            _ => return None,
        })
    }

    /// Bytes in a binary file.
    pub fn size(self) -> usize {
        match self {
            Self::Int8 | Self::Uint8 => 1,
            Self::Int16 | Self::Uint16 => 2,
            Self::Int32 | Self::Uint32 | Self::Float32 => 4,
            Self::Float64 => 8,
        }
    }

    pub fn is_integer(self) -> bool {
        !matches!(self, Self::Float32 | Self::Float64)
    }
}

/// What a property holds: one number, or a count and as many numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    One(Scalar),
    List { count: Scalar, item: Scalar },
}

#[derive(Debug)]
pub struct Property {
    pub name: String,
    pub shape: Shape,
}

#[derive(Debug)]
pub struct Element {
    pub name: String,
    pub count: u64,
    pub properties: Vec<Property>,
    /// The line that declares it.
    pub line: usize,
}

impl Element {
    /// The name for a message of one line.
    pub fn label(&self) -> String {
        self.name.escape_debug().to_string()
    }

    /// The place of a property among the element's.
    pub fn property(&self, name: &str) -> Option<usize> {
        self.properties
            .iter()
            .position(|property| property.name == name)
    }
}

#[derive(Debug)]
pub struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// Number of the first line after the header.
    pub body_line: usize,
    /// First byte after the header.
    pub body_byte: usize,
}

impl Header {
    pub fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let mut lines = Lines::new(bytes, 1, None);
        if lines.next().and_then(|mut first| first.next()) != Some(b"ply") {
            let what = "the file does not begin with the line `ply`";
            return Err(Fault::in_line(1, what, "give a PLY file"));
        }
        let mut encoding = None;
        let mut elements = Vec::new();
        loop {
            let mut fields = lines.demand(|| "the header has no `end_header`".into())?;
            match fields.next() {
                Some(b"format") => encoding = Some(parse_format(&mut fields)?),
                Some(b"element") => elements.push(parse_element(&mut fields, &elements)?),
                Some(b"property") => parse_property(&mut fields, elements.last_mut())?,
                Some(b"comment" | b"obj_info") => {}
                Some(b"end_header") => {
                    let encoding =
                        encoding.ok_or_else(|| fields.fault("the header has no line `format`"))?;
                    let body_byte = bytes.len() - body(bytes, lines.rest()).len();
                    return Ok(Self {
                        encoding,
                        elements,
                        body_line: fields.line + 1,
                        body_byte,
                    });
                }
                keyword => {
                    let what = format!(
                        "{} is no keyword of a PLY header",
                        quote(keyword.unwrap_or_default())
                    );
                    return Err(fields.fault(what));
                }
            }
        }
    }

    /// The element of that name, which the file must have.
    pub fn element(&self, name: &str) -> Result<&Element, Fault> {
        self.elements
            .iter()
            .find(|element| element.name == name)
            .ok_or_else(|| {
                Fault::in_file(
                    format!("the file has no element `{name}`"),
                    "give a PLY file of vertices and faces, not points or triangle strips",
                )
            })
    }
}

/// What follows the header. If lines end with CR alone, a first LF belongs to the binary data.
fn body<'a>(bytes: &'a [u8], rest: &'a [u8]) -> &'a [u8] {
    let header = &bytes[..bytes.len() - rest.len()];
    let cr_alone = bytes
        .get(b"ply".len()..)
        .is_some_and(|b| b.starts_with(b"\r") && !b.starts_with(b"\r\n"));
    if cr_alone && header.ends_with(b"\r\n") {
        &bytes[header.len() - 1..]
    } else {
        rest
    }
}

fn parse_format(fields: &mut Fields) -> Result<Encoding, Fault> {
    let encoding = match fields.next() {
        Some(b"ascii") => Encoding::Ascii,
        Some(b"binary_little_endian") => Encoding::LittleEndian,
        Some(b"binary_big_endian") => Encoding::BigEndian,
        other => {
            let what = format!("the format {} is unknown", quote(other.unwrap_or_default()));
            return Err(fields.fault(what));
        }
    };
    match fields.next() {
        Some(b"1.0") => Ok(encoding),
        other => Err(fields.fault(format!(
            "the version is {}, not `1.0`",
            quote(other.unwrap_or_default())
        ))),
    }
}

fn parse_element(fields: &mut Fields, earlier: &[Element]) -> Result<Element, Fault> {
    let name = parse_name(fields)?;
    if earlier.iter().any(|element| element.name == name) {
        return Err(fields.fault(format!(
            "element {} is declared twice",
            quote(name.as_bytes())
        )));
    }
    let count = fields.number("the number of elements")?;
    Ok(Element {
        name,
        count,
        properties: Vec::new(),
        line: fields.line,
    })
}

fn parse_property(fields: &mut Fields, element: Option<&mut Element>) -> Result<(), Fault> {
    let element = element.ok_or_else(|| fields.fault("a property stands before any element"))?;
    let scalar = |fields: &mut Fields| {
        let name = fields.next().unwrap_or_default();
        Scalar::named(name)
            .ok_or_else(|| fields.fault(format!("the type {} is unknown", quote(name))))
    };
    let mut ahead = fields.clone();
    let shape = if ahead.next() == Some(b"list") {
        *fields = ahead;
        let (count, item) = (scalar(fields)?, scalar(fields)?);
        if !count.is_integer() {
            return Err(fields.fault("the count of a list must be of a whole-number type"));
        }
        Shape::List { count, item }
    } else {
        Shape::One(scalar(fields)?)
    };
    let name = parse_name(fields)?;
    if element.property(&name).is_some() {
        return Err(fields.fault(format!(
            "property {} is declared twice",
            quote(name.as_bytes())
        )));
    }
    element.properties.push(Property { name, shape });
    Ok(())
}

fn parse_name(fields: &mut Fields) -> Result<String, Fault> {
    let name = fields
        .next()
        .ok_or_else(|| fields.fault("a name is missing"))?;
    Ok(String::from_utf8_lossy(name).into_owned())
}
