//! Scenes as TOML files.
//!
//! ```toml
//! size = [257, 193]           # columns and rows of nodes
//! extent = [4.0, 3.0]         # width and height
//! conductivity = 2.0
//! periodic = "x"              # or "y", "both"
//!
//! [[source]]
//! from = [1.0, 1.0]           # a rectangle, by two corners
//! to = [1.4, 1.2]
//! power = 5.0                 # in total; or density, per unit area
//!
//! [picture]
//! path = "chip.png"           # relative to this file
//! white = 10.0                # heat per unit area of a white pixel
//!
//! [sides]                     # all other parts of the sides
//! slope = 0.0                 # normal derivative: no heat passes
//!
//! [south]                     # west, east, south, north
//! value = 20.0                # a temperature
//!
//! [[north]]                   # a part of a side, from its west or south end; may be repeated
//! from = 0.0
//! to = 1.5
//! alpha = 10.0                # heat passes to air of 15 degrees: h (T - 15) = -k dT/dn
//! beta = 2.0
//! gamma = 150.0
//! ```

use std::fmt;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

use crate::io::grey::read_grey;
use crate::io::toml_text::{line_of, parse_toml};
use crate::io::{Fault, InputError, Place, read_text};

use super::scene::ConditionParts;
use super::{HeatSource, Periodic, PictureSource, Piece, Scene, SideConditions, Strength};

/// Remedy for invalid text.
const CORRECT: &str = "correct this line";

/// Reads a scene (.toml) and its picture, whose path is relative to the scene's folder; or a picture, whose grey levels
/// are heat sources.
pub fn read_input(path: &Path) -> Result<Scene, InputError> {
    if !path.extension().is_some_and(|end| end.eq_ignore_ascii_case("toml")) {
        let picture = Some(PictureSource { grey: read_grey(path)?, white: 1.0 });
        return Ok(Scene { picture, ..Scene::default() });
    }
    let text = read_text(path)?;
    let (mut scene, picture) =
        parse(&text).map_err(|fault| InputError::Malformed { path: path.to_path_buf(), fault })?;
    if let Some((name, white)) = picture {
        let folder = path.parent().unwrap_or(Path::new(""));
        let grey = read_grey(&folder.join(name))?;
        scene.picture = Some(PictureSource { grey, white });
    }
    Ok(scene)
}

/// Parses a scene without a picture.
/// A scene with a picture needs a folder.
pub fn parse_scene(text: &str) -> Result<Scene, Fault> {
    match parse(text)? {
        (scene, None) => Ok(scene),
        (_, Some((name, _))) => Err(Fault {
            place: Place::File,
            what: format!("the picture {name} belongs to a file"),
            remedy: "give the scene as a file in the picture's folder",
        }),
    }
}

/// Parses a scene, and the name and the white of its picture.
fn parse(text: &str) -> Result<(Scene, Option<(String, f64)>), Fault> {
    let file: SceneTable = parse_toml(text)?;
    let read = Reader { text };
    let [west, east] = [read.side(file.west)?, read.side(file.east)?];
    let [south, north] = [read.side(file.south)?, read.side(file.north)?];
    let sources = file.source.iter().enumerate();
    let sources = sources.map(|(index, source)| read.source(index, source));
    let picture = file.picture.map(|picture| -> Result<_, Fault> {
        let white = read.finite(&picture.white)?;
        Ok((picture.path, white))
    });
    let extent = file.extent.map(|[width, height]| -> Result<_, Fault> {
        Ok([read.positive(&width)?, read.positive(&height)?])
    });
    let conductivity = file.conductivity.map(|k| read.positive(&k));
    let scene = Scene {
        size: file.size.map(|[columns, rows]| (columns, rows)),
        extent: extent.transpose()?,
        conductivity: conductivity.unwrap_or(Ok(1.0))?,
        periodic: file.periodic.map_or([false; 2], Periodic::axes),
        sources: sources.collect::<Result<_, _>>()?,
        picture: None,
        sides: [west, east, south, north],
        otherwise: read.side(file.sides)?,
    };
    Ok((scene, picture.transpose()?))
}

/// Converts tables to their meaning; faults give the line.
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn side(&self, side: Option<Spanned<SideTable>>) -> Result<SideConditions, Fault> {
        let Some(side) = side else {
            return Ok(SideConditions::default());
        };
        let span = side.span();
        let pieces: Result<_, _> = match side.into_inner() {
            SideTable::One(piece) => self.piece(&span, &piece).map(|piece| vec![piece]),
            SideTable::Several(pieces) => {
                pieces.iter().map(|piece| self.piece(&piece.span(), piece.get_ref())).collect()
            }
        };
        pieces.map(SideConditions)
    }

    fn piece(&self, span: &Range<usize>, piece: &ConditionParts) -> Result<Piece, Fault> {
        let condition = piece.condition().map_err(|what| self.fault(span, what))?;
        let from = piece.from.unwrap_or(f64::NEG_INFINITY);
        let to = piece.to.unwrap_or(f64::INFINITY);
        // NaN is not in order either.
        if from < to {
            return Ok(Piece { from, to, condition });
        }
        let what = format!("the piece goes from {from} to {to} and is empty");
        Err(self.fault(span, what))
    }

    fn source(&self, index: usize, table: &Spanned<SourceTable>) -> Result<HeatSource, Fault> {
        let (span, table) = (table.span(), table.get_ref());
        let fault = |what: &str| self.fault(&span, format!("source {}: {what}", index + 1));
        let strength = match (table.power, table.density) {
            (Some(power), None) => Strength::Power(power),
            (None, Some(density)) => Strength::Density(density),
            _ => return Err(fault("it needs either a power or a density")),
        };
        let line = line_of(self.text, span.start);
        let source = HeatSource {
            name: format!("source {} (line {line})", index + 1),
            from: table.from,
            to: table.to,
            strength,
        };
        source.check().map_err(fault)?;
        Ok(source)
    }

    fn positive(&self, number: &Spanned<f64>) -> Result<f64, Fault> {
        match *number.get_ref() {
            value if value > 0.0 && (value as f32).is_finite() => Ok(value),
            value => {
                let what = format!("{value} is not above zero and finite in single precision");
                Err(self.fault(&number.span(), what))
            }
        }
    }

    fn finite(&self, number: &Spanned<f64>) -> Result<f64, Fault> {
        match *number.get_ref() {
            value if (value as f32).is_finite() => Ok(value),
            value => {
                let what = format!("{value} is not finite in single precision");
                Err(self.fault(&number.span(), what))
            }
        }
    }

    fn fault(&self, span: &Range<usize>, what: impl Into<String>) -> Fault {
        Fault {
            place: Place::Line(line_of(self.text, span.start)),
            what: what.into(),
            remedy: CORRECT,
        }
    }
}

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SceneTable {
    size: Option<[u32; 2]>,
    extent: Option<[Spanned<f64>; 2]>,
    conductivity: Option<Spanned<f64>>,
    periodic: Option<Periodic>,
    #[serde(default)]
    source: Vec<Spanned<SourceTable>>,
    picture: Option<PictureTable>,
    west: Option<Spanned<SideTable>>,
    east: Option<Spanned<SideTable>>,
    south: Option<Spanned<SideTable>>,
    north: Option<Spanned<SideTable>>,
    sides: Option<Spanned<SideTable>>,
}

/// `[[source]]`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceTable {
    from: [f64; 2],
    to: [f64; 2],
    power: Option<f64>,
    density: Option<f64>,
}

/// `[picture]`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PictureTable {
    path: String,
    white: Spanned<f64>,
}

/// `[west]`, or `[[west]]` several times.
enum SideTable {
    One(ConditionParts),
    Several(Vec<Spanned<ConditionParts>>),
}

impl<'de> Deserialize<'de> for SideTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = SideTable;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a condition, or a list of conditions on parts of the side")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<SideTable, A::Error> {
                ConditionParts::deserialize(MapAccessDeserializer::new(map)).map(SideTable::One)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<SideTable, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(SideTable::Several)
            }
        }

        deserializer.deserialize_any(Either)
    }
}
