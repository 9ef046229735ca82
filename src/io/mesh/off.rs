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
use crate::io::reading::remark;
use crate::io::text::{Lines, Shortest, Words};
use crate::mesh::TriangleMesh;

/// Numbers of further values per vertex, of vertices and of faces.
type Counts = (usize, u32, u32);

/// Reads an OFF file.
pub(super) fn read(text: &[u8], keep: bool) -> Result<Contents, Fault> {
    let mut words = Words::new(Lines::new(text, 1, Some(b'#')));
    let mut empty = Contents::new(text, keep);
    let counts = head(&mut words, &mut empty)?;
    let attempt = |by_line| {
        let mut contents = empty.clone();
        let result = records(words.clone(), &mut contents, counts, by_line);
        let is_whole = result.is_ok() && contents.short.is_none();
        let understood = contents.mesh.positions.len() + contents.faces.count();
        ((is_whole, understood), result.map(|()| contents))
    };
    let mut best = attempt([true, true]);
    for by_line in [[false, true], [true, false], [false, false]] {
        // If all fail, the one that understood most has the reason.
        let is_whole = best.0.0;
        let next = if is_whole { break } else { attempt(by_line) };
        if next.0 > best.0 {
            best = next;
        }
    }
    best.1.map(Contents::finished)
}

/// Reads the keyword, after which some programs write the first number without a blank, and the numbers of vertices,
/// faces and edges. The last one is often wrong or missing.
fn head(words: &mut Words, contents: &mut Contents) -> Result<Counts, Fault> {
    let glued = words.filled().clone();
    let Some(keyword) = words.next() else {
        return Err(Fault::in_line(glued.line, "the file is empty", "give an OFF file"));
    };
    let letters = keyword.iter().position(u8::is_ascii_digit).unwrap_or(keyword.len());
    let variant = keyword[..letters].strip_suffix(b"OFF");
    let wrong = match variant {
        None => Some((
            format!("the file begins with {}, not `OFF`", quote(keyword)),
            "give an OFF file",
        )),
        Some(letters) if is_known(letters) => {
            let is_binary = words.fields.clone().next() == Some(b"BINARY");
            is_binary.then(|| ("the file is binary OFF".to_owned(), "convert it to text"))
        }
        Some(_) => {
            let keyword = quote(keyword);
            let what = format!("the variant {keyword} is not understood");
            Some((what, "convert it to plain OFF"))
        }
    };
    if let Some((what, remedy)) = wrong {
        return Err(Fault::in_line(glued.line, what, remedy));
    }
    let variant = variant.unwrap_or_default();
    if !variant.is_empty() {
        contents.other(keyword);
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
    // Texture coordinates, a colour with transparency, a normal.
    let of = |letter: u8, count| if variant.contains(&letter) { count } else { 0 };
    Ok((of(b'S', 2) + of(b'C', 4) + of(b'N', 3), vertices, faces))
}

/// Tests whether these are the letters of further values (C, N, ST), each at most once, in any order.
fn is_known(letters: &[u8]) -> bool {
    let once = |letter| letters.iter().filter(|&&own| own == letter).count() <= 1;
    let pairs = letters.windows(2).filter(|pair| pair == b"ST").count();
    letters.iter().all(|letter| b"CNST".contains(letter))
        && b"CNST".iter().all(|&letter| once(letter))
        && letters.iter().filter(|letter| b"ST".contains(letter)).count() == 2 * pairs
}

/// Reads all vertices and faces, each of which begins a line or not.
fn records(
    mut words: Words,
    contents: &mut Contents,
    (others, vertices, faces): Counts,
    [vertices_by_line, faces_by_line]: [bool; 2],
) -> Result<(), Fault> {
    // No vertex or face is shorter than six bytes, so a false count cannot claim much memory.
    let plausible = words.rest().len() / 6;
    contents.mesh.positions.reserve(plausible.min(vertices as usize));
    contents.mesh.triangles.reserve(plausible.min(faces as usize));
    // Goes to the next record, after the rest of the line if it begins one. Returns whether there was a rest.
    let begin = |words: &mut Words, is_line: bool, done: u32, all: u32, name: &str| {
        let is_skipped = is_line && words.skip_line();
        if words.filled().rest().is_empty() {
            let what = format!("the file ends after {done} of {all} {name}");
            return Err(Fault::in_line(words.fields.line, what, RESTORE));
        }
        Ok(is_skipped)
    };
    for vertex in 0..vertices {
        begin(&mut words, vertices_by_line, vertex, vertices, "vertices")?;
        let first = words.fields.line;
        let mut axis = |name| words.filled().placed(format_args!("vertex {vertex}: {name}"));
        let position = [axis("x")?, axis("y")?, axis("z")?];
        if !vertices_by_line {
            words.by_ref().take(others).for_each(drop);
        } else if words.fields.line > first && !words.fields.rest().is_empty() {
            let what = format!("vertex {vertex} goes on in a line that has more than its rest");
            return Err(words.fields.fault(what));
        }
        let name = |axis| format!("vertex {vertex}: {axis}");
        contents.vertex(position, |axis| words.fields.not_finite(name(axis)));
    }
    let mut corners = Vec::new();
    for face in 0..faces {
        // The rest of the last vertex is not a colour of a face.
        let is_line = if face > 0 { faces_by_line } else { vertices_by_line };
        if begin(&mut words, is_line, face, faces, "faces")? && face > 0 {
            contents.other(b"colours of faces");
        }
        let line = words.fields.line;
        corners.clear();
        let name = format_args!("face {face}: the number of corners");
        for _ in 0..words.fields.number::<u32>(name)? {
            let index = words.filled().number(format_args!("face {face}: a corner"))?;
            if index >= vertices {
                let what =
                    format!("face {face}: vertex {index} is out of range: there are {vertices}");
                return Err(words.fields.fault(what));
            }
            corners.push(index);
        }
        contents.face(&corners, line);
    }
    if faces_by_line && faces > 0 && words.skip_line() {
        contents.other(b"colours of faces");
    }
    let is_all = words.filled().rest().is_empty();
    if vertices_by_line && faces_by_line || is_all {
        if !is_all {
            remark("not used: the lines behind the faces");
        }
        return Ok(());
    }
    Err(words.fields.fault("there is more than the announced faces"))
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
