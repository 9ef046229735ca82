//! Records the commit that the crate is built from as `FRAGSTREAM_COMMIT`, for `reproduce` and `info`, lists the texts
//! below `glsl/`, for `listing`, and takes the library out of the live page, for the course's page.

// The result is cargo's own.
#![allow(clippy::disallowed_methods)]

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const LIVE: &str = "figures/course/live.html";

fn main() {
    for path in ["build.rs", "Cargo.toml", "Cargo.lock", LIVE, "glsl", "src"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let folder = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let write = |name, text: &str| {
        std::fs::write(Path::new(&folder).join(name), text).expect("OUT_DIR can be written");
    };
    write("texts.rs", &format!("&[\n{}]\n", texts(Path::new("glsl"))));
    let is_web = std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm");
    write("library.html", &if is_web { String::new() } else { library() });
    // A package may be in a checkout of something else.
    let commit = of_package().or_else(of_checkout);
    let commit = commit.as_deref().unwrap_or("unknown");
    println!("cargo::rustc-env=FRAGSTREAM_COMMIT={commit}");
    let compiler = std::env::var("RUSTC").ok().and_then(|rustc| {
        let output = Command::new(rustc).arg("--version").output().ok()?;
        String::from_utf8(output.stdout).ok()
    });
    let compiler = compiler.unwrap_or_default();
    println!("cargo::rustc-env=FRAGSTREAM_COMPILER={}", compiler.trim());
}

/// The elements of the live page with the library as WebAssembly and with the script that starts it.
fn library() -> String {
    let page = std::fs::read_to_string(LIVE).expect("the live page can be read");
    let begin = page.find("<script type=\"application/octet-stream\" id=\"wasm\">");
    let elements = &page[begin.expect("the live page has the library")..];
    let end = "</script>";
    elements.split_inclusive(end).take(2).collect()
}

/// Returns, as Rust, the path below `glsl/` and the text of each file in a folder.
fn texts(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder).expect("glsl/ can be read");
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let mut list = String::new();
    for path in paths {
        if path.is_dir() {
            list += &texts(&path);
        } else if let Ok(name) = path.strip_prefix("glsl") {
            let file = format!("/{}", path.display());
            let text = format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {file:?}))");
            _ = writeln!(list, "    ({:?}, {text}),", name.display().to_string());
        }
    }
    list
}

/// The commit of a checkout, with `-dirty` if a tracked file differs from it.
fn of_checkout() -> Option<String> {
    // A folder without `.git` may be in another project's checkout.
    if !Path::new(".git").exists() {
        return None;
    }
    // The log of HEAD grows with every commit, checkout, merge and reset.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["describe", "--always", "--dirty"])
}

/// The commit that `cargo package` writes into the package, with `-dirty` if tracked files differed from it.
fn of_package() -> Option<String> {
    let note = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, commit) = note.split_once("\"sha1\": \"")?;
    let dirty = if note.contains("\"dirty\": true") { "-dirty" } else { "" };
    Some(format!("{}{dirty}", commit.get(..8)?))
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
