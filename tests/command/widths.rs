//! All that a terminal shows fits its width.

use crate::command::support::*;
use tempfile::tempdir;

/// Commands with short settings.
const COMMANDS: &[&str] = &[
    "--help",
    "water --help",
    "solve --help",
    "list batty2003",
    "list --scenes",
    "film",
    "listing",
    "listing bolz2003/sparse/spmv",
    "listing bolz2003/sparse/spmv --form ps2.0",
    "listing batty2003/printed",
    "card",
    "info",
    "layouts matrix bcsstk01 --rounds 1",
    "layouts grid --size 9 --rounds 1",
    "layouts vector --size 100 --rounds 1",
    "solve bcsstk01 --rtol 1e-4 --ledger",
    "poisson --size 17x17",
    "heat --size 17x17 --ledger --passes",
    "fem circle --levels 2",
    "cycle --size 17 --steps 2 --passes",
    "water --size 16x16 --steps 4 --ledger=cache",
    "jet --size 17x17 --steps 3",
    "wing --size 32x17 --steps 2",
    "liquid --size 8 --steps 2",
    "reproduce bolz2003/vcycle bolz2003/rectangle --quick --out r",
    "reproduce bolz2003/vcycle --quick --size 33 --out r",
    "solve nothere.mtx",
    "listing spvm",
    "smooth bunnny x.ply",
    "layouts airfoil",
    "solve bcsstk01 --method nope",
];

/// A line of one word, such as a path, keeps its length.
fn is_too_wide(line: &str, width: usize) -> bool {
    line.chars().count() > width && line.trim().contains(' ')
}

#[test]
fn every_command_fits_40_and_80_columns() {
    let folder = tempdir().unwrap();
    for width in [40, 80] {
        for line in COMMANDS {
            let mut command = fragstream(&folder, line);
            let output = command.env("COLUMNS", width.to_string()).output().unwrap();
            let both = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
            assert!(both.iter().any(|text| !text.is_empty()), "{line}");
            let wide = both.iter().flat_map(|text| text.lines());
            let wide: Vec<&str> = wide.filter(|line| is_too_wide(line, width)).collect();
            assert!(wide.is_empty(), "{line} at {width} columns:\n{}", wide.join("\n"));
        }
    }
}

#[test]
fn a_record_that_does_not_fit_is_a_paragraph_and_a_pipe_has_whole_lines() {
    let folder = tempdir().unwrap();
    let mut command = fragstream(&folder, "listing");
    let narrow = succeeds(command.env("COLUMNS", "80"));
    let whole = succeeds(&mut fragstream(&folder, "listing"));
    let [narrow, whole] =
        [&narrow, &whole].map(|text| text.lines().find(|line| line.contains("sparse/spmv")));
    assert!(narrow.unwrap().contains(": instructions 33, "), "{narrow:?}");
    let numbers = whole.unwrap().split_whitespace().filter(|word| word.parse::<u32>().is_ok());
    assert!(numbers.count() >= 4, "{whole:?}");
}

#[test]
fn inputs_of_one_s_own_have_a_last_line() {
    let folder = tempdir().unwrap();
    let line = "reproduce bolz2003/vcycle --quick --size 33 --out r";
    let output = fragstream(&folder, line).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains(
            "1 row with your inputs, compared with theory where there is one: 1 reproduced."
        ),
        "{text}"
    );
}
