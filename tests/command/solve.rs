//! `fragstream solve`.

use std::fs;
use std::io::Write;

use crate::support::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use fragstream::io::matrix_market::{read_matrix, read_vector};
use fragstream::solver::{Csr, true_residual};
use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

fn object(command: &mut assert_cmd::Command, code: i32) -> Value {
    let assert = command.assert().code(code);
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

fn number(object: &Value, key: &str) -> f64 {
    object[key]
        .as_f64()
        .unwrap_or_else(|| panic!("{key} in {object}"))
}

/// ‖b − A x‖ of what was written to x.mtx, for b = ones.
fn residual_of_file(folder: &TempDir, matrix: &str) -> f64 {
    let a = read_matrix(&folder.path().join(matrix)).unwrap();
    let entries = a.entries.iter();
    let triplets = entries.map(|&(row, column, value)| (row as usize, column as usize, value));
    let a = Csr::from_triplets(a.rows as usize, a.columns as usize, triplets).unwrap();
    let x = read_vector(&folder.path().join("x.mtx")).unwrap();
    true_residual(&a, &vec![1.0; x.len()], &x).unwrap().norm
}

fn folder_with_bundled(name: &str) -> TempDir {
    folder_with(name, fs::read(bundled(name)).unwrap())
}

#[test]
fn the_bundled_matrices_are_solved_to_1e_8_without_an_option_asking_for_it() {
    for name in ["airfoil.mtx", "unit_cube.mtx", "knot.mtx", "bcsstk01.mtx"] {
        let folder = folder_with_bundled(name);
        let arguments = format!("solve {name} --out x.mtx --json");
        let solution = object(&mut fragstream(&folder, &arguments), 0);
        assert_eq!(solution["reason"], "converged");
        assert_eq!(solution["method"], "pcg");
        assert_eq!(solution["layout"], "rows");
        let residual = residual_of_file(&folder, name);
        let stated = number(&solution, "residual_true");
        // Two summations of the same numbers, whose rounding is all that is left of b.
        let rounding = number(&solution, "reach_double");
        assert!((residual - stated).abs() <= 1e-9 * stated + rounding);
        let norm_of_b = number(&solution, "norm_b");
        assert!((number(&solution, "tolerance") / norm_of_b / 1e-8 - 1.0).abs() < 1e-12);
        assert!(stated <= 1e-8 * norm_of_b, "{name}: {stated}");
        assert_eq!(names(&folder), [name, "x.mtx"]);
    }
}

#[test]
fn single_precision_throughout_is_to_be_had_and_converged_means_the_true_residual_there_too() {
    // knot's solution is so large beside b that rounding it to single precision alone leaves a
    // residual near 1e-4 ‖b‖.
    for (name, rtol) in [("airfoil.mtx", 1e-5), ("knot.mtx", 1e-3)] {
        let folder = folder_with_bundled(name);
        let solve = format!("solve {name} --refine 0 --json");
        let given = format!("{solve} --method cg --rtol {rtol}");
        let solution = object(&mut fragstream(&folder, &given), 0);
        assert_eq!(number(&solution, "corrections"), 0.0);
        let [stated, tolerance] = ["residual_true", "tolerance"].map(|k| number(&solution, k));
        assert!(stated <= tolerance, "{name}: {stated} of {tolerance}");
    }
}

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

#[test]
fn what_does_not_go_together_is_one_line_with_what_does() {
    let folder = folder_with("a.mtx", laplacian(3, 1.0));
    for (method, layout) in [
        ("gauss-seidel", "rows"),
        ("gauss-seidel", "diagonals"),
        ("lu", "points"),
    ] {
        let arguments = format!("solve a.mtx --method {method} --layout {layout}");
        let line = fails(&mut fragstream(&folder, &arguments), 2);
        assert_says(
            &line,
            &[
                method,
                layout,
                "gauss-seidel on points, columns",
                "lu on columns",
            ],
        );
    }
    let line = fails(
        &mut fragstream(&folder, "solve a.mtx --layout points --rect 4x4"),
        2,
    );
    assert_says(&line, &["--rect", "--layout rows"]);
}

#[test]
fn a_matrix_too_large_for_a_layout_is_sent_to_another() {
    let n = 20_000;
    let mut diagonal = format!("{HEADER}{n} {n} {n}\n");
    (1..=n).for_each(|i| diagonal += &format!("{i} {i} 2\n"));
    let folder = folder_with("a.mtx", diagonal);
    for (method, elsewhere) in [("cg", "layout points"), ("lu", "gauss-seidel")] {
        let arguments = format!("solve a.mtx --layout columns --method {method}");
        let line = fails(&mut fragstream(&folder, &arguments), 2);
        assert_says(
            &line,
            &["a.mtx: ", "20000 columns", "texels a side", elsewhere],
        );
    }
    let limited = "solve a.mtx --layout points --limit 100kB";
    assert_says(
        &fails(&mut fragstream(&folder, limited), 2),
        &[
            "a.mtx: ",
            "0.8 MB",
            "over the limit of 0.1 MB",
            "the layout rows",
        ],
    );
    // Entries on 30 000 diagonals of their own.
    let n = 40_000;
    let mut scattered = format!(
        "%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {}\n",
        n + 15_000
    );
    (1..=n).for_each(|i| scattered += &format!("{i} {i} 9\n"));
    (1..=15_000).for_each(|i| scattered += &format!("{} {i} 1\n", 2 * i + 1));
    fs::write(folder.path().join("a.mtx"), scattered).unwrap();
    let line = fails(
        &mut fragstream(&folder, "solve a.mtx --layout diagonals"),
        2,
    );
    assert_says(&line, &["diagonals", "GB", "rows"]);
    succeeds(&mut fragstream(&folder, "solve a.mtx --layout points"));
}

#[test]
fn seconds_are_told_apart() {
    let folder = folder_with_bundled("airfoil.mtx");
    let solution = object(&mut fragstream(&folder, "solve airfoil.mtx --json"), 0);
    for part in ["upload", "compute", "read_back"] {
        assert!(number(&solution["seconds"], part) > 0.0, "{part}");
    }
}

#[test]
fn the_human_form_says_the_same() {
    let folder = folder_with_bundled("airfoil.mtx");
    let text = succeeds(&mut fragstream(&folder, "solve airfoil.mtx"));
    let solution = object(&mut fragstream(&folder, "solve airfoil.mtx --json"), 0);
    let iterations = format!("iterations  {}, ", solution["iterations"]);
    assert_says(
        &text,
        &[
            "260 rows, 1682 entries",
            "reason      converged",
            &iterations,
        ],
    );
    assert_says(
        &text,
        &["recursive", "true", "upload", "compute", "read-back"],
    );
}

#[test]
fn bcsstk01_stagnates_in_single_precision_and_x_is_written_all_the_same() {
    let folder = folder_with_bundled("bcsstk01.mtx");
    let arguments = "solve bcsstk01.mtx --refine 0 --method cg --json --out x.mtx --history h.csv";
    let mut command = fragstream(&folder, arguments);
    let solution = object(&mut command, 3);
    assert_eq!(solution["reason"], "stagnated");
    let line = fails(&mut command, 3);
    let parts = [
        "bcsstk01.mtx",
        "stagnated",
        "the condition is",
        "leave out --refine 0",
    ];
    assert_says(&line, &parts);
    let residual = residual_of_file(&folder, "bcsstk01.mtx");
    assert!((residual - number(&solution, "residual_true")).abs() < 1e-9 * residual);
    assert!(residual > number(&solution, "tolerance"));

    let history = fs::read_to_string(folder.path().join("h.csv")).unwrap();
    let mut rows = history.lines();
    assert_eq!(rows.next(), Some("iteration,residual"));
    let rows: Vec<(usize, f64)> = rows
        .map(|row| row.split_once(',').unwrap())
        .map(|(iteration, residual)| (iteration.parse().unwrap(), residual.parse().unwrap()))
        .collect();
    assert!(
        rows.iter()
            .enumerate()
            .all(|(at, &(iteration, _))| at == iteration)
    );
    assert_eq!(
        rows.len() as u64,
        solution["iterations"].as_u64().unwrap() + 1
    );
    assert!((rows[0].1 - 48.0_f64.sqrt()).abs() < 1e-6, "the start is b");
    assert!(number(&solution, "reach_single") > number(&solution, "tolerance") / 100.0);
    assert_eq!(
        rows.last().unwrap().1,
        number(&solution, "residual_recursive")
    );
}

#[test]
fn too_few_iterations_are_exit_3() {
    let folder = folder_with_bundled("airfoil.mtx");
    let mut command = fragstream(&folder, "solve airfoil.mtx --maxiter 3 --json");
    let solution = object(&mut command, 3);
    assert_eq!(solution["reason"], "max-iterations");
    assert_eq!(solution["iterations"], 3);
    assert_says(&fails(&mut command, 3), &["--maxiter"]);
}

#[test]
fn a_matrix_that_is_not_positive_definite_is_indefinite() {
    // Eigenvalues 3 and −1, the diagonal positive; (1, −1) belongs to −1.
    let matrix = format!("{HEADER}2 2 4\n1 1 1\n1 2 2\n2 1 2\n2 2 1\n");
    let folder = folder_with("a.mtx", matrix);
    let rhs = "%%MatrixMarket matrix array real general\n2 1\n1\n-1\n";
    fs::write(folder.path().join("b.mtx"), rhs).unwrap();
    let mut command = fragstream(&folder, "solve a.mtx --rhs b.mtx --json");
    assert_eq!(object(&mut command, 3)["reason"], "indefinite");
    assert_says(&fails(&mut command, 3), &["a.mtx", "not positive definite"]);
}

#[test]
fn numbers_beyond_single_precision_are_not_finite() {
    // Every entry is a number in single precision, but not the second one of D⁻¹ A p.
    let matrix = format!("{HEADER}2 2 4\n1 1 1\n2 2 1e-38\n1 2 1e38\n2 1 1e38\n");
    let folder = folder_with("a.mtx", matrix);
    let mut command = fragstream(&folder, "solve a.mtx --refine 0 --out x.mtx --json");
    assert_eq!(object(&mut command, 3)["reason"], "not-finite");
    assert_says(&fails(&mut command, 3), &["a.mtx", "not-finite", "scale"]);
}

#[test]
fn right_hand_sides_come_from_a_file_or_a_seed() {
    let folder = folder_with("a.mtx", laplacian(30, 1.0));
    // A x = b for x = 1, 2, …, 30: zero, but for the last entry.
    let b = format!(
        "%%MatrixMarket matrix coordinate real general\n30 1 1\n30 1 {}\n",
        31
    );
    fs::write(folder.path().join("b.mtx"), b).unwrap();
    succeeds(&mut fragstream(
        &folder,
        "solve a.mtx --rhs b.mtx --out x.mtx",
    ));
    let x = read_vector(&folder.path().join("x.mtx")).unwrap();
    assert!(
        x.iter()
            .enumerate()
            .all(|(i, x)| (x - (i + 1) as f64).abs() < 1e-2),
        "{x:?}"
    );

    let norm = |seed: u64| {
        let arguments = format!("solve a.mtx --rhs random:{seed} --json");
        number(&object(&mut fragstream(&folder, &arguments), 0), "norm_b")
    };
    assert_eq!(norm(1), norm(1));
    assert_ne!(norm(1), norm(2));
}

#[test]
fn a_start_is_gone_on_from_and_compressed_files_are_read() {
    let folder = folder_with("a.mtx", laplacian(30, 1.0));
    succeeds(&mut fragstream(&folder, "solve a.mtx --out x.mtx"));
    let again = "solve a.mtx --x0 x.mtx --json";
    let solution = object(&mut fragstream(&folder, again), 0);
    assert_eq!(number(&solution, "iterations"), 0.0);
    fs::write(
        folder.path().join("short.mtx"),
        "%%MatrixMarket matrix array real general\n1 1\n1\n",
    )
    .unwrap();
    let line = fails(&mut fragstream(&folder, "solve a.mtx --x0 short.mtx"), 2);
    assert_says(&line, &["short.mtx: ", "1 values", "30 rows"]);

    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(laplacian(30, 1.0).as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    fs::write(folder.path().join("a.mtx.gz"), &packed).unwrap();
    let packed_solution = object(&mut fragstream(&folder, "solve a.mtx.gz --json"), 0);
    assert_eq!(packed_solution["reason"], "converged");
    fs::write(
        folder.path().join("cut.mtx.gz"),
        &packed[..packed.len() / 2],
    )
    .unwrap();
    let line = fails(&mut fragstream(&folder, "solve cut.mtx.gz"), 2);
    assert_says(&line, &["cut.mtx.gz: gzip: "]);
}

#[test]
fn a_solution_beyond_all_numbers_is_not_finite_and_never_a_success_without_its_file() {
    let folder = folder_with("a.mtx", laplacian(3, 1e-300));
    let b = "%%MatrixMarket matrix array real general\n3 1\n1e30\n1e30\n1e30\n";
    fs::write(folder.path().join("b.mtx"), b).unwrap();
    let line = fails(
        &mut fragstream(&folder, "solve a.mtx --rhs b.mtx --out x.mtx"),
        3,
    );
    assert_says(&line, &["not-finite", "x.mtx was not written"]);
    assert_eq!(names(&folder), ["a.mtx", "b.mtx"]);
}

#[test]
fn a_right_hand_side_of_zeros_has_the_solution_zero() {
    let folder = folder_with("a.mtx", laplacian(5, 1.0));
    let b = "%%MatrixMarket matrix array real general\n5 1\n0\n0\n0\n0\n0\n";
    fs::write(folder.path().join("b.mtx"), b).unwrap();
    succeeds(&mut fragstream(
        &folder,
        "solve a.mtx --rhs b.mtx --out x.mtx",
    ));
    assert_eq!(read_vector(&folder.path().join("x.mtx")).unwrap(), [0.0; 5]);
}

#[test]
fn patterns_whole_numbers_and_symmetric_files_are_read() {
    let cases = [
        "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 2\n",
        "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 1\n2 2 1\n",
    ];
    for matrix in cases {
        let folder = folder_with("a.mtx", matrix);
        succeeds(&mut fragstream(&folder, "solve a.mtx --out x.mtx"));
        assert_eq!(read_vector(&folder.path().join("x.mtx")).unwrap(), [1.0; 2]);
    }
}

#[test]
fn a_wide_row_and_any_rectangle_give_the_same_solution() {
    // An arrow: row and column 1 full, 300 entries, which is more than one pass takes.
    let n = 300;
    let mut matrix = format!("{HEADER}{n} {n} {}\n1 1 {n}\n", 3 * n - 2);
    for i in 2..=n {
        matrix += &format!("{i} {i} 2\n1 {i} 1\n{i} 1 1\n");
    }
    let folder = folder_with("a.mtx", matrix);
    for rect in ["26x18", "1x1", "auto"] {
        let arguments = format!("solve a.mtx --rtol 1e-4 --rect {rect} --out x.mtx");
        succeeds(&mut fragstream(&folder, &arguments));
        let residual = residual_of_file(&folder, "a.mtx");
        assert!(residual < 2e-4 * f64::from(n).sqrt(), "{rect}: {residual}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5))]

    #[test]
    fn the_solution_scales_as_the_matrix_does_even_beyond_single_precision(
        exponent in -150_i32..150,
    ) {
        let scale = 10.0_f64.powi(exponent);
        let folder = folder_with("a.mtx", laplacian(20, scale));
        succeeds(&mut fragstream(&folder, "solve a.mtx --out x.mtx"));
        let x = read_vector(&folder.path().join("x.mtx")).unwrap();
        for (i, x) in (1..).zip(x) {
            // The discrete parabola.
            let exact = 0.5 * f64::from(i * (21 - i)) / scale;
            prop_assert!((x / exact - 1.0).abs() < 1e-3, "{x} for {exact}");
        }
    }
}
