//! `fragstream solve`: methods and layouts, each for the matrices that it is for.

use std::fs;

use super::{folder_with_bundled, number, object, residual_of_file};
use crate::command::support::*;
use fragstream::io::matrix_market::read_vector;

#[test]
fn the_method_and_the_layout_that_are_asked_for_are_those_that_solve() {
    let name = "unit_cube.mtx";
    let folder = folder_with_bundled(name);
    for (method, layout) in [
        ("pcg", "ellpack-r"),
        ("bicgstab", "diagonals"),
        ("lu", "columns"),
    ] {
        let arguments =
            format!("solve {name} --method {method} --layout {layout} --out x.mtx --json");
        let solution = object(&mut fragstream(&folder, &arguments), 0);
        assert_eq!(solution["reason"], "converged", "{method} on {layout}");
        assert_eq!(solution["method"], method);
        assert_eq!(solution["layout"], layout);
        // b is all ones.
        let residual = residual_of_file(&folder, name);
        assert!(
            residual <= 1.01e-8 * 125_f64.sqrt(),
            "{method} on {layout}: {residual}"
        );
    }
}

#[test]
fn a_small_matrix_that_the_default_method_fails_on_is_solved_by_lu() {
    // A rotation by a right angle, on which biconjugate gradients break down.
    let folder = folder_with("a.mtx", format!("{HEADER}2 2 2\n1 2 1\n2 1 -1\n"));
    let mut command = fragstream(&folder, "solve a.mtx --out x.mtx");
    let solved = command.assert().code(0);
    let says = String::from_utf8_lossy(&solved.get_output().stderr);
    assert_says(
        &says,
        &["bicgstab stopped as breakdown. The matrix is small, so lu solved it."],
    );
    assert_eq!(
        read_vector(&folder.path().join("x.mtx")).unwrap(),
        [-1.0, 1.0]
    );
    // A method that was asked for is the only one.
    let mut command = fragstream(&folder, "solve a.mtx --method bicgstab");
    assert_says(&fails(&mut command, 3), &["breakdown", "--method lu"]);
}

/// n rows, not symmetric: a dominant diagonal, and another above it.
fn one_way(n: usize) -> String {
    let mut text = format!("{HEADER}{n} {n} {}\n", 2 * n - 1);
    for i in 1..=n {
        text += &format!("{i} {i} {}\n", if i % 2 == 0 { 3 } else { 2 });
        if i < n {
            text += &format!("{i} {} 1\n", i + 1);
        }
    }
    text
}

#[test]
fn matrices_that_are_not_symmetric_are_for_others_than_conjugate_gradients() {
    let folder = folder_with("a.mtx", one_way(20));
    let line = fails(&mut fragstream(&folder, "solve a.mtx --method cg"), 2);
    assert_says(&line, &["not symmetric", "bicgstab", "gauss-seidel, lu"]);
    let solution = object(&mut fragstream(&folder, "solve a.mtx --json"), 0);
    assert_eq!(solution["method"], "bicgstab", "the default");
    for (method, layout) in [("gauss-seidel", "points"), ("lu", "columns")] {
        let arguments = format!("solve a.mtx --method {method} --out x.mtx --json");
        let solution = object(&mut fragstream(&folder, &arguments), 0);
        assert_eq!(solution["layout"], layout, "the default");
        assert!(residual_of_file(&folder, "a.mtx") < 1.01e-8 * 20_f64.sqrt());
    }
}

#[test]
fn a_permutation_needs_lu_and_has_its_solution_exactly() {
    let n = 30;
    let mut matrix = format!("{HEADER}{n} {n} {n}\n");
    let mut b = format!("%%MatrixMarket matrix array real general\n{n} 1\n");
    for i in 0..n {
        matrix += &format!("{} {} 1\n", i + 1, (7 * i + 3) % n + 1);
        b += &format!("{}\n", (7 * i + 3) % n);
    }
    let folder = folder_with("a.mtx", matrix);
    fs::write(folder.path().join("b.mtx"), b).unwrap();
    let arguments = "solve a.mtx --method lu --rhs b.mtx --out x.mtx";
    succeeds(&mut fragstream(&folder, arguments));
    let x = read_vector(&folder.path().join("x.mtx")).unwrap();
    assert!(x.iter().enumerate().all(|(i, &x)| x == i as f64), "{x:?}");
    let line = fails(
        &mut fragstream(&folder, "solve a.mtx --method gauss-seidel"),
        2,
    );
    assert_says(
        &line,
        &["a.mtx: zero pivot", "row 1 (counted from 1)", "method lu"],
    );
}

#[test]
fn a_singular_matrix_is_a_zero_pivot_and_has_no_solution_to_write() {
    let singular = format!("{HEADER}2 2 4\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n");
    let folder = folder_with("a.mtx", singular);
    let mut command = fragstream(&folder, "solve a.mtx --method lu --out x.mtx --json");
    assert_eq!(object(&mut command, 3)["reason"], "zero-pivot");
    let line = fails(&mut command, 3);
    assert_says(
        &line,
        &[
            "a.mtx: lu",
            "zero-pivot",
            "singular",
            "x.mtx was not written",
        ],
    );
    assert_eq!(names(&folder), ["a.mtx"]);
    let empty_row = format!("{HEADER}2 2 1\n1 1 1\n");
    fs::write(folder.path().join("a.mtx"), empty_row).unwrap();
    let line = fails(&mut fragstream(&folder, "solve a.mtx --method lu"), 2);
    assert_says(&line, &["a.mtx: row 2 (counted from 1) has no entry"]);
}

#[test]
fn sweeps_that_lead_away_are_diverged() {
    let matrix = format!("{HEADER}2 2 4\n1 1 1\n1 2 3\n2 1 3\n2 2 1\n");
    let folder = folder_with("a.mtx", matrix);
    let mut command = fragstream(&folder, "solve a.mtx --method gauss-seidel --json");
    assert_eq!(object(&mut command, 3)["reason"], "diverged");
    assert_says(&fails(&mut command, 3), &["gauss-seidel", "--method lu"]);
    let few = "solve a.mtx --method gauss-seidel --layout columns --maxiter 2 --json";
    assert_eq!(
        object(&mut fragstream(&folder, few), 3)["reason"],
        "max-iterations"
    );
}

/// Linear interpolation on a line, from n inner points to 2 n + 1.
fn interpolation(n: usize) -> String {
    let mut text = format!("{HEADER}{} {n} {}\n", 2 * n + 1, 3 * n);
    for j in 1..=n {
        text += &format!(
            "{} {j} 0.5\n{} {j} 1\n{} {j} 0.5\n",
            2 * j - 1,
            2 * j,
            2 * j + 1
        );
    }
    text
}

#[test]
fn multigrid_needs_few_cycles_over_the_levels_that_prolongations_lead_to() {
    let folder = folder_with("a.mtx", laplacian(63, 1.0));
    for (name, n) in [("p1.mtx", 31), ("p2.mtx", 15), ("p3.mtx", 7)] {
        fs::write(folder.path().join(name), interpolation(n)).unwrap();
    }
    let solve = "solve a.mtx --method multigrid --rtol 1e-8 --out x.mtx --json --prolongation";
    let solution = object(
        &mut fragstream(&folder, &format!("{solve} p1.mtx,p2.mtx,p3.mtx")),
        0,
    );
    // With four sweeps of ω = 0.7 before and after, a cycle leaves less than a tenth.
    assert!(number(&solution, "iterations") <= 8.0);
    assert!(residual_of_file(&folder, "a.mtx") <= 2e-8 * 63_f64.sqrt());
    let line = fails(
        &mut fragstream(&folder, &format!("{solve} p2.mtx,p1.mtx")),
        2,
    );
    assert_says(
        &line,
        &[
            "p2.mtx: ",
            "has 31 rows",
            "a.mtx has 63 rows",
            "coarsest last",
        ],
    );
    let line = fails(
        &mut fragstream(&folder, "solve a.mtx --method multigrid"),
        2,
    );
    assert_says(&line, &["--prolongation P1.mtx"]);
}
