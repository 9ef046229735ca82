//! Scenes as TOML files.
//!
//! ```toml
//! size = [257, 193]           # columns and rows of nodes
//! extent = [4.0, 3.0]         # width and height
//! conductivity = 2.0
//! periodic = "x"              # or "y", "both"
//!
//! [[source]]
//! shape = "disc"              # centre, radius; "rectangle": from, to; "gaussian": centre, deviation
//! centre = [1.0, 1.0]
//! radius = 0.2
//! power = 5.0                 # in all; or density, an area
//!
//! [picture]
//! path = "chip.png"           # beside this file
//! white = 10.0                # heat an area of white
//!
//! [sides]                     # where nothing else is said
//! slope = 0.0                 # along the outward normal: no heat passes
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

use std::ops::Range;
use std::path::Path;

use toml::Spanned;

use crate::io::grey::read_grey;
use crate::io::toml_text::{line_of, parse_toml};
use crate::io::{Fault, InputError, Place, read_text};

use super::scene::ConditionParts;
use super::scene_tables::{Periodic, SceneTable, ShapeName, SideTable, SourceTable};
use super::{HeatSource, PictureSource, Piece, Scene, Shape, SideConditions, Strength};

/// Remedy for what is written wrongly.
const CORRECT: &str = "correct this line";

/// Reads a scene and the picture that it names, whose path is relative to the scene's folder.
pub fn read_scene(path: &Path) -> Result<Scene, InputError> {
    let text = read_text(path)?;
    let (mut scene, picture) = parse(&text).map_err(|fault| InputError::Malformed {
        path: path.to_path_buf(),
        fault,
    })?;
    if let Some((name, white)) = picture {
        let folder = path.parent().unwrap_or(Path::new(""));
        let grey = read_grey(&folder.join(name))?;
        scene.picture = Some(PictureSource { grey, white });
    }
    Ok(scene)
}

/// A scene from text that names no picture.
pub fn parse_scene(text: &str) -> Result<Scene, Fault> {
    match parse(text)? {
        (scene, None) => Ok(scene),
        (_, Some((name, _))) => Err(Fault {
            place: Place::File,
            what: format!("the picture {name} belongs to a file"),
            remedy: "give the scene as a file, beside which it is looked for",
        }),
    }
}

/// The scene, and the name and the white of its picture.
fn parse(text: &str) -> Result<(Scene, Option<(String, f64)>), Fault> {
    let file: SceneTable = parse_toml(text)?;
    let read = Reader { text };
    let [west, east] = [read.side(file.west)?, read.side(file.east)?];
    let [south, north] = [read.side(file.south)?, read.side(file.north)?];
    let mut sources = Vec::new();
    for (index, source) in file.source.iter().enumerate() {
        sources.push(read.source(index, source)?);
    }
    let picture = match file.picture {
        None => None,
        Some(picture) => {
            let white = read.finite(&picture.white)?;
            Some((picture.path, white))
        }
    };
    let scene = Scene {
        size: file.size.map(|[columns, rows]| (columns, rows)),
        extent: match file.extent {
            None => None,
            Some([width, height]) => Some([read.positive(&width)?, read.positive(&height)?]),
        },
        conductivity: match file.conductivity {
            None => 1.0,
            Some(conductivity) => read.positive(&conductivity)?,
        },
        periodic: match file.periodic {
            None => [false, false],
            Some(Periodic::X) => [true, false],
            Some(Periodic::Y) => [false, true],
            Some(Periodic::Both) => [true, true],
        },
        sources,
        picture: None,
        sides: [west, east, south, north],
        otherwise: read.side(file.sides)?,
    };
    Ok((scene, picture))
}

/// Turns tables into what they mean; faults name the line.
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
            SideTable::Several(pieces) => pieces
                .iter()
                .map(|piece| self.piece(&piece.span(), piece.get_ref()))
                .collect(),
        };
        pieces.map(SideConditions)
    }

    fn piece(&self, span: &Range<usize>, piece: &ConditionParts) -> Result<Piece, Fault> {
        let condition = piece.condition().map_err(|what| self.fault(span, what))?;
        let (from, to) = (
            piece.from.unwrap_or(f64::NEG_INFINITY),
            piece.to.unwrap_or(f64::INFINITY),
        );
        // NaN is not in order either.
        if from < to {
            return Ok(Piece {
                from,
                to,
                condition,
            });
        }
        let what = format!("the piece goes from {from} to {to}, which is nowhere");
        Err(self.fault(span, what))
    }

    fn source(&self, index: usize, table: &Spanned<SourceTable>) -> Result<HeatSource, Fault> {
        let (span, table) = (table.span(), table.get_ref());
        let fault = |what: &str| self.fault(&span, format!("source {}: {what}", index + 1));
        let SourceTable {
            from,
            to,
            centre,
            radius,
            deviation,
            ..
        } = *table;
        let shape = match (&table.shape, from, to, centre, radius, deviation) {
            (ShapeName::Rectangle, Some(from), Some(to), None, None, None) => {
                Shape::Rectangle { from, to }
            }
            (ShapeName::Disc, None, None, Some(centre), Some(radius), None) => {
                Shape::Disc { centre, radius }
            }
            (ShapeName::Gaussian, None, None, Some(centre), None, Some(deviation)) => {
                Shape::Gaussian { centre, deviation }
            }
            (ShapeName::Rectangle, ..) => {
                return Err(fault(
                    "a rectangle has from and to, its corners, and no more",
                ));
            }
            (ShapeName::Disc, ..) => {
                return Err(fault("a disc has centre and radius, and no more"));
            }
            (ShapeName::Gaussian, ..) => {
                return Err(fault("a gaussian has centre and deviation, and no more"));
            }
        };
        let strength = match (table.power, table.density) {
            (Some(power), None) => Strength::Power(power),
            (None, Some(density)) => Strength::Density(density),
            _ => return Err(fault("give its power or its density, and not both")),
        };
        let source = HeatSource {
            name: format!(
                "source {} (line {})",
                index + 1,
                line_of(self.text, span.start)
            ),
            shape,
            strength,
        };
        source.check().map_err(fault)?;
        Ok(source)
    }

    fn positive(&self, number: &Spanned<f64>) -> Result<f64, Fault> {
        match *number.get_ref() {
            value if value > 0.0 && value.is_finite() => Ok(value),
            value => Err(self.fault(
                &number.span(),
                format!("{value} is not above zero and finite"),
            )),
        }
    }

    fn finite(&self, number: &Spanned<f64>) -> Result<f64, Fault> {
        match *number.get_ref() {
            value if value.is_finite() => Ok(value),
            value => Err(self.fault(&number.span(), format!("{value} is not finite"))),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goodnight2003::{Condition, Side};

    /// The example of this file's documentation, its picture left out.
    fn example() -> String {
        let text = include_str!("scene_file.rs");
        let lines = text.lines().filter_map(|line| line.strip_prefix("//!"));
        let code = lines.skip_while(|line| !line.contains("```toml")).skip(1);
        let code = code.take_while(|line| !line.contains("```"));
        let lines: Vec<&str> = code.collect();
        let named = |line: &&&str| {
            !["[picture]", "path =", "white ="]
                .iter()
                .any(|p| line.contains(p))
        };
        lines
            .iter()
            .filter(named)
            .map(|line| format!("{line}\n"))
            .collect()
    }

    #[test]
    fn the_example_is_read_as_it_says() {
        let mut scene = parse_scene(&example()).unwrap();
        assert_eq!(scene.size, Some((257, 193)));
        assert_eq!(scene.extent, Some([4.0, 3.0]));
        assert_eq!(scene.conductivity, 2.0);
        assert_eq!(scene.periodic, [true, false]);
        let [source] = &scene.sources[..] else {
            panic!()
        };
        let (centre, radius) = ([1.0, 1.0], 0.2);
        assert_eq!(source.shape, Shape::Disc { centre, radius });
        assert_eq!(source.strength, Strength::Power(5.0));
        assert_eq!(
            *scene.side(Side::South),
            SideConditions::all(Condition::value(20.0))
        );
        let [north] = scene.side(Side::North).0[..] else {
            panic!()
        };
        assert_eq!(
            (north.from, north.to, north.condition.gamma),
            (0.0, 1.5, 150.0)
        );
        assert_eq!(scene.otherwise, SideConditions::all(Condition::slope(0.0)));
        assert!(scene.side(Side::West).0.is_empty());
    }

    #[test]
    fn faults_name_the_line() {
        let cases = [
            (
                "size = [9, 9]\n[nord]\nvalue = 1",
                "line 2: unknown field `nord`",
            ),
            (
                "[west]\nvalue = 1\nslop = 0",
                "line 3: unknown field `slop`",
            ),
            (
                "[[west]]\nvalue = 1\n[[west]]\nvalues = 0",
                "line 4: unknown field `values`",
            ),
            (
                "\n\n[west]\nvalue = 1\nslope = 0",
                "line 3: too much is given",
            ),
            ("[west]\nalpha = 1", "line 1: of alpha, beta and gamma"),
            (
                "[west]\nalpha = 0\nbeta = 0\ngamma = 1",
                "line 1: alpha and beta",
            ),
            ("[west]\n", "line 1: no condition is given"),
            (
                "[[west]]\nvalue = 1\n[[west]]\nvalue = nan",
                "line 3: a number is not",
            ),
            (
                "west = 3",
                "line 1: invalid type: integer `3`, expected a condition",
            ),
            (
                "[[east]]\nfrom = 2\nto = 1\nvalue = 0",
                "line 1: the piece goes from 2 to 1",
            ),
            ("size = [9]", "line 1: invalid length 1"),
            ("size = [9, -1]", "line 1: invalid value: integer `-1`"),
            ("extent = [1.0, inf]", "line 1: inf is not above zero"),
            ("conductivity = 0", "line 1: 0 is not above zero"),
            ("periodic = \"z\"", "line 1: unknown variant `z`"),
            ("size = [1, 2\n", "line 1: "),
            (
                "[[source]]\nshape = \"ball\"",
                "line 2: unknown variant `ball`",
            ),
            (
                "[[source]]\nshape = \"disc\"\ncentre = [1, 1]\npower = 1",
                "line 1: source 1: a disc has centre and radius",
            ),
            (
                "[[source]]\nshape = \"disc\"\ncentre = [1, 1]\nradius = 0\npower = 1",
                "line 1: source 1: the radius is not above zero",
            ),
            (
                "[[source]]\nshape = \"disc\"\ncentre = [1, 1]\nradius = 1",
                "line 1: source 1: give its power or its density",
            ),
            (
                "[[source]]\nshape = \"gaussian\"\ncentre = [1, nan]\ndeviation = 1\npower = 1",
                "line 1: source 1: a number is not finite",
            ),
            (
                "[[source]]\nshape = \"rectangle\"\nfrom = [1, 1]\nto = [0, 2]\npower = 1",
                "line 1: source 1: from is its south-west corner",
            ),
            (
                "[picture]\npath = \"a.png\"\nwhite = inf",
                "line 3: inf is not finite",
            ),
        ];
        for (text, expected) in cases {
            let fault = parse_scene(text).unwrap_err().to_string();
            assert!(fault.starts_with(expected), "{text:?}: {fault}");
            assert!(!fault.contains('\n') && fault.contains("; "), "{fault}");
        }
    }

    #[test]
    fn a_picture_is_looked_for_beside_the_scene() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        std::fs::write(&path, "[picture]\npath = \"a.png\"\nwhite = 3").unwrap();
        let missing = read_scene(&path).unwrap_err().to_string();
        assert!(missing.contains("a.png: cannot read"), "{missing}");
        let picture = image::GrayImage::from_pixel(3, 2, image::Luma([255]));
        picture.save(folder.path().join("a.png")).unwrap();
        let picture = read_scene(&path).unwrap().picture.unwrap();
        assert_eq!((picture.white, picture.grey.dimensions()), (3.0, (3, 2)));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_scene_or_a_fault(text in "(size|extent|west|[a-z]{1,4}|[\\[\\]=\"{}.,\n -]|[0-9]){0,20}") {
            let _ = parse_scene(&text);
        }
    }
}
