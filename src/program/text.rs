//! The text of an assembled program: what is in front of it, and its own part.

/// Text in front of fragment programs.
pub(crate) const PRELUDE: &str = include_str!("../../glsl/stream/program/prelude.glsl");
/// Text in front of vertex programs of rectangles.
pub(crate) const VERTEX_PRELUDE: &str = include_str!("../../glsl/stream/program/vertex.glsl");

/// First and last line in front of the text of an assembled program.
pub(crate) const VERSION: &str = "#version 330 core\n";
pub(crate) const LINE: &str = "#line 1\n";

/// A program's text in which all blanks are those of GLSL: pages and word processors have others.
pub(crate) fn plain(text: &str) -> String {
    text.replace(|c: char| c == '\u{feff}' || c.is_whitespace() && !c.is_ascii(), " ")
}

/// The text of an assembled program without its defines and its prelude.
pub(crate) fn own_text(assembled: &str) -> &str {
    let parts = assembled.split_once(LINE).filter(|_| assembled.starts_with(VERSION));
    parts.map_or(assembled, |(_, own)| own)
}
