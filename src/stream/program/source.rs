//! The texts of programs.

use std::borrow::Cow;

const PRELUDE: &str = include_str!("../../../glsl/stream/program/prelude.glsl");
const VERTEX_PRELUDE: &str = include_str!("../../../glsl/stream/program/vertex.glsl");

/// A text that stands in front of a program: functions that several programs use, or one of the ways
/// in which a program can do a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Its path below `glsl/`, without the ending.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

/// The text of a program, as it stands in `glsl/`, with the parts in front of it. `source!` makes
/// one of a file's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its path below `glsl/`, without the ending.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
    /// What stands in front of it.
    pub parts: Cow<'static, [Part]>,
}

/// The program of a file in `glsl/`, by its name without the ending:
///
/// - `source!("bolz2003/sparse/spmv")` is `glsl/bolz2003/sparse/spmv.frag`;
/// - `source!("bolz2003/fluid/advect", with "bolz2003/fluid/bilinear")` has
///   `glsl/bolz2003/fluid/bilinear.glsl` in front of it;
/// - `source!(vertex "bolz2003/grid/stencil/neighbours")` is the vertex program of that name;
/// - `source!(part "goodnight2003/multigrid/condition")` is a [`Part`], for [`Source::with`].
///
/// [`Part`]: crate::stream::Part
/// [`Source::with`]: crate::stream::Source::with
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
        $crate::stream::Source::new($name, $crate::stream::source!(text $name, ".vert"), &[])
    };
    ($name:literal $(, with $($part:literal),+)?) => {
        $crate::stream::Source::new(
            $name,
            $crate::stream::source!(text $name, ".frag"),
            &[$($($crate::stream::source!(part $part)),+)?],
        )
    };
}
pub(crate) use source;

impl Source {
    /// A program with these parts in front of it.
    pub const fn new(name: &'static str, text: &'static str, parts: &'static [Part]) -> Self {
        Self {
            name,
            text,
            parts: Cow::Borrowed(parts),
        }
    }

    /// The same with more parts in front of all that it has.
    pub fn with(&self, front: impl IntoIterator<Item = Part>) -> Self {
        let parts = front.into_iter().chain(self.parts.iter().copied());
        Self {
            parts: parts.collect(),
            ..self.clone()
        }
    }

    /// What tells it from all others: its name, and those of its parts.
    pub fn label(&self) -> String {
        let parts: Vec<&str> = self
            .parts
            .iter()
            .map(|part| without_folders(part.name))
            .collect();
        match parts.is_empty() {
            true => self.name.to_owned(),
            false => format!("{} with {}", self.name, parts.join(", ")),
        }
    }

    /// The whole fragment program that the driver sees: version, one `#define` a pair, prelude,
    /// parts, text.
    pub fn assemble(&self, defines: &[(&str, &str)]) -> String {
        SourceText::from(self).assemble(defines)
    }
}

/// A name without its folders.
pub(super) fn without_folders(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The text of a fragment program that is known at run time only: a user's file.
///
/// It is written as the files in `glsl/` are, but needs no header: `uniform stream x;` and
/// `fetch(x, here)`, constants as `uniform float`, `vec2`, …, and `result` for what comes out.
/// `card::dialect::user_source` makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserSource {
    name: String,
    text: String,
}

impl UserSource {
    /// A program that has been found to keep the rules of 2003. `name` is what messages call it.
    pub(crate) fn checked(name: String, text: String) -> Self {
        Self { name, text }
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The label and text of a program: what [`crate::stream::Machine::kernel`] makes a kernel of.
#[derive(Debug, Clone)]
pub struct SourceText<'a> {
    pub(super) label: Cow<'a, str>,
    pub(super) text: Cow<'a, str>,
    /// Whether other programs may have the same label.
    is_user: bool,
}

impl<'a> From<&'a Source> for SourceText<'a> {
    fn from(source: &'a Source) -> Self {
        let parts = source.parts.iter().map(|part| part.text);
        Self {
            label: source.label().into(),
            text: match source.parts.is_empty() {
                true => source.text.into(),
                false => parts.chain([source.text]).collect::<String>().into(),
            },
            is_user: false,
        }
    }
}

impl<'a> From<&'a UserSource> for SourceText<'a> {
    fn from(source: &'a UserSource) -> Self {
        Self {
            label: source.name.as_str().into(),
            text: source.text.as_str().into(),
            is_user: true,
        }
    }
}

impl SourceText<'_> {
    /// As [`Source::assemble`].
    pub(super) fn assemble(&self, defines: &[(&str, &str)]) -> String {
        assembled(defines, PRELUDE, &self.text)
    }

    /// The same for the vertex program of rectangles.
    pub(super) fn assemble_vertex(&self, defines: &[(&str, &str)]) -> String {
        assembled(defines, VERTEX_PRELUDE, &self.text)
    }

    /// What tells it apart from all others, if its label does not.
    pub(in crate::stream) fn distinction(&self) -> &str {
        if self.is_user { &self.text } else { "" }
    }
}

/// A text with what stands in front of it. Lines in the driver's messages are those of the text. Of
/// extensions drivers want to hear before all else: they change places with empty lines.
fn assembled(defines: &[(&str, &str)], prelude: &str, text: &str) -> String {
    let is_extension = |line: &str| line.starts_with("#extension");
    let defines = defines
        .iter()
        .map(|(name, value)| format!("#define {name} {value}"));
    let (extensions, text): (Vec<&str>, Vec<&str>) = text
        .split('\n')
        .map(|line| {
            if is_extension(line) {
                (line, "")
            } else {
                ("", line)
            }
        })
        .unzip();
    let extensions = extensions.into_iter().filter(|line| is_extension(line));
    let head: String = extensions
        .map(str::to_owned)
        .chain(defines)
        .map(|line| line + "\n")
        .collect();
    format!(
        "#version 330 core\n{head}{prelude}#line 1\n{}",
        text.join("\n")
    )
}
