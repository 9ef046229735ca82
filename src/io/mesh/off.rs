//! OFF, Geomview's text format. Its variants with further values per vertex (COFF, NOFF, STOFF and their
//! combinations) are read, but these values are skipped, as are colours of faces and comments from `#` on.
//!
//! Polygons are split into triangles. The file is a stream of numbers, except that the colour of a face ends with its
//! line, and that many programs write colours of vertices without saying so. Vertices and faces are therefore first
//! taken to begin a line, whose rest is skipped; if this fails, to follow each other. Then everything after the last
//! face is ignored. No maintained crate reads the format.

use std::io::{self, Write};

use super::contents::Contents;
use crate::io::error::{Fault, RESTORE, quote};
use crate::io::text::{Lines, Shortest, Words};
use crate::mesh::TriangleMesh;

/// Reads an OFF file.
pub(super) fn read(text: &[u8], keep: bool) -> Result<Contents, Fault> {
    let mut words = Words::new(Lines::new(text, 1, Some(b'#')));
    let head = Head::parse(&mut words)?;
    let attempt = |by_line: [bool; 2]| {
        let mut contents = Contents::new(text, keep);
        head.variant.iter().for_each(|keyword| contents.other(keyword));
        let mut records = Records { head: &head, words: words.clone(), contents, count: 0 };
        let mut result = records.read(by_line);
        let is_stream = by_line != [true; 2];
        if is_stream && result.is_ok() && !records.words.filled().rest().is_empty() {
            result = Err(records.words.fields.fault("there is more than the announced faces"));
        }
        let Records { contents, count, .. } = records;
        (count, result.map(|()| contents))
    };
    let is_whole = |result: &Result<Contents, Fault>| {
        result.as_ref().is_ok_and(|contents| contents.short.is_none())
    };
    let mut best = attempt([true, true]);
    for by_line in [[false, true], [true, false], [false, false]] {
        if is_whole(&best.1) {
            break;
        }
        // If all fail, the one that understood most has the reason.
        let next = attempt(by_line);
        if is_whole(&next.1) || next.0 > best.0 {
            best = next;
        }
    }
    best.1.map(Contents::finished)
}

/// Contents of the first line or lines.
struct Head {
    /// The keyword, if it announces further values.
    variant: Option<Vec<u8>>,
    /// Number of further values per vertex.
    others: usize,
    vertices: u32,
    faces: u32,
}

impl Head {
    /// Reads the keyword, after which some programs write the first number without a blank, and the numbers of
    /// vertices, faces and edges. The last one is often wrong or missing.
    fn parse(words: &mut Words) -> Result<Self, Fault> {
        let fault = |words: &Words, what: String, remedy| {
            Err(Fault::in_line(words.fields.line, what, remedy))
        };
        let glued = words.filled().clone();
        let Some(keyword) = words.next() else {
            return fault(words, "the file is empty".into(), "give an OFF file");
        };
        let letters = keyword.iter().position(u8::is_ascii_digit).unwrap_or(keyword.len());
        let Some(variant) = keyword[..letters].strip_suffix(b"OFF") else {
            let what = format!("the file begins with {}, not `OFF`", quote(keyword));
            return fault(words, what, "give an OFF file");
        };
        if !matches!(variant, b"" | b"C" | b"N" | b"CN" | b"ST" | b"STC" | b"STN" | b"STCN") {
            let keyword = quote(keyword);
            let what = format!("the variant {keyword} does not have three-dimensional points");
            return fault(words, what, "convert it to plain OFF");
        }
        // Texture coordinates, a colour with transparency, a normal.
        let of = |letter: u8, count| if variant.contains(&letter) { count } else { 0 };
        let others = of(b'S', 2) + of(b'C', 4) + of(b'N', 3);
        if words.fields.clone().next() == Some(b"BINARY") {
            return fault(words, "the file is binary OFF".into(), "convert it to text");
        }
        if letters < keyword.len() {
            words.fields = glued.after(letters);
        }
        let vertices = words.filled().number("the number of vertices")?;
        let faces = words.filled().number("the number of faces")?;
        // The number of edges: in the same line, or alone in the next one.
        let mut next = words.clone();
        let is_same_line = !words.fields.rest().is_empty();
        if next.next().is_some() && (is_same_line || next.fields.rest().is_empty()) {
            *words = next;
        }
        let variant = (!variant.is_empty()).then(|| keyword.to_vec());
        Ok(Self { variant, others, vertices, faces })
    }
}

/// The vertices and faces while they are read.
struct Records<'a> {
    head: &'a Head,
    words: Words<'a>,
    contents: Contents,
    /// Number of records that were understood.
    count: u64,
}

impl Records<'_> {
    /// Reads all vertices and faces, each of which begins a line or not.
    fn read(&mut self, [vertices_by_line, faces_by_line]: [bool; 2]) -> Result<(), Fault> {
        let &Head { others, vertices, faces, .. } = self.head;
        // No vertex or face is shorter than six bytes, so a false count cannot claim much memory.
        let plausible = self.words.rest().len() / 6;
        self.contents.mesh.positions.reserve(plausible.min(vertices as usize));
        self.contents.mesh.triangles.reserve(plausible.min(faces as usize));
        for vertex in 0..vertices {
            self.begin(vertices_by_line, || format!("{vertex} of {vertices} vertices"))?;
            let first = self.words.fields.line;
            let mut axis =
                |name| self.words.filled().placed(format_args!("vertex {vertex}: {name}"));
            self.contents.vertex([axis("x")?, axis("y")?, axis("z")?]);
            if !vertices_by_line {
                self.words.by_ref().take(others).for_each(drop);
            } else if self.words.fields.line > first && !self.words.fields.rest().is_empty() {
                let what = format!("vertex {vertex} goes on in a line that has more than its rest");
                return Err(self.words.fields.fault(what));
            }
            self.count += 1;
        }
        let mut corners = Vec::new();
        for face in 0..faces {
            // The rest of the last vertex is not a colour of a face.
            let is_line = if face > 0 { faces_by_line } else { vertices_by_line };
            let is_coloured = self.begin(is_line, || format!("{face} of {faces} faces"))?;
            if is_coloured && face > 0 {
                self.contents.other(b"colours of faces");
            }
            let line = self.words.fields.line;
            corners.clear();
            let count: u32 =
                self.words.fields.number(format_args!("face {face}: the number of corners"))?;
            for _ in 0..count {
                let index = self.words.filled().number(format_args!("face {face}: a corner"))?;
                if index >= vertices {
                    let what = format!(
                        "face {face}: vertex {index} is out of range: there are {vertices}"
                    );
                    return Err(self.words.fields.fault(what));
                }
                corners.push(index);
            }
            self.contents.face(&corners, line);
            self.count += 1;
        }
        if faces_by_line && faces > 0 && self.words.skip_line() {
            self.contents.other(b"colours of faces");
        }
        Ok(())
    }

    /// Goes to the next record, after the rest of the line if it begins one. Returns whether there was a rest.
    fn begin(&mut self, is_line: bool, after: impl FnOnce() -> String) -> Result<bool, Fault> {
        let is_skipped = is_line && self.words.skip_line();
        if self.words.filled().rest().is_empty() {
            let what = format!("the file ends after {}", after());
            return Err(Fault::in_line(self.words.fields.line, what, RESTORE));
        }
        Ok(is_skipped)
    }
}

/// Writes an OFF file of positions and triangles, in their order.
pub(super) fn write_to(out: &mut impl Write, mesh: &TriangleMesh) -> io::Result<()> {
    writeln!(out, "OFF\n{} {} 0", mesh.positions.len(), mesh.triangles.len())?;
    for [x, y, z] in mesh.positions.iter().map(|p| p.map(Shortest)) {
        writeln!(out, "{x} {y} {z}")?;
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(out, "3 {a} {b} {c}")?;
    }
    Ok(())
}
