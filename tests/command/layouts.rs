//! `fragstream layouts`.

use std::fs;

use crate::support::*;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// A matrix without structure: rows of 1 to 7 entries of both signs and of very different sizes, one of
/// them with an entry in every column, one without any but its diagonal's.
fn ugly(n: usize) -> String {
    let mut entries = Vec::new();
    for row in 0..n {
        let length = match row {
            5 => n,
            9 => 1,
            row => 1 + row * 7919 % 7,
        };
        for k in 0..length {
            let column = match length == n {
                true => k,
                false => (row + k * (k + 11)) % n,
            };
            let value = ((row * 31 + column * 17) as f64).sin() * 10f64.powi((row % 5) as i32 - 2);
            entries.push((row + 1, column + 1, value));
        }
    }
    entries.sort_by_key(|&(row, column, _)| (row, column));
    entries.dedup_by_key(|&mut (row, column, _)| (row, column));
    let lines = entries
        .iter()
        .map(|(row, column, value)| format!("{row} {column} {value:e}\n"));
    format!(
        "{HEADER}{n} {n} {}\n{}",
        entries.len(),
        lines.collect::<String>()
    )
}

/// What `layouts` writes as JSON, layout by layout.
fn layouts(folder: &TempDir, arguments: &str) -> Vec<Value> {
    let command = format!("layouts {arguments} --rounds 1 --json out.json");
    succeeds(&mut fragstream(folder, &command));
    let text = fs::read_to_string(folder.path().join("out.json")).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    value["layouts"].as_array().unwrap().clone()
}

fn of<'a>(lines: &'a [Value], layout: &str) -> &'a Value {
    let line = lines.iter().find(|line| line["layout"] == layout);
    line.unwrap_or_else(|| panic!("no line of {layout}"))
}

fn count(line: &Value, key: &str) -> u64 {
    line["run"][key].as_u64().unwrap()
}

#[test]
fn every_layout_multiplies_an_ugly_matrix_as_double_precision_does_and_counts_as_its_formula_says()
{
    let n = 41;
    let folder = folder_with("ugly.mtx", ugly(n));
    let lines = layouts(&folder, "ugly.mtx");
    let longest = n as f64;
    for line in lines.iter().filter(|line| line["layout"] != "slices") {
        // So many roundings of a row's sum, each of 6e-8, and one of each entry.
        let error = line["run"]["error"].as_f64().unwrap();
        assert!(error <= (longest + 2.0) * 6e-8, "{line}");
    }
    let entries = of(&lines, "points")["run"]["fragments"].as_u64().unwrap();
    // A point an entry, a pass an entry of the longest row, two fetches each.
    assert_eq!(count(of(&lines, "points"), "passes"), n as u64);
    assert_eq!(count(of(&lines, "points"), "fetches"), 2 * entries);
    // Vectors lie in 7 x 6 texels. ELLPACK fetches an entry and an x for each place of the longest row.
    assert_eq!(count(of(&lines, "ellpack"), "fetches"), 2 * 42 * n as u64);
    assert_eq!(of(&lines, "ellpack")["memory"]["bytes"], 16 * 42 * n);
    let padding = of(&lines, "ellpack")["memory"]["padding"].as_f64().unwrap();
    let tiles = &of(&lines, "ellpack")["memory"]["textures"][0];
    let places = tiles["width"].as_u64().unwrap() * tiles["height"].as_u64().unwrap();
    assert!((padding - (1.0 - entries as f64 / places as f64)).abs() < 1e-12);
    // Rows that end: an entry and an x for each entry, and the length of each row.
    assert_eq!(count(of(&lines, "ellpack-r"), "fetches"), 2 * entries + 42);
    assert!(of(&lines, "ellpack-r")["run"]["cards"].is_null());
    // Columns fetch an entry and an x for every column.
    assert_eq!(count(of(&lines, "columns"), "passes"), 1);
    let why = of(&lines, "slices")["refused"].as_str().unwrap();
    assert!(why.contains("seven-point"), "{why}");
}

#[test]
fn diagonals_fetch_an_entry_and_an_x_each_and_a_sum_where_passes_go_on() {
    let n = 36;
    let folder = folder_with("laplacian.mtx", laplacian(n, 1.0));
    let lines = layouts(&folder, "laplacian.mtx --layouts diagonals");
    let line = of(&lines, "diagonals");
    assert_eq!(count(line, "passes"), 1);
    assert_eq!(count(line, "fragments"), n as u64);
    assert_eq!(count(line, "fetches"), 2 * 3 * n as u64);
    assert_eq!(line["memory"]["bytes"], 3 * 4 * n);
}

#[test]
fn a_box_is_found_in_its_matrix_and_multiplied_in_slices() {
    // A tridiagonal matrix is a box of one row of cells.
    let folder = folder_with("laplacian.mtx", laplacian(64, 1.0));
    let lines = layouts(
        &folder,
        "laplacian.mtx --layouts slices,wrapped,one-texture",
    );
    for line in lines.iter().filter(|line| line["from"] != "CPU") {
        assert!(line["run"]["error"].as_f64().unwrap() < 3e-7, "{line}");
        // Seven entries and seven x of four cells in a texel.
        assert_eq!(count(line, "fragments"), 16);
    }
}

#[test]
fn what_does_not_exist_is_answered_by_what_does() {
    let folder = tempdir().unwrap();
    let line = fails(
        &mut fragstream(&folder, "layouts airfoil --layouts elpack"),
        2,
    );
    assert_says(&line, &["elpack", "'ellpack'"]);
    let line = fails(&mut fragstream(&folder, "layouts airfoul --csv out.csv"), 2);
    assert_says(&line, &["airfoul", "did you mean airfoil?"]);
    assert!(names(&folder).is_empty());
}
