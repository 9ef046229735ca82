//! `fragstream fem`.

use std::fs;

use crate::support::*;
use tempfile::TempDir;

#[test]
fn a_mesh_is_solved_and_written_for_paraview() {
    let folder = TempDir::new().expect("a folder");
    let line = "fem circle --element q2 --levels 3 --numbering xyz --out u.vtu --history h.csv";
    let told = succeeds(&mut fragstream(&folder, line));
    assert_says(
        &told,
        &["576 unknowns", "converged after 24 cycles", "level 3"],
    );
    let vtu = fs::read_to_string(folder.path().join("u.vtu")).expect("the solution");
    assert_says(
        &vtu,
        &[
            "NumberOfPoints=\"576\"",
            "NumberOfCells=\"128\"",
            "</VTKFile>",
        ],
    );
    let points = vtu
        .split("Name=\"u\" format=\"ascii\">\n")
        .nth(1)
        .expect("u");
    let values: Vec<f64> = points.lines().map_while(|line| line.parse().ok()).collect();
    assert_eq!(values.len(), 576);
    // The maximum principle, but for what lies between −Δu = 1 and 0.
    assert!(values.iter().all(|u| (-1e-6..1.1).contains(u)));
    let history = fs::read_to_string(folder.path().join("h.csv")).expect("the history");
    assert_eq!(history.lines().count(), 26);
}

#[test]
fn constants_are_exact_with_any_conditions() {
    let folder = TempDir::new().expect("a folder");
    let line = "fem blood --levels 2 --dirichlet inner=3 --neumann outer=0 --neumann dome=0 \
                --neumann ends=0 --rhs 0 --steps 16,16";
    let told = succeeds(&mut fragstream(&folder, line));
    assert_says(&told, &["converged", "u from 3.000000 to 3.000000"]);
}

#[test]
fn what_cannot_be_solved_is_told_in_one_line_and_nothing_is_written() {
    let folder = TempDir::new().expect("a folder");
    for (line, code, says) in [
        ("fem square", 2, "square"),
        ("fem circle --levels 0", 2, "0"),
        ("fem circle --levels 12", 2, "the largest that fits is 10"),
        ("fem circle --dirichlet inner=1", 2, "outer, circle"),
        ("fem circle --dirichlet outer", 2, "outer=0"),
        ("fem circle --dirichlet outer=NaN", 2, "NaN"),
        (
            "fem circle --neumann outer=0 --neumann circle=0",
            2,
            "--dirichlet",
        ),
        ("fem circle --steps 0,0", 2, "4,4"),
        ("fem circle --out no/such/u.vtu", 2, "no/such"),
        (
            "fem blood --levels 4 --omega 0.7 --steps 4,4 --out u.vtu",
            3,
            "diverged",
        ),
        ("fem circle --levels 3 --maxcycles 3", 3, "max-iterations"),
    ] {
        assert_says(&fails(&mut fragstream(&folder, line), code), &[says]);
    }
    assert!(names(&folder).is_empty());
}
