//! The texts of programs.

use super::StreamError;
use super::dialect::{self, Rule, Stage};

const PRELUDE: &str = include_str!("../../glsl/stream/prelude.glsl");
const VERTEX_PRELUDE: &str = include_str!("../../glsl/stream/vertex.glsl");

/// The text of a program, as it stands in `glsl/`.
#[derive(Debug, Clone, Copy)]
pub struct Source {
    /// `folder/file`, without the ending.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

impl Source {
    /// The whole fragment program that the driver sees: version, one `#define` a pair, prelude,
    /// text.
    pub fn assemble(&self, defines: &[(&str, &str)]) -> String {
        SourceText::from(self).assemble(defines)
    }
}

/// The text of a fragment program that is known at run time only: a user's file.
///
/// It is written as the files in `glsl/` are, but needs no header: `uniform stream x;` and
/// `fetch(x, here)`, constants as `uniform float`, `vec2`, …, and `result` for what comes out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserSource {
    name: String,
    text: String,
}

impl UserSource {
    /// A program that keeps the rules of 2003 ([`super::dialect`]). `name` is what messages call it:
    /// the path of its file.
    ///
    /// # Errors
    /// [`StreamError::Rules`] with the file and line of the first rule that is broken.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Result<Self, StreamError> {
        let (name, text) = (name.into(), text.into());
        let mut violations = dialect::violations(&name, &text, Stage::Fragment);
        violations.retain(|violation| violation.rule != Rule::Header);
        let more = violations.len().saturating_sub(1);
        match violations.into_iter().next() {
            Some(first) => Err(StreamError::Rules { first, more }),
            None => Ok(Self { name, text }),
        }
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The name and text of a program: what [`super::Machine::kernel`] makes a kernel of.
#[derive(Debug, Clone, Copy)]
pub struct SourceText<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
    /// Whether other programs may have the same name.
    is_user: bool,
}

impl<'a> From<&'a Source> for SourceText<'a> {
    fn from(source: &'a Source) -> Self {
        Self {
            name: source.name,
            text: source.text,
            is_user: false,
        }
    }
}

impl<'a> From<&'a UserSource> for SourceText<'a> {
    fn from(source: &'a UserSource) -> Self {
        Self {
            name: &source.name,
            text: &source.text,
            is_user: true,
        }
    }
}

impl SourceText<'_> {
    /// As [`Source::assemble`].
    pub(super) fn assemble(&self, defines: &[(&str, &str)]) -> String {
        format!("{}{}", head(defines, PRELUDE), self.text)
    }

    /// The same for the vertex program of rectangles.
    pub(super) fn assemble_vertex(&self, defines: &[(&str, &str)]) -> String {
        format!("{}{}", head(defines, VERTEX_PRELUDE), self.text)
    }

    /// The line of the text that a line of the assembled fragment program is.
    pub(super) fn line_of(&self, assembled: u32, defines: &[(&str, &str)]) -> u32 {
        assembled.saturating_sub(head(defines, PRELUDE).lines().count() as u32)
    }

    /// What tells it apart from all others, if its name does not.
    pub(super) fn distinction(&self) -> &str {
        if self.is_user { self.text } else { "" }
    }
}

/// What stands in front of a text. Lines in the driver's messages are those of the text.
fn head(defines: &[(&str, &str)], prelude: &str) -> String {
    let defines: String = defines
        .iter()
        .map(|(name, value)| format!("#define {name} {value}\n"))
        .collect();
    format!("#version 330 core\n{defines}{prelude}#line 1\n")
}
