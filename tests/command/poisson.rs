//! `fragstream poisson`.

use std::fs;
use std::path::Path;

use crate::command::support::*;
use fragstream::io::raw::{read_floats, write_floats};
use image::{GrayImage, Luma, RgbImage};
use proptest::prelude::*;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

fn object(folder: &TempDir, arguments: &str, code: i32) -> Value {
    let mut command = fragstream(folder, &format!("poisson {arguments} --json"));
    let assert = command.assert().code(code);
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

fn number(object: &Value, key: &str) -> f64 {
    object[key]
        .as_f64()
        .unwrap_or_else(|| panic!("{key} in {object}"))
}

fn refused(folder: &TempDir, arguments: &str) -> String {
    fails(&mut fragstream(folder, &format!("poisson {arguments}")), 2)
}

fn floats(path: &Path, count: usize) -> Vec<f64> {
    let numbers = read_floats(path, count).unwrap();
    numbers.into_iter().map(f64::from).collect()
}

fn picture(path: &Path) -> RgbImage {
    image::open(path).unwrap().to_rgb8()
}

/// The largest |g + lap u - sigma u| at inner nodes, by the five-point formula.
fn residual(u: &[f64], g: &[f64], [columns, rows]: [usize; 2], sigma: f64) -> f64 {
    let h = 1.0 / (rows - 1) as f64;
    let at = |k: usize| {
        let around = u[k - 1] + u[k + 1] + u[k - columns] + u[k + columns];
        (g[k] - (4.0 * u[k] - around) / (h * h) - sigma * u[k]).abs()
    };
    let inner = (1..rows - 1).flat_map(|j| (1..columns - 1).map(move |i| i + j * columns));
    inner.map(at).fold(0.0, f64::max)
}

#[test]
fn without_arguments_a_problem_with_a_known_solution_is_solved() {
    let text = succeeds(&mut fragstream(&tempdir().unwrap(), "poisson"));
    assert_says(
        &text,
        &["257 x 257", "converged", "V(0,3)", "factor", "error  "],
    );
}

#[test]
fn the_error_falls_by_four_as_h_halves_on_all_kinds_of_sides() {
    let folder = tempdir().unwrap();
    for boundary in ["dirichlet", "neumann", "d,n,n,d", "n,n,d,n"] {
        for sigma in [0.0, 3.5] {
            let error = |n: usize| {
                let size = format!("{}x{n}", 2 * n - 1);
                let line = format!("--size {size} --boundary {boundary} --sigma {sigma}");
                let solved = object(&folder, &line, 0);
                assert_eq!(solved["reason"], "converged");
                assert!(number(&solved, "residual_true") <= number(&solved, "tolerance"));
                number(&solved, "error_max")
            };
            let fall = error(17) / error(33);
            assert!((fall - 4.0).abs() < 0.4, "{boundary}, {sigma}: {fall}");
        }
    }
}

#[test]
fn the_numbers_written_solve_the_equation_in_the_order_of_the_nodes() {
    let folder = tempdir().unwrap();
    // A source low and left: u is largest there.
    let (columns, rows) = (65, 33);
    let source = 4 * columns + 10;
    let mut g = vec![0.5f32; columns * rows];
    g[source] = 1000.0;
    write_floats(&folder.path().join("g.f32"), g.iter().copied()).unwrap();
    let line = "poisson --size 65x33 --rhs g.f32 --sigma 2 --rtol 1e-7 --out u.f32";
    succeeds(&mut fragstream(&folder, line));
    let u = floats(&folder.path().join("u.f32"), g.len());
    let g: Vec<f64> = g.into_iter().map(f64::from).collect();
    let residual = residual(&u, &g, [columns, rows], 2.0);
    // u is rounded to single precision.
    let largest = u.iter().copied().fold(0.0, f64::max);
    assert!(
        residual < 8.0 * 32.0f64.powi(2) * 6e-8 * largest + 1e-4,
        "{residual}"
    );
    assert_eq!(largest, u[source]);
    assert!(u[..columns].iter().all(|&u| u == 0.0));
}

#[test]
fn a_formula_is_taken_at_the_nodes_from_the_lower_left() {
    let folder = tempdir().unwrap();
    let line = "poisson --size 33x17 --rhs -x^2+3*y --rtol 1e-7 --out u.f32";
    succeeds(&mut fragstream(&folder, line));
    let u = floats(&folder.path().join("u.f32"), 33 * 17);
    let place = |k: usize| ((k % 33) as f64 / 16.0, (k / 33) as f64 / 16.0);
    let g: Vec<f64> = (0..u.len())
        .map(place)
        .map(|(x, y)| 3.0 * y - x * x)
        .collect();
    let residual = residual(&u, &g, [33, 17], 0.0);
    assert!(residual < 1e-4, "{residual}");
}

#[test]
fn the_picture_shows_the_bottom_below_and_its_range_is_printed() {
    let folder = tempdir().unwrap();
    let mut g = vec![0.0f32; 33 * 33];
    g[4 * 33 + 10] = 1000.0;
    write_floats(&folder.path().join("g.f32"), g).unwrap();
    let text = succeeds(&mut fragstream(
        &folder,
        "poisson --size 33x33 --rhs g.f32 --out u.png",
    ));
    assert_says(&text, &["u.png: violet to yellow is 0.0000e0 to "]);
    let u = picture(&folder.path().join("u.png"));
    assert_eq!(u.dimensions(), (33, 33));
    assert_eq!(u.get_pixel(10, 32 - 4).0, [253, 231, 37]);
    assert_eq!(u.get_pixel(10, 0).0, [68, 1, 84]);

    // Around zero, what is to the left of the middle is red as what is to the right is blue.
    let line = "poisson --size 33x33 --rhs dipole --boundary neumann --out d.png";
    assert_says(
        &succeeds(&mut fragstream(&folder, line)),
        &["d.png: blue to red"],
    );
    let u = picture(&folder.path().join("d.png"));
    let [left, middle, right] = [8, 16, 24].map(|x| u.get_pixel(x, 16).0);
    assert_eq!([left, right], [[180, 4, 38], [59, 76, 192]]);
    let grey = middle.iter().all(|&c| c.abs_diff(221) <= 1);
    assert!(grey, "{middle:?}");
}

#[test]
fn a_picture_is_a_right_side_of_its_own_size_with_its_last_row_at_the_bottom() {
    let folder = tempdir().unwrap();
    let grey = |x: u32, y: u32| ((x * 7 + y * y) % 256) as u8;
    let image = GrayImage::from_fn(33, 17, |x, y| Luma([grey(x, y)]));
    image.save(folder.path().join("g.png")).unwrap();
    let numbers = (0..17)
        .rev()
        .flat_map(|y| (0..33).map(move |x| f32::from(grey(x, y)) / 255.0));
    write_floats(&folder.path().join("g.f32"), numbers).unwrap();
    succeeds(&mut fragstream(&folder, "poisson --rhs g.png --out a.f32"));
    succeeds(&mut fragstream(
        &folder,
        "poisson --rhs g.f32 --size 33x17 --out b.f32",
    ));
    let [a, b] = ["a.f32", "b.f32"].map(|name| floats(&folder.path().join(name), 33 * 17));
    let largest = a.iter().copied().fold(0.0, f64::max);
    assert!(largest > 1e-3);
    let differences = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
    assert!(differences.fold(0.0, f64::max) < 1e-5 * largest);
}

#[test]
fn a_picture_of_another_size_is_refused_or_resampled() {
    let folder = tempdir().unwrap();
    let image = GrayImage::from_pixel(50, 40, Luma([255]));
    image.save(folder.path().join("g.png")).unwrap();
    let unfit = refused(&folder, "--rhs g.png --out u.png");
    assert_says(&unfit, &["g.png: ", "50 x 40", "--fit"]);
    let line = refused(&folder, "--rhs g.png --size 65x65 --out u.png");
    assert_says(&line, &["g.png: ", "50x40", "65x65", "--fit"]);
    let line = refused(&folder, "--rhs g.png --size 60x60 --fit --out u.png");
    assert_says(&line, &["60 x 60"]);
    assert_says(&refused(&folder, "--rhs ones --fit"), &["--fit", "ones"]);
    assert_eq!(names(&folder), ["g.png"]);

    let fitted = object(&folder, "--rhs g.png --fit --out u.png", 0);
    let (columns, rows) = picture(&folder.path().join("u.png")).dimensions();
    assert_eq!(fitted["size"], serde_json::json!([columns, rows]));
    assert!(columns.abs_diff(50) <= 14 && rows.abs_diff(40) <= 14);
    assert_says(&unfit, &[&format!("{columns} x {rows}")]);
    // White stays white: the same as ones.
    let white = object(&folder, "--rhs g.png --fit --size 65x65", 0);
    let ones = object(&folder, "--rhs ones --size 65x65", 0);
    let ratio = number(&white, "u_max") / number(&ones, "u_max");
    assert!((ratio - 1.0).abs() < 1e-6, "{ratio}");
}

#[test]
fn every_choice_of_method_leads_to_the_same_solution() {
    let folder = tempdir().unwrap();
    let common = "--size 65x33 --boundary d,n,n,d --rhs random:3";
    let reference = object(&folder, common, 0);
    for choice in [
        "--cycle w",
        "--cycle fmg",
        "--cycle fmg --refine 0 --rtol 1e-4",
        "--pre 1 --post 1",
        "--pre 0 --post 3",
        "--coarsest jacobi",
        "--coarsest cg",
        "--stencils stored",
        "--layout scalar",
        "--border copy",
        "--omega 0.8",
        "--refine 1",
        "--refine",
        "--refine 0 --rtol 1e-4",
    ] {
        let solved = object(&folder, &format!("{common} {choice}"), 0);
        assert_eq!(solved["reason"], "converged", "{choice}");
        for key in ["u_min", "u_max"] {
            let difference = (number(&solved, key) - number(&reference, key)).abs();
            assert!(difference < 1e-3 * number(&reference, "u_max"), "{choice}");
        }
        let expected: Vec<&str> = choice.split_whitespace().collect();
        if let [option, value] = expected[..] {
            let given = &solved[option.trim_start_matches("--")];
            let given = given.as_str().map_or(given.to_string(), str::to_owned);
            assert_eq!(given, value, "{choice}");
        }
    }
}

#[test]
fn the_history_counts_cycles_from_zero_and_agrees_with_the_report() {
    let folder = tempdir().unwrap();
    for (method, step) in [
        ("--refine 0 --rtol 1e-3", 1),
        ("--refine 2", 2),
        ("--refine 3 --cycle fmg", 3),
        ("--refine 0 --cycle fmg --rtol 1e-3", 1),
    ] {
        let line = format!("--size 65x65 --rhs checker --history h.csv {method}");
        let solved = object(&folder, &line, 0);
        let text = fs::read_to_string(folder.path().join("h.csv")).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("cycle,residual"));
        let rows: Vec<(usize, f64)> = lines
            .map(|line| {
                let (cycle, residual) = line.split_once(',').unwrap();
                (cycle.parse().unwrap(), residual.parse().unwrap())
            })
            .collect();
        assert_eq!(rows[0].0, 0, "{method}");
        for pair in rows.windows(2) {
            assert!((1..=step).contains(&(pair[1].0 - pair[0].0)), "{method}");
        }
        let (first, last) = (rows[0], rows[rows.len() - 1]);
        assert!((first.1 / number(&solved, "norm_b") - 1.0).abs() < 1e-6);
        assert_eq!(last.0 as f64, number(&solved, "cycles"));
        assert!((last.1 / number(&solved, "residual") - 1.0).abs() < 1e-12);
        let factor = (last.1 / first.1).powf(1.0 / last.0 as f64);
        assert!((number(&solved, "factor") - factor).abs() < 0.1, "{method}");
        assert!(last.1 <= number(&solved, "tolerance"));
    }
}

#[test]
fn single_precision_ends_as_stagnated_and_names_the_remedy_which_helps() {
    let folder = tempdir().unwrap();
    let single = "poisson --size 129x129 --rhs ones --refine 0 --out u.f32 --history h.csv";
    let line = fails(&mut fragstream(&folder, single), 3);
    assert_says(&line, &["stagnated", "single precision", "--refine"]);
    // u is right to what single precision gives, and written.
    let u = floats(&folder.path().join("u.f32"), 129 * 129);
    let largest = u.iter().copied().fold(0.0, f64::max);
    assert!((largest / 0.073671 - 1.0).abs() < 1e-4, "{largest}");
    assert_eq!(names(&folder), ["h.csv", "u.f32"]);

    let refined = object(
        &folder,
        "--size 129x129 --rhs ones --refine 2 --rtol 1e-12",
        0,
    );
    assert!(number(&refined, "residual_true") <= 1e-12 * number(&refined, "norm_b"));
}

#[test]
fn the_end_of_double_precision_is_seen_at_once_and_told() {
    let folder = tempdir().unwrap();
    let line = fails(
        &mut fragstream(&folder, "poisson --size 65x65 --rhs ones --rtol 0"),
        3,
    );
    assert_says(
        &line,
        &["stagnated", "rounding u to double precision", "--rtol"],
    );
    let solved = object(&folder, "--size 65x65 --rhs ones --rtol 0", 3);
    // u is 0.04 on average, so that 8 |u| / h² times 2^-53 is 1.5e-13 a node. At 0.1 a cycle 14 cycles lead
    // there in three corrections, another sees that it is the end.
    assert!(number(&solved, "cycles") <= 20.0, "{solved}");
    let [residual, b] = ["residual_true", "norm_b"].map(|key| number(&solved, key));
    assert!(residual <= 2e-13 * b, "{solved}");
}

#[test]
fn too_few_cycles_are_exit_3_and_never_exceeded() {
    let folder = tempdir().unwrap();
    for method in ["", "--cycle fmg", "--refine 0", "--refine 0 --cycle fmg"] {
        for most in [1, 3] {
            let line = format!("--size 65x65 --rhs point {method} --maxiter {most} --rtol 1e-6");
            let solved = object(&folder, &line, 3);
            assert_eq!(solved["reason"], "max-iterations", "{method}");
            assert!(number(&solved, "cycles") <= f64::from(most), "{method}");
        }
    }
    let line = fails(
        &mut fragstream(&folder, "poisson --size 65x65 --maxiter 1"),
        3,
    );
    assert_says(&line, &["max-iterations", "1 cycles", "--maxiter"]);
}

#[test]
fn a_cycle_that_diverges_leaves_its_history_and_no_solution() {
    let cases = [
        ("--omega 2.5", "--omega"),
        ("--omega 2.5 --refine 0", "--omega"),
        ("--sigma -1000", "--sigma"),
        ("--omega 1e30 --refine 0", "--omega"),
    ];
    for (options, remedy) in cases {
        let folder = tempdir().unwrap();
        let line = format!("poisson --size 65x65 --rhs ones {options}");
        let line = format!("{line} --out u.png --history h.csv");
        let line = fails(&mut fragstream(&folder, &line), 3);
        assert_says(&line, &["diverged", remedy, "u.png was not written"]);
        assert_eq!(names(&folder), ["h.csv"]);
        let history = fs::read_to_string(folder.path().join("h.csv")).unwrap();
        assert!(history.lines().count() >= 3, "{history}");
    }
}

#[test]
fn a_neumann_problem_without_a_solution_is_refused_or_loses_its_mean() {
    let folder = tempdir().unwrap();
    let neumann = "--size 65x65 --boundary neumann --rhs point --out u.f32";
    let line = refused(&folder, neumann);
    assert_says(
        &line,
        &["mean zero", "--remove-mean", "dirichlet", "--sigma"],
    );
    assert!(names(&folder).is_empty());

    let solved = object(&folder, &format!("{neumann} --remove-mean"), 0);
    // The source has strength one, and the area is one.
    assert!((number(&solved, "removed_mean") - 1.0).abs() < 1e-5);
    let u = floats(&folder.path().join("u.f32"), 65 * 65);
    let mean = u.iter().sum::<f64>() / u.len() as f64;
    assert!(mean.abs() < 0.02 * number(&solved, "u_max"), "{mean}");
    // Otherwise there is a solution, and nothing to take off.
    for sides in ["--boundary neumann --sigma 1", "--boundary d,n,n,n"] {
        let line = format!("--size 65x65 --rhs point --remove-mean {sides}");
        assert_eq!(object(&folder, &line, 0)["removed_mean"], 0.0);
    }
}

#[test]
fn nothing_to_do_is_no_error() {
    let folder = tempdir().unwrap();
    write_floats(&folder.path().join("g.f32"), [0.0; 25]).unwrap();
    let line = "--size 5x5 --rhs g.f32 --out u.png";
    let solved = object(&folder, line, 0);
    assert_eq!(solved["reason"], "converged");
    assert_eq!(number(&solved, "u_max"), 0.0);
    assert_eq!(picture(&folder.path().join("u.png")).dimensions(), (5, 5));
    for size in ["3x3", "3x5", "9x3"] {
        for boundary in ["d", "d,n,d,n"] {
            let line = format!("poisson --size {size} --boundary {boundary}");
            succeeds(&mut fragstream(&folder, &line));
        }
    }
}

#[test]
fn bad_arguments_are_one_line_with_a_remedy() {
    let folder = tempdir().unwrap();
    let white = GrayImage::from_pixel(5, 5, Luma([255]));
    white.save(folder.path().join("g.png")).unwrap();
    for (arguments, parts) in [
        ("--size 100x100", &["100 x 100", "coarsened"][..]),
        ("--size 258x257", &["258 x 257", "coarsened"]),
        ("--size 1x1", &["1 x 1", "3 x 3"]),
        ("--size 257", &["as in 513x129"]),
        ("--size 0x99999999999", &["at most 1048576"]),
        ("--size 1048577x1048577", &["1048577x1048577"]),
        (
            "--rhs g.png --fit --size 1048577x1048577",
            &["1048577x1048577"],
        ),
        ("--boundary robin", &["dirichlet, neumann or periodic"]),
        ("--boundary dirichlt", &["did you mean dirichlet?"]),
        ("--boundary d,n", &["left,right,bottom,top"]),
        ("--sigma inf", &["finite"]),
        ("--rhs sin", &["did you mean sine?"]),
        ("--rhs random", &["random:1"]),
        ("--rhs random:-1", &["random:1"]),
        ("--rhs g.jpg", &[".png"]),
        ("--rhs sinn(x)*y", &["column 1", "did you mean sin?"]),
        ("--rhs 1/x", &["--rhs 1/x is inf at (0, 0)"]),
        ("--cycle u", &["v, w, fmg"]),
        ("--pre -1", &["-1"]),
        ("--pre 0 --post 0", &["--pre 0", "sweep"]),
        ("--omega 0", &["above 0"]),
        ("--rtol -1", &["at least 0"]),
        ("--maxiter 0", &["one at least"]),
        ("--coarsest lu", &["jacobi"]),
        ("--out u.jpg", &[".png or .f32"]),
        ("--size 17x17 --sigma 1e300", &["right-hand side", "finite"]),
    ] {
        let line = refused(&folder, &format!("{arguments} --history h.csv"));
        assert_says(&line, parts);
    }
    assert_eq!(names(&folder), ["g.png"]);
}

#[test]
fn bad_files_are_named_and_nothing_is_written() {
    let folder = tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    write_floats(&file("short.f32"), [1.0; 24]).unwrap();
    fs::write(file("odd.f32"), [0; 101]).unwrap();
    let mut numbers = [1.0; 25];
    numbers[7] = f32::NEG_INFINITY;
    write_floats(&file("infinite.f32"), numbers).unwrap();
    let good = GrayImage::from_pixel(5, 5, Luma([9]));
    good.save(file("good.png")).unwrap();
    let bytes = fs::read(file("good.png")).unwrap();
    fs::write(file("cut.png"), &bytes[..bytes.len() - 20]).unwrap();
    fs::write(file("text.png"), "not a picture").unwrap();
    fs::write(file("empty.exr"), "").unwrap();
    let before = names(&folder);
    for (name, parts) in [
        ("short.f32", &["96 bytes", "are 100", "5x5"][..]),
        ("odd.f32", &["101 bytes", "are 100"]),
        ("infinite.f32", &["byte 28", "number 7", "-inf", "finite"]),
        ("missing.f32", &["cannot read"]),
        ("cut.png", &["cannot read", "give a picture"]),
        ("text.png", &["cannot read", "give a picture"]),
        ("empty.exr", &["cannot read", "give a picture"]),
        ("missing.png", &["cannot read", "give the path"]),
    ] {
        let size = if name.ends_with(".f32") {
            "--size 5x5"
        } else {
            ""
        };
        let line = format!("--rhs {name} {size} --out u.png --history h.csv");
        let line = refused(&folder, &line);
        assert_says(&line, &[&format!("fragstream: {name}: ")]);
        assert_says(&line, parts);
    }
    assert_eq!(names(&folder), before);
}

#[test]
fn bad_input_is_found_before_a_driver_is_needed() {
    let folder = tempdir().unwrap();
    for arguments in ["poisson --size 100x100", "poisson --rhs missing.f32"] {
        let mut command = fragstream(&folder, arguments);
        let line = fails(command.env("FRAGSTREAM_DEVICE", "99"), 2);
        assert!(!line.contains("FRAGSTREAM_DEVICE"), "{line}");
    }
}

#[test]
fn results_that_cannot_be_written_are_exit_2_and_leave_nothing() {
    let folder = tempdir().unwrap();
    fs::create_dir(folder.path().join("folder.png")).unwrap();
    for arguments in [
        "--out no/such/u.png",
        "--out folder.png",
        "--history no/such/h.csv",
        "--history .",
    ] {
        let line = refused(&folder, &format!("--size 17x17 {arguments}"));
        let path = arguments.split_whitespace().last().unwrap();
        assert_says(&line, &[&format!("fragstream: {path}: ")]);
    }
    let line = refused(&folder, "--size 17x17 --out u.f32 --history u.f32");
    assert_says(&line, &["u.f32: ", "two files"]);
    if cfg!(target_os = "linux") {
        let line = refused(&folder, "--size 17x17 --history /dev/full");
        assert_says(&line, &["/dev/full", "No space left"]);
        for name in ["full.png", "full.f32"] {
            std::os::unix::fs::symlink("/dev/full", folder.path().join(name)).unwrap();
            let line = refused(&folder, &format!("--size 17x17 --out {name}"));
            assert_says(&line, &[name, "No space left"]);
            fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
    assert_eq!(names(&folder), ["folder.png"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5))]

    #[test]
    fn the_solution_scales_as_the_right_side_does(exponent in -30_i32..35) {
        let folder = tempdir().unwrap();
        let scale = 10f32.powi(exponent);
        write_floats(&folder.path().join("g.f32"), vec![scale; 17 * 17]).unwrap();
        let scaled = object(&folder, "--size 17x17 --rhs g.f32", 0);
        let ones = object(&folder, "--size 17x17 --rhs ones", 0);
        let ratio = number(&scaled, "u_max") / number(&ones, "u_max") / f64::from(scale);
        prop_assert!((ratio - 1.0).abs() < 1e-4, "{ratio}");
    }
}
