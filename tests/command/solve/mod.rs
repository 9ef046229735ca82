//! `fragstream solve`: what it is given, what it says, and how it ends.

mod methods;
mod refusals;

use std::fs;
use std::io::Write;

use crate::command::support::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use fragstream::io::matrix_market::{read_matrix, read_vector};
use fragstream::solver::{Csr, true_residual};
use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

pub fn object(command: &mut assert_cmd::Command, code: i32) -> Value {
    let assert = command.assert().code(code);
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

pub fn number(object: &Value, key: &str) -> f64 {
    object[key]
        .as_f64()
        .unwrap_or_else(|| panic!("{key} in {object}"))
}

/// ‖b − A x‖ of what was written to x.mtx, for b = ones.
pub fn residual_of_file(folder: &TempDir, matrix: &str) -> f64 {
    let a = read_matrix(&folder.path().join(matrix)).unwrap();
    let entries = a.entries.iter();
    let triplets = entries.map(|&(row, column, value)| (row as usize, column as usize, value));
    let a = Csr::from_triplets(a.rows as usize, a.columns as usize, triplets).unwrap();
    let x = read_vector(&folder.path().join("x.mtx")).unwrap();
    true_residual(&a, &vec![1.0; x.len()], &x).unwrap().norm
}

pub fn folder_with_bundled(name: &str) -> TempDir {
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
        // One has 13 diagonals, the others hundreds.
        let suited = ["rows", "quarters"][usize::from(name == "knot.mtx")];
        assert_eq!(solution["layout"], suited);
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

#[test]
fn a_bundled_matrix_goes_by_its_name_unless_there_is_such_a_file() {
    let folder = TempDir::new().expect("a folder");
    let solution = object(&mut fragstream(&folder, "solve bcsstk01 --json"), 0);
    assert_eq!(solution["reason"], "converged");
    let folder = folder_with("bcsstk01", "no matrix");
    fragstream(&folder, "solve bcsstk01").assert().code(2);
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
            &["a.mtx: ", "20164x", "texels", "per side", elsewhere],
        );
    }
    let limited = "solve a.mtx --layout points --limit 100kB";
    assert_says(
        &fails(&mut fragstream(&folder, limited), 2),
        &[
            "a.mtx: ",
            "0.4 MB",
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
    let mut command = fragstream(&folder, "solve a.mtx --rhs b.mtx --method pcg --json");
    assert_eq!(object(&mut command, 3)["reason"], "indefinite");
    assert_says(&fails(&mut command, 3), &["a.mtx", "not positive definite"]);
}

#[test]
fn numbers_beyond_single_precision_are_not_finite() {
    // Every entry is a number in single precision, but not the second one of D⁻¹ A p.
    let matrix = format!("{HEADER}2 2 4\n1 1 1\n2 2 1e-38\n1 2 1e38\n2 1 1e38\n");
    let folder = folder_with("a.mtx", matrix);
    let mut command = fragstream(
        &folder,
        "solve a.mtx --method pcg --refine 0 --out x.mtx --json",
    );
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
    // An arrow: row and column 1 full, 220 entries, which is more than one pass takes.
    let n = 220;
    let mut matrix = format!("{HEADER}{n} {n} {}\n1 1 {n}\n", 3 * n - 2);
    for i in 2..=n {
        matrix += &format!("{i} {i} 2\n1 {i} 1\n{i} 1 1\n");
    }
    let folder = folder_with("a.mtx", matrix);
    for rect in ["26x18", "1x1", "128x64"] {
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
