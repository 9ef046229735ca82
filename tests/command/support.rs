//! What the tests of the command share.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use tempfile::TempDir;

/// The first line of a Matrix Market file.
pub const HEADER: &str = "%%MatrixMarket matrix coordinate real general\n";

/// A symmetric tridiagonal matrix of 2 and −1, n rows, times `scale`.
pub fn laplacian(n: usize, scale: f64) -> String {
    let mut text = format!("{HEADER}{n} {n} {}\n", 3 * n - 2);
    for i in 1..=n {
        text += &format!("{i} {i} {:e}\n", 2.0 * scale);
        if i < n {
            text += &format!("{i} {} {:e}\n{} {i} {:e}\n", i + 1, -scale, i + 1, -scale);
        }
    }
    text
}

/// The command with these arguments, separated by blanks, in this folder.
pub fn fragstream(folder: &TempDir, arguments: &str) -> Command {
    let mut command = cargo_bin_cmd!("fragstream");
    command.current_dir(folder);
    command.args(arguments.split_whitespace());
    command
}

/// A file in a new folder.
pub fn folder_with(name: &str, contents: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), contents).unwrap();
    folder
}

/// A bundled input.
pub fn bundled(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("figures/input")
        .join(name)
}

/// The names of all files in a folder, sorted.
pub fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What a command printed on standard output, having ended with 0 and nothing on standard error.
pub fn succeeds(command: &mut Command) -> String {
    let assert = command.assert().code(0).stderr("");
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// The one line that a command leaves on standard error, having ended with this exit code.
pub fn fails(command: &mut Command, code: i32) -> String {
    let assert = command.assert().code(code);
    let text = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    let line = text.strip_suffix('\n').unwrap_or(&text);
    assert!(
        line.starts_with("fragstream: ") && !line.contains('\n'),
        "not one line: {text:?}"
    );
    line.to_owned()
}

/// That a line says all of these.
pub fn assert_says(line: &str, parts: &[&str]) {
    for part in parts {
        assert!(line.contains(part), "no `{part}` in: {line}");
    }
}
