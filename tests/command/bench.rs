//! `fragstream bench`: what it prints that does not depend on the machine.

use crate::command::support::*;
use tempfile::tempdir;

#[test]
fn operators_have_a_line_each_and_iterations_upload_nothing() {
    let folder = tempdir().unwrap();
    let text = succeeds(&mut fragstream(&folder, "bench kruger2003 --quick"));
    let lines = [
        "x y, one per texel",
        "a x + b y, four per texel",
        "sum, four per texel, read back",
        "five diagonals of 256² rows, one per texel",
        "dense matrix of 1024², four per texel",
        "0 uploads, 1.00 read-backs of 1 texel per dot product",
    ];
    assert_says(&text, &lines);
    // Nothing of the other paper.
    assert!(!text.contains("the scan"), "{text}");
    // Kernel, ceiling, ratio, goal, CPU and its ratio.
    let line = text.lines().find(|line| line.starts_with("x y, one"));
    let numbers = line.unwrap()["x y, one per texel".len()..].split_whitespace();
    let numbers: Vec<f64> = numbers.map(|number| number.parse().unwrap()).collect();
    assert_eq!(numbers.len(), 6);
    assert!(numbers.iter().all(|&number| number > 0.0), "{numbers:?}");
    assert_eq!(numbers[3], 0.8);
}

#[test]
fn an_unknown_paper_is_one_line() {
    let folder = tempdir().unwrap();
    let line = fails(&mut fragstream(&folder, "bench stam1999"), 2);
    assert_says(&line, &["stam1999", "kruger2003"]);
}
