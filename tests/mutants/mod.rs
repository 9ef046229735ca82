//! Programs that are broken on purpose. Each row of `programs.tsv` changes one text in a file of `glsl/`, and
//! names the test that then fails, or says why none does.
//!
//! With `--features mutants` a fixed sample of the programs is broken, and the tests that the list names are
//! run. This breaks them all, looks for another test where the named one does not notice, and brings the list
//! up to date:
//!
//! ```text
//! LP_NUM_THREADS=0 cargo test --features mutants --test it every_broken -- --ignored --nocapture
//! ```

#[cfg(feature = "mutants")]
mod run;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::card::programs::files;

/// The list, below the root of the repository.
const LIST: &str = "tests/mutants/programs.tsv";
/// What takes the place of a test that notices, before the reason why there is none.
const NONE: &str = "none: ";

/// A broken program.
#[derive(Debug, Clone)]
struct Mutant {
    /// A file below `glsl/`.
    program: String,
    from: String,
    to: String,
    /// The test that notices, or why none does.
    killer: Result<String, String>,
}

impl Mutant {
    fn of_row(row: &str) -> Self {
        let cells: Vec<String> = row.split('\t').map(str::to_owned).collect();
        let Ok([program, from, to, killer]) = <[String; 4]>::try_from(cells) else {
            panic!("{LIST}: not four cells with tabs between: {row}");
        };
        let killer = match killer.strip_prefix(NONE) {
            Some(reason) => Err(reason.to_owned()),
            None => Ok(killer),
        };
        Self { program, from, to, killer }
    }
}

fn list() -> Vec<Mutant> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(LIST);
    let text = fs::read_to_string(path).expect(LIST);
    text.lines().skip(1).map(Mutant::of_row).collect()
}

/// This program of tests.
fn tests() -> Command {
    Command::new(std::env::current_exe().expect("a path"))
}

#[test]
fn every_program_has_a_mutant_whose_text_and_test_are_there() {
    let output = tests().args(["--list", "--format", "terse"]).output();
    let names = String::from_utf8(output.expect("a list").stdout).expect("UTF-8");
    let names: BTreeSet<&str> =
        names.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    let list = list();
    for Mutant { program, from, to, killer } in &list {
        let file = format!("glsl/{program}");
        let text = files().iter().find(|(name, _)| *name == file);
        let is_there = text.is_some_and(|(_, text)| text.contains(from.as_str()));
        assert!(is_there && from != to, "{LIST}: {file} does not hold `{from}`");
        if let Ok(killer) = killer {
            assert!(names.contains(killer.as_str()), "{LIST}: {file}: no test {killer}");
        }
    }
    for (file, _) in files().iter().filter(|(file, _)| file.ends_with(".frag")) {
        let has_one = list.iter().any(|mutant| format!("glsl/{}", mutant.program) == *file);
        assert!(has_one, "{file}: no mutant. Add a row to {LIST}");
    }
}
