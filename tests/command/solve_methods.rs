//! `fragstream solve`: methods and layouts, each for the matrices that it is for.

use std::fs;

use crate::solve::{folder_with_bundled, number, object, residual_of_file};
use crate::support::*;
use fragstream::io::matrix_market::{read_matrix, read_vector};

/// Every method, and every layout.
const COMBINATIONS: [(&str, &str); 17] = [
    ("cg", "rows"),
    ("cg", "diagonals"),
    ("cg", "columns"),
    ("cg", "points"),
    ("cg", "ellpack"),
    ("cg", "ellpack-r"),
    ("pcg", "rows"),
    ("pcg", "diagonals"),
    ("pcg", "columns"),
    ("pcg", "points"),
    ("pcg", "ellpack"),
    ("pcg", "ellpack-r"),
    ("bicg", "rows"),
    ("bicgstab", "diagonals"),
    ("gauss-seidel", "points"),
    ("gauss-seidel", "columns"),
    ("lu", "columns"),
];

/// A bundled matrix with its inverse, in double precision by elimination with pivots, row by row.
fn inverse(name: &str) -> (usize, Vec<f64>) {
    let a = read_matrix(&bundled(name)).unwrap();
    let n = a.rows as usize;
    let mut rows = vec![vec![0.0; 2 * n]; n];
    for &(i, j, value) in &a.entries {
        rows[i as usize][j as usize] += value;
    }
    for (i, row) in rows.iter_mut().enumerate() {
        row[n + i] = 1.0;
    }
    for k in 0..n {
        let largest = |&i: &usize, &j: &usize| rows[i][k].abs().total_cmp(&rows[j][k].abs());
        let pivot = (k..n).max_by(largest).unwrap();
        rows.swap(k, pivot);
        let scale = rows[k][k];
        rows[k].iter_mut().for_each(|value| *value /= scale);
        let own = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|&(i, _)| i != k) {
            let factor = row[k];
            let pairs = row.iter_mut().zip(&own);
            pairs.for_each(|(value, own)| *value -= factor * own);
        }
    }
    (
        n,
        rows.into_iter().flat_map(|row| row[n..].to_vec()).collect(),
    )
}

#[test]
fn every_method_on_every_layout_solves_the_bundled_matrices_as_double_precision_does() {
    for name in ["unit_cube.mtx", "bcsstk01.mtx"] {
        let (n, inverse) = inverse(name);
        // b is all ones.
        let exact: Vec<f64> = inverse.chunks(n).map(|row| row.iter().sum()).collect();
        let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|v| v * v).sum::<f64>().sqrt();
        // The Frobenius norm is no less than that by which a residual grows to an error.
        let growth = norm(&mut inverse.iter().copied());
        let folder = folder_with_bundled(name);
        for (method, layout) in COMBINATIONS {
            // Sweeps creep on this one: what is left after a few is compared.
            let slow = method == "gauss-seidel" && name == "bcsstk01.mtx";
            let rtol = if slow { 3e-2 } else { 1e-8 };
            let arguments = format!(
                "solve {name} --method {method} --layout {layout} --rtol {rtol} --out x.mtx --json"
            );
            let solution = object(&mut fragstream(&folder, &arguments), 0);
            let what = format!("{name}, {method} on {layout}");
            assert_eq!(solution["reason"], "converged", "{what}");
            assert_eq!(solution["method"], method);
            assert_eq!(solution["layout"], layout);
            let residual = residual_of_file(&folder, name);
            assert!(
                residual <= rtol * (n as f64).sqrt() * (1.0 + 1e-6),
                "{what}: {residual}"
            );
            let x = read_vector(&folder.path().join("x.mtx")).unwrap();
            let error = norm(&mut x.iter().zip(&exact).map(|(x, e)| x - e));
            assert!(error <= growth * residual, "{what}: off by {error}");
        }
    }
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
fn the_smallest_matrices_are_solved_by_all() {
    let matrices = [
        format!("{HEADER}1 1 1\n1 1 4\n"),
        format!("{HEADER}2 2 4\n1 1 4\n1 2 1\n2 1 1\n2 2 3\n"),
    ];
    for matrix in matrices {
        let folder = folder_with("a.mtx", &matrix);
        for (method, layout) in COMBINATIONS {
            let arguments = format!("solve a.mtx --method {method} --layout {layout} --out x.mtx");
            succeeds(&mut fragstream(&folder, &arguments));
            assert!(
                residual_of_file(&folder, "a.mtx") < 2e-8,
                "{method} on {layout}: {matrix}"
            );
        }
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
