//! Every program of this project keeps the rules of 2003, or declares an exception with a reason.

use std::fs;
use std::path::{Path, PathBuf};

use fragstream::card::dialect::{Rule, check, exceptions};

/// All files below `glsl/`, with their paths relative to the repository.
pub fn programs() -> Vec<(String, String)> {
    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                collect(&path, files);
            } else {
                files.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(&root.join("glsl"), &mut files);
    files.sort();
    let read = |path: PathBuf| {
        let name = path
            .strip_prefix(root)
            .expect("below the root")
            .display()
            .to_string();
        (name, fs::read_to_string(&path).expect("a text"))
    };
    files.into_iter().map(read).collect()
}

#[test]
fn all_programs_keep_the_era_s_rules() {
    let violations: Vec<String> = programs()
        .iter()
        .filter_map(|(name, source)| check(name, source).err())
        .flatten()
        .map(|violation| violation.to_string())
        .collect();
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

#[test]
fn the_walk_finds_programs_and_only_known_kinds_of_files() {
    let programs = programs();
    assert!(programs.iter().any(|(name, _)| name.ends_with("spmv.frag")));
    for (name, _) in &programs {
        let kind = name.rsplit('.').next();
        assert!(
            matches!(kind, Some("frag" | "vert" | "glsl")),
            "{name}: no kind of program"
        );
    }
}

#[test]
fn a_violation_in_a_program_of_this_project_would_be_seen() {
    let programs = programs();
    let (name, source) = programs
        .iter()
        .find(|(name, _)| name.ends_with("spmv.frag"))
        .expect("the product");
    let spoiled = source.replace("float c = 0.0", "int c = 0");
    assert_ne!(&spoiled, source);
    let violations = check(name, &spoiled).expect_err("an integer counter");
    assert!(
        violations
            .iter()
            .any(|violation| violation.rule == Rule::Types)
    );
    let loop_line = 1 + source
        .lines()
        .position(|line| line.contains("for ("))
        .expect("a loop");
    assert!(
        violations
            .iter()
            .any(|violation| violation.line as usize == loop_line)
    );
}

/// The README lists the exceptions; this is where its table comes from (`--nocapture`).
#[test]
fn every_exception_gives_a_reason() {
    for (name, source) in programs() {
        for exception in exceptions(&source) {
            println!("| `{name}` | {} | {} |", exception.rule, exception.reason);
            assert!(
                exception.reason.split_whitespace().count() >= 3,
                "{name}: {exception:?}"
            );
        }
    }
}
