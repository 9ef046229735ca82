//! `fragstream solve`, and what it refuses: one line, a fitting exit code, and nothing written.

use std::fs;

use crate::command::support::*;

/// What is wrong with a matrix file, and what the message says beside the file's name.
const BAD_MATRICES: [(&str, &str, &[&str]); 14] = [
    ("empty file", "", &["line 1"]),
    ("no banner", "2 2 1\n1 1 1\n", &["line 1", "%%MatrixMarket"]),
    (
        "dense",
        "%%MatrixMarket matrix array real general\n1 1\n1\n",
        &["line 1", "coordinate"],
    ),
    (
        "truncated",
        "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n",
        &["1 of 2"],
    ),
    (
        "malformed",
        "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 x\n",
        &["line 4"],
    ),
    (
        "not a number",
        "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 nan\n",
        &["line 3"],
    ),
    (
        "out of range",
        "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n",
        &["line 3", "column 3"],
    ),
    (
        "index zero",
        "%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n",
        &["line 3", "row 0"],
    ),
    (
        "no rows",
        "%%MatrixMarket matrix coordinate real general\n0 0 0\n",
        &["empty"],
    ),
    (
        "not square",
        "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n",
        &["2 x 3", "square"],
    ),
    (
        "not symmetric",
        "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n2 2 1\n1 2 0.5\n",
        &[
            "not symmetric",
            "row 1, column 2 is 0.5",
            "row 2, column 1 it is 0",
        ],
    ),
    (
        "zero on the diagonal",
        "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 0\n3 3 1\n",
        &["row 2 (counted from 1) is 0"],
    ),
    (
        "nothing on the diagonal",
        "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n2 2 1\n",
        &["row 3 (counted from 1) has no entry"],
    ),
    (
        "negative on the diagonal",
        "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 -3\n",
        &["row 2 (counted from 1) is -3"],
    ),
];

#[test]
fn a_bad_matrix_is_one_line_with_its_place_and_nothing_is_written() {
    for (what, contents, parts) in BAD_MATRICES {
        let folder = folder_with("bad.mtx", contents);
        for method in ["cg", "pcg"] {
            let arguments = format!("solve bad.mtx --method {method} --out x.mtx --history h.csv");
            let line = fails(&mut fragstream(&folder, &arguments), 2);
            assert_says(&line, &["bad.mtx: "]);
            assert_says(&line, parts);
        }
        assert_eq!(names(&folder), ["bad.mtx"], "{what}");
    }
}

#[test]
fn a_diagonal_entry_that_counts_as_zero_is_shown_and_no_pattern_is_drawn() {
    let folder = folder_with("a.mtx", format!("{HEADER}2 2 2\n1 1 3.5e62\n2 2 1e300\n"));
    let arguments = "solve a.mtx --method gauss-seidel --spy s.png";
    let line = fails(&mut fragstream(&folder, arguments), 2);
    let says =
        "row 1 (counted from 1) is 3.5e62, next to the largest entry zero in single precision";
    assert_says(&line, &[says]);
    assert_eq!(names(&folder), ["a.mtx"]);
}

#[test]
fn a_bad_right_hand_side_is_named() {
    let folder = folder_with("a.mtx", laplacian(3, 1.0));
    let banner = "%%MatrixMarket matrix array real general\n";
    let cases = [
        ("4 1\n1\n1\n1\n1\n", "4 values"),
        ("3 2\n1\n1\n1\n1\n1\n1\n", "one column"),
        ("3 1\n1\n1\n", "2 of 3"),
        ("3 1\n1\n1\ninf\n", "line 5"),
    ];
    for (contents, part) in cases {
        fs::write(folder.path().join("b.mtx"), format!("{banner}{contents}")).unwrap();
        let line = fails(
            &mut fragstream(&folder, "solve a.mtx --rhs b.mtx --out x.mtx"),
            2,
        );
        assert_says(&line, &["b.mtx: ", part]);
    }
    let line = fails(&mut fragstream(&folder, "solve a.mtx --rhs c.mtx"), 2);
    assert_says(&line, &["c.mtx: "]);
    assert_eq!(names(&folder), ["a.mtx", "b.mtx"]);
}

#[test]
fn results_that_cannot_be_written_are_exit_2_and_leave_nothing() {
    let folder = folder_with("a.mtx", laplacian(3, 1.0));
    for option in ["--out", "--history"] {
        for path in ["no/such/folder", "."] {
            let line = fails(
                &mut fragstream(&folder, &format!("solve a.mtx {option} {path}")),
                2,
            );
            assert_says(&line, &[path]);
        }
        if cfg!(target_os = "linux") {
            let arguments = format!("solve a.mtx {option} /dev/full");
            let line = fails(&mut fragstream(&folder, &arguments), 2);
            assert_says(&line, &["/dev/full", "No space left"]);
        }
    }
    let arguments = "solve a.mtx --out both --history both";
    assert_says(
        &fails(&mut fragstream(&folder, arguments), 2),
        &["both: ", "two files"],
    );
    assert_eq!(names(&folder), ["a.mtx"]);
}

#[test]
fn a_problem_over_the_texture_limit_is_exit_2() {
    let folder = folder_with("a.mtx", laplacian(3, 1.0));
    let line = fails(
        &mut fragstream(&folder, "solve a.mtx --rect 1000000x1 --out x.mtx"),
        2,
    );
    assert_says(&line, &["1000000x1", "Choose sides"]);
    assert_eq!(names(&folder), ["a.mtx"]);
}

#[test]
fn without_texture_barriers_solve_names_a_method_and_layouts_keep_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let without_barriers = |arguments: &str| {
        let mut command = fragstream(&folder, arguments);
        command.env("MESA_GL_VERSION_OVERRIDE", "3.3").env(
            "MESA_EXTENSION_OVERRIDE",
            "-GL_ARB_texture_barrier -GL_NV_texture_barrier",
        );
        command
    };
    for method in ["lu", "gauss-seidel"] {
        let arguments = format!("solve bcsstk01 --method {method}");
        let line = fails(&mut without_barriers(&arguments), 4);
        assert_says(&line, &[method, "texture barrier", "bicgstab"]);
    }
    let output = without_barriers("layouts --grid 17 --rounds 1")
        .output()
        .unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert_says(
        &table,
        &[
            "quadrants, border copied: not timed",
            "quadrants, border fused  ",
        ],
    );
}
