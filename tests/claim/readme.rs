//! What README.md and the other pages promise is there.

use std::fs;
use std::path::{Path, PathBuf};

use fragstream::card::dialect::exceptions;
use fragstream::command::grammar;

/// The front page takes a minute.
const MOST_LINES: usize = 220;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Checks that this is the project as it is kept, and not a package, which leaves most pictures out.
pub fn is_whole() -> bool {
    root().join(".ci").is_dir()
}

/// Every README.md, relative to the root, with its text.
fn pages() -> Vec<(PathBuf, String)> {
    let mut pages = vec![PathBuf::from("README.md")];
    for folder in ["figures", "glsl", "tests"] {
        let found = files(&root().join(folder)).into_iter();
        let readmes = found.filter(|file| file.ends_with("README.md"));
        pages.extend(readmes.map(|file| below_root(&file).to_owned()));
    }
    let read = |page: PathBuf| {
        let text = fs::read_to_string(root().join(&page)).expect("a page");
        (page, text)
    };
    pages.into_iter().map(read).collect()
}

pub fn below_root(path: &Path) -> &Path {
    path.strip_prefix(root()).expect("below the root")
}

pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        })
        .collect()
}

/// What a page links to or shows, as written there, but for addresses and places within the page.
fn links(page: &str) -> Vec<&str> {
    let markdown = page.split("](").skip(1);
    let markdown = markdown.filter_map(|rest| rest.split(')').next());
    let html = ["src=\"", "href=\""].into_iter();
    let html = html.flat_map(|mark| page.split(mark).skip(1));
    let html = html.filter_map(|rest| rest.split('"').next());
    let all = markdown.chain(html);
    let files = all.filter(|target| !target.contains("://") && !target.starts_with('#'));
    files.map(|target| target.split('#').next().unwrap_or(target)).collect()
}

#[test]
fn the_front_page_is_short() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let lines = readme.lines().count();
    assert!(lines <= MOST_LINES, "{lines} lines, {MOST_LINES} at most");
}

#[test]
fn every_link_of_a_page_leads_somewhere() {
    for (page, text) in pages() {
        let folder = root().join(page.parent().expect("a folder"));
        for target in links(&text) {
            let name = page.display();
            let is_picture = target.ends_with(".png") || target.ends_with(".gif");
            let is_left_out = is_picture && !is_whole();
            assert!(is_left_out || folder.join(target).exists(), "{name}: no {target}");
        }
    }
}

#[test]
fn what_the_front_page_shows_is_in_the_package() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    for target in links(&readme) {
        let kept = manifest.contains(&format!("\"!/{target}\""));
        assert!(kept || !target.ends_with(".png"), "{target} is excluded");
    }
}

/// A command line of a page, and whether it is to run as it stands.
struct Line {
    page: String,
    text: String,
    runs: bool,
}

/// The lines of blocks that start with the program's name, and the commands within the text of README.md. What is
/// in blocks of `sh`, and what README.md says, runs as it stands.
fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for (page, text) in pages() {
        let is_front = page == Path::new("README.md");
        let mut block: Option<&str> = None;
        for line in text.lines() {
            if let Some(language) = line.strip_prefix("```") {
                block = if block.is_some() { None } else { Some(language) };
                continue;
            }
            let commands: Vec<&str> = match block {
                Some(_) => vec![line],
                None => line.split('`').skip(1).step_by(2).collect(),
            };
            for command in commands {
                // A remark, and alternatives that are set off by wide space.
                let command = command.split('#').next().unwrap_or(command);
                let command = command.split("   ").next().unwrap_or(command).trim();
                let is_line = command == "fragstream" || command.starts_with("fragstream ");
                let is_pattern = command.contains(['[', '…']) || command.contains("COMMAND");
                let is_meant = block.is_some() || is_front;
                if is_line && is_meant && !is_pattern {
                    lines.push(Line {
                        page: page.display().to_string(),
                        text: command.to_owned(),
                        runs: is_front || block == Some("sh"),
                    });
                }
            }
        }
    }
    lines
}

/// The words of a line, as a shell splits it.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for character in line.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            other => words.last_mut().expect("a word").push(other),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What a command reads, by the names of its arguments.
const INPUTS: [&str; 8] =
    ["input", "mesh", "matrix", "file", "rhs", "x0", "prolongation", "operator"];

#[test]
fn every_command_on_a_page_can_be_typed() {
    let lines = lines();
    assert!(lines.iter().filter(|line| line.runs).count() > 40);
    for Line { page, text, runs } in lines {
        let matches = grammar().try_get_matches_from(words(&text));
        let matches = matches.unwrap_or_else(|error| panic!("{page}: {text}: {error}"));
        let Some((_, given)) = matches.subcommand().filter(|_| runs) else {
            continue;
        };
        for input in INPUTS {
            let Ok(Some(values)) = given.try_get_raw(input) else {
                continue;
            };
            for value in values.map(Path::new) {
                let is_file = value.extension().is_some() || value.components().count() > 1;
                let is_there = root().join(value).exists();
                assert!(!is_file || is_there, "{page}: {text}: no {}", value.display());
            }
        }
    }
}

#[test]
fn every_exception_to_the_era_s_rules_is_listed() {
    let page = fs::read_to_string(root().join("glsl/README.md")).expect("glsl/README.md");
    for program in files(&root().join("glsl")) {
        if program.ends_with("README.md") {
            continue;
        }
        let source = fs::read_to_string(&program).expect("a text");
        if exceptions(&source).is_empty() {
            continue;
        }
        let name = below_root(&program).to_string_lossy().into_owned();
        assert!(page.contains(&name), "{name} is an exception");
    }
}
