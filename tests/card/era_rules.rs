//! Every program of this project keeps the rules of 2003, or declares an exception with a reason.

use fragstream::card::dialect::{Rule, check, exceptions};

use crate::card::programs::files;

#[test]
fn all_programs_keep_the_era_s_rules() {
    let violations: Vec<String> = files()
        .iter()
        .filter_map(|(name, source)| check(name, source).err())
        .flatten()
        .map(|violation| violation.to_string())
        .collect();
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

#[test]
fn the_walk_finds_programs_and_only_known_kinds_of_files() {
    let programs = files();
    assert!(programs.iter().any(|(name, _)| name.ends_with("spmv.frag")));
    for (name, _) in programs {
        let kind = name.rsplit('.').next();
        assert!(
            matches!(kind, Some("frag" | "vert" | "glsl")),
            "{name}: no kind of program"
        );
    }
}

#[test]
fn a_violation_in_a_program_of_this_project_would_be_seen() {
    let programs = files();
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

/// `glsl/README.md` lists the exceptions; this is where its table comes from (`--nocapture`).
#[test]
fn every_exception_gives_a_reason() {
    for (name, source) in files() {
        for exception in exceptions(source) {
            println!("| `{name}` | {} | {} |", exception.rule, exception.reason);
            assert!(
                exception.reason.split_whitespace().count() >= 3,
                "{name}: {exception:?}"
            );
        }
    }
}
