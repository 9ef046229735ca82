//! The texts of programs.

use std::borrow::Cow;

use super::{Limits, ProgramText};

const PRELUDE: &str = include_str!("../../../glsl/stream/program/prelude.glsl");
const VERTEX_PRELUDE: &str = include_str!("../../../glsl/stream/program/vertex.glsl");
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
        $crate::stream::Source::new(
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
        }
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

    /// The definition of its kernel with these defines.
    pub(in crate::stream) fn program(&self, defines: &[(&str, &str)]) -> ProgramText {
        ProgramText {
            name: self.variant(defines),
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

/// A name without its folders.
fn without_folders(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// A text with its prelude. Line numbers in the driver's messages are those of the text. Drivers require
/// extensions before anything else, so their lines are swapped with empty ones.
fn assembled(defines: &[(&str, &str)], prelude: &str, text: &str) -> String {
    let is_extension = |line: &str| line.starts_with("#extension");
    let defines = defines.iter().map(|(name, value)| format!("#define {name} {value}"));
    let (extensions, text): (Vec<&str>, Vec<&str>) = text
        .split('\n')
        .map(|line| if is_extension(line) { (line, "") } else { ("", line) })
        .unzip();
    let extensions = extensions.into_iter().filter(|line| is_extension(line));
    let head: String =
        extensions.map(str::to_owned).chain(defines).map(|line| line + "\n").collect();
    format!("#version 330 core\n{head}{prelude}#line 1\n{}", text.join("\n"))
}
