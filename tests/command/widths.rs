//! All that a terminal shows fits its width.

use crate::command::support::*;
use rayon::prelude::*;
use tempfile::tempdir;

const NARROW: usize = 40;
const WIDE: usize = 80;

/// Commands with short settings, and the width of a terminal: one per printer, or both at night.
const COMMANDS: &[(&str, usize)] = &[
    ("--help", NARROW),
    ("water --help", NARROW),
    ("solve --help", WIDE),
    ("list batty2003", WIDE),
    ("list --scenes", NARROW),
    ("film", WIDE),
    ("listing", NARROW),
    ("listing bolz2003/sparse/spmv", NARROW),
    ("listing bolz2003/sparse/spmv --form ps2.0", WIDE),
    ("listing batty2003/printed", NARROW),
    ("card", WIDE),
    ("info", WIDE),
    ("layouts matrix bcsstk01 --rounds 1", NARROW),
    ("layouts grid --size 9 --rounds 1", NARROW),
    ("layouts vector --size 100 --rounds 1", WIDE),
    ("solve bcsstk01 --rtol 1e-4 --ledger", WIDE),
    ("poisson --size 17x17", NARROW),
    ("heat --size 17x17 --ledger --passes", NARROW),
    ("fem circle --levels 2", WIDE),
    ("cycle --size 17 --steps 2 --passes", NARROW),
    ("water --size 16x16 --steps 4 --ledger=cache", WIDE),
    ("jet --size 17x17 --steps 3", NARROW),
    ("wing --size 32x17 --steps 2", WIDE),
    ("liquid --size 8 --steps 2", NARROW),
    ("reproduce bolz2003/vcycle bolz2003/rectangle --quick --out r", WIDE),
    ("reproduce bolz2003/vcycle --quick --size 33 --out r", WIDE),
    ("solve nothere.mtx", NARROW),
    ("listing spvm", WIDE),
    ("smooth bunnny x.ply", NARROW),
    ("layouts airfoil", WIDE),
    ("solve bcsstk01 --method nope", NARROW),
];

/// A line of one word, such as a path, keeps its length.
fn is_too_wide(line: &str, width: usize) -> bool {
    line.chars().count() > width && line.trim().contains(' ')
}

#[test]
fn every_command_fits_40_and_80_columns() {
    let folder = tempdir().unwrap();
    COMMANDS.par_iter().for_each(|&(line, width)| {
        for width in if all_calls() { vec![NARROW, WIDE] } else { vec![width] } {
            let mut command = fragstream(&folder, line);
            let output = command.env("COLUMNS", width.to_string()).output().unwrap();
            let both = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
            assert!(both.iter().any(|text| !text.is_empty()), "{line}");
            let wide = both.iter().flat_map(|text| text.lines());
            let wide: Vec<&str> = wide.filter(|line| is_too_wide(line, width)).collect();
            assert!(wide.is_empty(), "{line} at {width} columns:\n{}", wide.join("\n"));
        }
    });
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
