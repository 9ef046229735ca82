//! What README.md and the other pages promise is there.

use std::fs;
use std::path::{Path, PathBuf};

use fragstream::card::dialect::exceptions;

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
