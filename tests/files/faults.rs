//! `faults.tsv`: for each fault of a file its reason and its remedy, which is then applied.
//!
//! A line `NAME <TAB> TEXT` is a file that can be read. A line `NAME <TAB> EDIT <TAB> MESSAGE` breaks it: `A => B` puts B in place
//! of the first A, `A =>|` cuts the file there, `=> B` is the file B, `as B` another name. The file that can be read is the one with the remedy
//! applied. `@NAME` is a file of `tests/cases`, and `#LAYER` behind a name a layer. `UNREACHED <TAB> TEXT` is a text of `src/io` that no
//! message here has: all others are reached, also by each word of each text replaced, and the text cut before it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fragstream::goodnight2003::scenes::heat::read_input;
use fragstream::io::hdr::read_layer;
use fragstream::io::matrix_market::{read_matrix, read_vector};
use fragstream::io::plane_mesh::read_plane_mesh;
use fragstream::io::raw::read_floats;
use fragstream::io::read_valid_mesh;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// The bytes of a text with the escapes `\n`, `\t`, `\\` and `\xff`, or of a file of `tests/cases`.
fn bytes_of(text: &str) -> Vec<u8> {
    if let Some(name) = text.strip_prefix('@') {
        return fs::read(root().join("tests/cases").join(name)).unwrap();
    }
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend(before.as_bytes());
        let (byte, length) = match after.as_bytes()[0] {
            b'n' => (b'\n', 1),
            b't' => (b'\t', 1),
            b'\\' => (b'\\', 1),
            _ => (u8::from_str_radix(&after[1..3], 16).unwrap(), 3),
        };
        bytes.push(byte);
        rest = &after[length..];
    }
    bytes.extend(rest.as_bytes());
    bytes
}

/// The file with an edit.
fn edited(file: &[u8], edit: &str) -> Vec<u8> {
    if let Some(other) = edit.strip_prefix("=> ") {
        return bytes_of(other);
    }
    let (from, is_cut, to) = match edit.strip_suffix(" =>|") {
        Some(from) => (from, true, ""),
        None => edit.split_once(" => ").map(|(from, to)| (from, false, to)).unwrap(),
    };
    let (from, to) = (bytes_of(from), bytes_of(to));
    let at = file.windows(from.len()).position(|part| part == from);
    let at = at.unwrap_or_else(|| panic!("{edit}: not in the file"));
    let after = if is_cut { &[][..] } else { &file[at + from.len()..] };
    [&file[..at], &to, after].concat()
}

/// Reads a file by its extension: the message without the name of the file, if it is refused.
fn read(name: &str, bytes: &[u8], files: &BTreeMap<&str, Vec<u8>>) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let (name, layer) =
        name.split_once('#').map_or((name, None), |(name, layer)| (name, Some(layer)));
    // A mesh of two files.
    for (other, bytes) in
        files.iter().filter(|(other, _)| other.ends_with(".prm") || other.ends_with(".tri"))
    {
        fs::write(folder.path().join(other), bytes).unwrap();
    }
    let mut path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    if name.ends_with("prm") {
        path.set_extension("tri");
    }
    fn of<T, E: ToString>(result: Result<T, E>) -> Option<String> {
        result.err().map(|error| error.to_string())
    }
    let message = match name.rsplit_once('.').unwrap().1 {
        "mtx" | "npz" | "gz" => of(read_matrix(&path)),
        "vec" => of(read_vector(&path)),
        "msh" | "tri" | "prm" | "mesh" => of(read_plane_mesh(&path)),
        "hdr" | "exr" => of(read_layer(&path, layer)),
        "toml" | "png" => of(read_input(&path)),
        "f32" => of(read_floats(&path, 2)),
        _ => of(read_valid_mesh(&path)),
    };
    let folder = format!("{}/", folder.path().display());
    message.map(|text| text.strip_prefix(&folder).unwrap_or(&text).to_owned())
}

/// Each word of a text replaced by one that is not a number, and the text cut before it.
fn damaged(text: &str) -> Vec<Vec<u8>> {
    let starts = text.match_indices(|c: char| !c.is_whitespace()).map(|(at, _)| at);
    let starts = starts.filter(|&at| at == 0 || text[..at].ends_with(char::is_whitespace));
    let both = |at: usize| {
        let end = text[at..].find(char::is_whitespace).map_or(text.len(), |length| at + length);
        [format!("{}x{}", &text[..at], &text[end..]), text[..at].to_owned()].map(String::into_bytes)
    };
    starts.flat_map(both).collect()
}

/// The texts of messages in `src/io`: its string literals of several words, in lower case.
fn literals() -> Vec<String> {
    let mut all = Vec::new();
    let mut folders = vec![root().join("src/io")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod").next().unwrap();
            let code = |line: &&str| {
                let line = line.trim_start();
                !["//", "#[", "#!["].iter().any(|start| line.starts_with(start))
            };
            let text = text.lines().filter(code).collect::<Vec<_>>().join("\n");
            // Quotes as characters and in literals go first.
            let text = text.replace("'\"'", "").replace("\\\\", "").replace("\\\"", "'");
            let literals = text.split('"').skip(1).step_by(2);
            let joined = literals.map(|one| {
                let lines = one.split("\\\n").map(str::trim_start);
                lines.collect::<String>().trim().to_lowercase()
            });
            all.extend(joined.filter(|one| one.contains(' ')));
        }
    }
    all
}

/// Tests whether one of the messages has the literal, with anything in place of `{…}`.
fn is_reached(literal: &str, messages: &[String]) -> bool {
    let mut pieces = Vec::new();
    let mut rest = literal;
    while let Some((piece, after)) = rest.split_once('{') {
        pieces.push(piece);
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    pieces.push(rest);
    messages.iter().any(|message| {
        let mut left = message.as_str();
        pieces.iter().all(|piece| match left.split_once(piece.trim()) {
            Some((_, after)) => {
                left = after;
                true
            }
            None => false,
        })
    })
}

#[test]
fn each_fault_has_its_reason_and_the_remedy_works() {
    let table = fs::read_to_string(root().join("tests/files/faults.tsv")).unwrap();
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
    let texts = rows.iter().filter(|row| row.len() == 2 && row[0] != "UNREACHED");
    let files: BTreeMap<&str, Vec<u8>> = texts.map(|row| (row[0], bytes_of(row[1]))).collect();
    let (mut wrong, mut messages) = (Vec::new(), Vec::new());
    for (name, file) in &files {
        if let Some(message) = read(name, file, &files) {
            wrong.push(format!("{name}: not read: {message}"));
        }
        let is_text = !file.starts_with(b"PK") && !name.ends_with("png") && !name.ends_with("gz");
        for damaged in str::from_utf8(file).ok().filter(|_| is_text).map_or(Vec::new(), damaged) {
            messages.extend(read(name, &damaged, &files));
        }
    }
    for row in rows.iter().filter(|row| row.len() == 3) {
        let &[name, edit, expected] = &row[..] else { unreachable!() };
        let file = &files[name];
        let (other, broken) = match edit.strip_prefix("as ") {
            Some(other) => (other, file.clone()),
            None => (name, edited(file, edit)),
        };
        let message = read(other, &broken, &files).unwrap_or_else(|| "it is read".to_owned());
        if !message.ends_with(expected) || expected.is_empty() {
            wrong.push(format!("{name}\t{edit}\t{message}"));
        }
        messages.push(message);
    }
    for message in &messages {
        let is_line = !message.contains(char::is_control) && message.ends_with(['.', ')']);
        if !is_line || message.len() > 600 {
            wrong.push(format!("not a line with a remedy: {message}"));
        }
    }
    let cases = fs::read_to_string(root().join("tests/cases/cases.tsv")).unwrap();
    messages.extend(cases.lines().map(str::to_owned));
    let messages: Vec<String> = messages.iter().map(|message| message.to_lowercase()).collect();
    let known: Vec<&str> =
        rows.iter().filter(|row| row[0] == "UNREACHED").map(|row| row[1]).collect();
    let all = literals();
    for literal in &all {
        let is_known = known.iter().any(|known| known.to_lowercase() == *literal);
        if is_reached(literal, &messages) == is_known {
            let what = if is_known { "reached" } else { "not reached" };
            wrong.push(format!("{what}: {literal}"));
        }
    }
    println!("{} texts of src/io, {} not reached", all.len(), known.len());
    assert!(wrong.is_empty(), "{}\n{} wrong", wrong.join("\n"), wrong.len());
}
