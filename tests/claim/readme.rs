//! What README.md promises is there.

use std::fs;
use std::path::{Path, PathBuf};

use fragstream::card::dialect::exceptions;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("README.md")
}

#[test]
fn every_picture_and_file_that_is_linked_to_is_there_and_in_the_package() {
    let readme = readme();
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    let links = readme.split("](").skip(1);
    let targets = links.filter_map(|rest| rest.split(')').next());
    for target in targets.filter(|target| !target.contains("://")) {
        assert!(root().join(target).exists(), "{target} is not there");
        let kept = manifest.contains(&format!("\"!/{target}\""));
        assert!(kept || !target.ends_with(".png"), "{target} is excluded");
    }
}

#[test]
fn every_exception_to_the_era_s_rules_is_listed() {
    fn files(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                files(&path, found);
            } else {
                found.push(path);
            }
        }
    }
    let readme = readme();
    let mut programs = Vec::new();
    files(&root().join("glsl"), &mut programs);
    for program in programs {
        let source = fs::read_to_string(&program).expect("a text");
        if exceptions(&source).is_empty() {
            continue;
        }
        let name = program.strip_prefix(root()).expect("below the root");
        let name = name.to_string_lossy();
        assert!(readme.contains(&*name), "{name} is an exception");
    }
}
