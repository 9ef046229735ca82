//! `tests/cases`: files as people have them, with the right answer.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::cargo::cargo_bin_cmd;
use tempfile::TempDir;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// Runs a line in the folder of the cases, with an output in `out`: exit code, and all that was printed, with single
/// blanks.
fn run(line: &str, out: &TempDir) -> (Option<i32>, String) {
    let mut command = cargo_bin_cmd!("fragstream");
    command.current_dir(folder()).args(line.split_whitespace());
    let out = out.path();
    match line.split_whitespace().next() {
        Some("solve") => command.arg("--out").arg(out.join("x.mtx")),
        Some("smooth") => command.arg(out.join("out.off")).args(["--steps", "1", "--rtol", "1e-2"]),
        Some("tonemap") => command.arg(out.join("out.png")),
        _ => &mut command,
    };
    let output = command.output().expect("an output");
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8(printed).expect("UTF-8");
    (output.status.code(), printed.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Entries of a dense Matrix Market file.
fn entries(file: &Path) -> Vec<f64> {
    let text = fs::read_to_string(file).expect("a solution");
    let lines = text.lines().filter(|line| !line.starts_with('%')).skip(1);
    lines.map(|line| line.parse().expect("a number")).collect()
}

#[test]
fn files_as_people_have_them_give_the_right_answer() {
    let table = fs::read_to_string(folder().join("cases.tsv")).expect("the table");
    let mut wrong = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let mut cells = line.split('\t');
        let [code, command, expected] = [(); 3].map(|()| cells.next().expect("three cells"));
        let out = tempfile::tempdir().expect("a folder");
        let (got, printed) = run(command, &out);
        let is_there = |text: &str| {
            if let Some(numbers) = text.strip_prefix("x = ") {
                let right = numbers.split(' ').map(|n| n.parse::<f64>().expect("a number"));
                let got = entries(&out.path().join("x.mtx"));
                right.clone().count() == got.len()
                    && right.zip(got).all(|(right, got)| (got - right).abs() <= 1e-6 * right.abs())
            } else if let Some(file) = text.strip_prefix("as ") {
                let other = tempfile::tempdir().expect("a folder");
                run(&format!("tonemap {file}"), &other);
                let [this, other] = [out.path(), other.path()]
                    .map(|folder| fs::read(folder.join("out.png")).expect("a picture"));
                this == other
            } else if let Some(text) = text.strip_prefix("never ") {
                !printed.contains(text)
            } else {
                printed.contains(text)
            }
        };
        if got != code.parse().ok() || !expected.split("; ").all(is_there) {
            wrong.push(format!("{command}: exit {got:?}\n{printed}\n  not {code}: {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
