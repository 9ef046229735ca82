//! The texts of programs.

use std::borrow::Cow;

use super::Limits;
use crate::program::front::tokens;
use crate::program::{LINE, PRELUDE, VERSION, VERTEX_PRELUDE, own_text, plain};

/// A program: what identifies a kernel. Its texts are those that the driver sees, from `#version` on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramText {
    /// Name in messages and tables: that of its file, with the parts and defines of this variant. Several programs
    /// may have the same one.
    pub name: String,
    /// [`Source::name`].
    pub file: String,
    /// Vertex program, which positions the corners or points.
    pub vertex: String,
    /// Fragment program.
    pub fragment: String,
    /// True if it runs for points.
    pub for_points: bool,
    /// Limits of its card.
    pub limits: Limits,
}

impl ProgramText {
    /// Tests whether it is a variant of this program, whatever its parts and defines are.
    pub fn is_of(&self, program: &Source) -> bool {
        self.file == program.name()
    }

    /// The fragment program without its defines and its prelude.
    pub fn own(&self) -> &str {
        own_text(&self.fragment)
    }

    /// The fragment program with another text after its prelude.
    pub fn with_own(&self, own: &str) -> String {
        let head = self.fragment.strip_suffix(self.own());
        format!("{}{}", head.unwrap_or_default(), plain(own))
    }
}

/// The vertex program of rectangles, and that of points.
const RECTANGLE: &str = include_str!("../../../glsl/stream/program/rectangle.vert");
const POINTS: &str = include_str!("../../../glsl/stream/program/points.vert");

/// A text in front of a program: functions shared by several programs, or one of several implementations of a
/// step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Path below `glsl/`, without the extension.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

/// The text of a program, with the parts in front of it and the limits of its card: a file of `glsl/` (`source!`
/// takes its name), or a user's (`card::dialect::user_source`), which needs no header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    name: Cow<'static, str>,
    text: Cow<'static, str>,
    parts: Cow<'static, [Part]>,
    vertices: Vertices,
    limits: Limits,
    /// True for a program of this library.
    pub(in crate::stream) is_built_in: bool,
}

/// Geometry of a program, with its vertex program.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Vertices {
    /// Rectangles.
    Rectangles,
    /// Rectangles, with coordinates for the fragments.
    Own(Part),
    /// Points.
    Points,
}

/// The program of a file in `glsl/`, by its name without the extension. The module of its folder gives its
/// `LIMITS`.
///
/// - `source!(bolz2003, "sparse/spmv")` is `glsl/bolz2003/sparse/spmv.frag`;
/// - `source!(bolz2003, "fluid/advect", with "bolz2003/fluid/bilinear")` has
///   `glsl/bolz2003/fluid/bilinear.glsl` in front of it;
/// - `source!(part "goodnight2003/multigrid/condition")` is a [`Part`], for [`Source::with`];
/// - `source!(vertex "goodnight2003/multigrid/fast/nine")` is that of a vertex program, for
///   [`Source::with_vertices`].
///
/// [`Part`]: crate::stream::Part
/// [`Source::with`]: crate::stream::Source::with
/// [`Source::with_vertices`]: crate::stream::Source::with_vertices
macro_rules! source {
    (text $name:literal, $ending:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/glsl/", $name, $ending))
    };
    (part $name:literal) => {
        $crate::stream::Part {
            name: $name,
            text: $crate::stream::source!(text $name, ".glsl"),
        }
    };
    (vertex $name:literal) => {
        $crate::stream::Part {
            name: $name,
            text: $crate::stream::source!(text $name, ".vert"),
        }
    };
    ($folder:ident, $name:literal $(, with $($part:literal),+)?) => {
        $crate::stream::Source::built_in(
            concat!(stringify!($folder), "/", $name),
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"), "/glsl/", stringify!($folder), "/", $name, ".frag"
            )),
            &[$($($crate::stream::source!(part $part)),+)?],
            $crate::$folder::LIMITS,
        )
    };
}
pub(crate) use source;

/// Identity of a kernel of a built-in program: addresses of its texts, which never change, and its defines.
#[derive(PartialEq, Eq, Hash)]
pub(in crate::stream) struct Key {
    texts: Vec<(usize, usize)>,
    limits: Limits,
    defines: String,
}

impl Source {
    /// A program with these parts in front of it, for a card with these limits.
    pub const fn new(
        name: &'static str,
        text: &'static str,
        parts: &'static [Part],
        limits: Limits,
    ) -> Self {
        Self {
            name: Cow::Borrowed(name),
            text: Cow::Borrowed(text),
            parts: Cow::Borrowed(parts),
            vertices: Vertices::Rectangles,
            limits,
            is_built_in: false,
        }
    }

    /// A program of this library, which the tests have read.
    pub(crate) const fn built_in(
        name: &'static str,
        text: &'static str,
        parts: &'static [Part],
        limits: Limits,
    ) -> Self {
        let mut program = Self::new(name, text, parts, limits);
        program.is_built_in = true;
        program
    }

    /// A user's program that has passed the check of the rules of 2003. `name` identifies it in messages.
    pub(crate) fn checked(name: String, text: String, limits: Limits) -> Self {
        Self { name: name.into(), text: text.into(), ..Self::new("", "", &[], limits) }
    }

    /// Puts more parts in front of the present ones.
    pub fn with(&self, front: impl IntoIterator<Item = Part>) -> Self {
        let parts = front.into_iter().chain(self.parts.iter().copied());
        Self { parts: parts.collect(), ..self.clone() }
    }

    /// Adds a vertex program of its own (Goodnight et al. 2003, section 6). Outputs `out vec2
    /// NAME;` of the vertex program are interpolated and become inputs `in vec2 NAME;` of the fragment program,
    /// so that offsets of texture coordinates need no fragment instructions. There are eight such coordinates
    /// with up to four floats. `glsl/stream/program/vertex.glsl` documents the inputs of a vertex program. Its
    /// uniforms are set like those of the fragment program; a name in both is set once. Defines apply to both.
    pub fn with_vertices(&self, program: Part) -> Self {
        Self { vertices: Vertices::Own(program), ..self.clone() }
    }

    /// Draws points ([`crate::stream::Points`]).
    pub fn for_points(&self) -> Self {
        Self { vertices: Vertices::Points, ..self.clone() }
    }

    /// Name in messages: a path below `glsl/` without the extension, or that of a user's program.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Identifies the program among all files: its name, and those of its parts.
    pub fn label(&self) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|part| without_folders(part.name)).collect();
        if parts.is_empty() {
            self.name.to_string()
        } else {
            format!("{} with {}", self.name, parts.join(", "))
        }
    }

    /// Name of its kernel with these defines.
    fn variant(&self, defines: &[(&str, &str)]) -> String {
        let mut name = self.label();
        if let Vertices::Own(vertex) = &self.vertices {
            name += &format!(" with {}", without_folders(vertex.name));
        }
        for (define, value) in defines {
            name += &format!(" {define}={value}");
        }
        if self.vertices == Vertices::Points {
            name += " for points";
        }
        name
    }

    /// The key of its kernel with these defines, if its text is built in.
    pub(in crate::stream) fn key(&self, defines: &[(&str, &str)]) -> Option<Key> {
        let (Cow::Borrowed(name), Cow::Borrowed(text)) = (&self.name, &self.text) else {
            return None;
        };
        let vertices = match &self.vertices {
            Vertices::Rectangles => RECTANGLE,
            Vertices::Points => POINTS,
            Vertices::Own(vertex) => vertex.text,
        };
        let parts = self.parts.iter().map(|part| part.text);
        let texts = [*name, *text, vertices].into_iter().chain(parts);
        let texts = texts.map(|text| (text.as_ptr().addr(), text.len())).collect();
        let defines = defines.iter().flat_map(|(name, value)| [*name, " ", *value, "\n"]);
        Some(Key { texts, limits: self.limits, defines: defines.collect() })
    }

    /// The definition of its kernel with these defines.
    pub(in crate::stream) fn program(&self, defines: &[(&str, &str)]) -> ProgramText {
        ProgramText {
            name: self.variant(defines),
            file: self.name.to_string(),
            vertex: self.assemble_vertex(defines),
            fragment: self.assemble(defines),
            for_points: self.vertices == Vertices::Points,
            limits: self.limits,
        }
    }

    /// The whole fragment program that the driver sees: version, one `#define` per pair, prelude,
    /// parts, text.
    pub fn assemble(&self, defines: &[(&str, &str)]) -> String {
        assembled(defines, PRELUDE, &self.text())
    }

    /// Assembles the vertex program.
    fn assemble_vertex(&self, defines: &[(&str, &str)]) -> String {
        match &self.vertices {
            Vertices::Rectangles => assembled(&[], VERTEX_PRELUDE, RECTANGLE),
            Vertices::Own(vertex) => assembled(defines, VERTEX_PRELUDE, vertex.text),
            Vertices::Points => POINTS.to_owned(),
        }
    }

    fn text(&self) -> String {
        let parts = self.parts.iter().map(|part| part.text);
        parts.chain([&*self.text]).collect()
    }
}

fn without_folders(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// A text with its prelude. Line numbers in the driver's messages are those of the text. Drivers require
/// extensions before anything else, so their lines are swapped with empty ones.
fn assembled(defines: &[(&str, &str)], prelude: &str, text: &str) -> String {
    let extensions = extensions(text);
    let mut lines: Vec<&str> = text.split('\n').collect();
    let mut head = VERSION.to_owned();
    for number in &extensions {
        head += std::mem::take(&mut lines[number - 1]);
        head += "\n";
    }
    for (name, value) in defines {
        head += &format!("#define {name} {value}\n");
    }
    let moved = if extensions.is_empty() { Cow::from(text) } else { lines.join("\n").into() };
    format!("{head}{prelude}{LINE}{moved}")
}

/// Numbers of the lines, from 1, that hold an unconditional `#extension` and nothing else.
fn extensions(text: &str) -> Vec<usize> {
    const WORD: &str = "#extension";
    let (mut depth, mut found) = (0, Vec::new());
    // Most texts have none.
    let tokens = if text.contains(WORD) { tokens(text, 0) } else { return found };
    let lines: Vec<&str> = text.split('\n').collect();
    for line in tokens.unwrap_or_default().split(|token| token.is("\n")) {
        let [hash, word, ..] = line else { continue };
        let number = hash.place.0 as usize;
        let is_alone = |line: &&str| line.starts_with(WORD) && !line.contains("/*");
        match &*word.text {
            _ if !hash.is("#") => {}
            "if" | "ifdef" | "ifndef" => depth += 1,
            "endif" => depth -= 1,
            "extension" if depth == 0 && lines.get(number - 1).is_some_and(is_alone) => {
                found.push(number);
            }
            _ => {}
        }
    }
    found
}
