//! Every program of this project keeps the rules of 2003, or declares an exception with a reason.

use fragstream::card::dialect::check;

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
        assert!(matches!(kind, Some("frag" | "vert" | "glsl")), "{name}: no kind of program");
    }
}
