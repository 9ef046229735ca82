//! Helpers of the command's tests.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use tempfile::TempDir;

/// The first line of a Matrix Market file.
pub const HEADER: &str = "%%MatrixMarket matrix coordinate real general\n";

/// A symmetric tridiagonal matrix of 2 and −1 with n rows, times `scale`.
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
    command.current_dir(folder).env_remove("COLUMNS");
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
    Path::new(env!("CARGO_MANIFEST_DIR")).join("figures/input").join(name)
}

/// The names of all files in a folder, sorted.
pub fn names(folder: impl AsRef<Path>) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Standard output of a command that ended with 0, and left nothing on standard error but reports of
/// written files.
pub fn succeeds(command: &mut Command) -> String {
    let assert = command.assert().code(0);
    let notes = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    for line in notes.lines() {
        let is_known =
            ["wrote ", "The machine was busy ", "after "].map(|start| line.starts_with(start));
        assert!(is_known.contains(&true), "{line}");
    }
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// The result of a command with `--json` that ended with this exit code. Standard output is one object with the
/// head that all commands have.
pub fn object(folder: &TempDir, arguments: &str, code: i32) -> Value {
    let mut command = fragstream(folder, &format!("{arguments} --json"));
    let assert = command.assert().code(code);
    result(&assert.get_output().stdout, arguments)
}

/// The result in the object of a command, whose head is checked.
pub fn result(output: &[u8], arguments: &str) -> Value {
    let mut object: Value = serde_json::from_slice(output).unwrap();
    let mut keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    // What made a result, of scenes and solves.
    keys.retain(|key| *key != "experiment");
    assert_eq!(keys, ["command", "version", "result"], "{arguments}");
    let name = object["command"].as_str().unwrap();
    assert!(!name.is_empty() && arguments.starts_with(name), "{name}: {arguments}");
    assert_eq!(object["version"], env!("CARGO_PKG_VERSION"));
    object["result"].take()
}

/// The settings in the object of a command that succeeded.
pub fn settings(folder: &TempDir, arguments: &str) -> Value {
    let assert = fragstream(folder, &format!("{arguments} --json")).assert().code(0);
    let mut object: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    object["experiment"]["settings"].take()
}

/// A number of an object, by its path.
pub fn number(object: &Value, path: &str) -> f64 {
    let value = object.pointer(path).and_then(Value::as_f64);
    value.unwrap_or_else(|| panic!("{path} in {object}"))
}

/// The message of a command that ended with this exit code.
pub fn fails(command: &mut Command, code: i32) -> String {
    let assert = command.assert().code(code);
    let text = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    let start = text.find("error: ");
    start.map_or_else(|| panic!("no error: {text:?}"), |start| text[start..].to_owned())
}

/// Checks that a text has all of these parts.
pub fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

/// Tests whether all calls that can fail, factors and widths are tried, and not the sample of each commit.
pub fn all_calls() -> bool {
    std::env::var_os("FRAGSTREAM_ALL_CALLS").is_some()
}
