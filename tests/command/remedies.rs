//! The remedies in the messages of solves: each is taken literally, and then the solve converges.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::command::support::*;
use fragstream::base::random::SplitMix64;
use fragstream::io::matrix_market::{read_matrix, read_vector, write_matrix, write_vector};
use fragstream::solve::Method;
use fragstream::solver::dense::Lu;
use fragstream::solver::{Csr, true_residual};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// A matrix of a few entries, by rows.
fn dense<const N: usize>(rows: [[f64; N]; N]) -> String {
    let mut text = format!("{HEADER}{N} {N} {}\n", N * N);
    for (i, row) in (1..).zip(rows) {
        for (j, entry) in (1..).zip(row) {
            writeln!(text, "{i} {j} {entry:e}").unwrap();
        }
    }
    text
}

/// A vector.
fn vector(entries: &[f64]) -> String {
    let lines: Vec<String> = entries.iter().map(|entry| format!("{entry:e}\n")).collect();
    format!("%%MatrixMarket matrix array real general\n{} 1\n{}", entries.len(), lines.concat())
}

/// The square of the Laplacian on a line, whose condition number is about n⁴ / 6.
fn biharmonic(n: usize) -> String {
    let weights = [6.0, -4.0, 1.0];
    let entries = (0..n).flat_map(|i| (i.saturating_sub(2)..n.min(i + 3)).map(move |j| (i, j)));
    let of = |(i, j): (usize, usize)| {
        let is_end = i == j && (i == 0 || i + 1 == n);
        format!("{} {} {}\n", i + 1, j + 1, weights[i.abs_diff(j)] - f64::from(is_end))
    };
    let lines: Vec<String> = entries.map(of).collect();
    format!("{HEADER}{n} {n} {}\n{}", lines.len(), lines.concat())
}

/// The square of the Laplacian with its first row once more instead of the last.
fn twice(n: usize) -> String {
    let text = biharmonic(n);
    let (first, last) = ("1 ".to_owned(), format!("{n} "));
    let lines: Vec<&str> = text.lines().skip(2).collect();
    let of = |row: &str| lines.iter().filter(|line| line.starts_with(row)).collect::<Vec<_>>();
    let again = of(&first).into_iter().map(|line| line.replacen(&first, &last, 1));
    let others = lines.iter().filter(|line| !line.starts_with(&last)).map(|line| line.to_string());
    let lines: Vec<String> = others.chain(again).chain([format!("{n} {n} 0")]).collect();
    format!("{HEADER}{n} {n} {}\n{}\n", lines.len(), lines.join("\n"))
}

/// Strongly dominant rows times powers of two from −40 to 40.
fn mixed_units(n: usize) -> String {
    let mut random = SplitMix64::new(n as u64);
    let mut lines = Vec::new();
    for i in 1..=n {
        let size = 2_f64.powi((80.0 * random.uniform()).round() as i32 - 40);
        lines.push(format!("{i} {i} {:e}\n", 8.0 * size));
        let other = i % n + 1;
        lines.push(format!("{i} {other} {:e}\n", size * random.signed()));
    }
    format!("{HEADER}{n} {n} {}\n{}", lines.len(), lines.concat())
}

fn matrix(file: &Path) -> Csr<f64> {
    let a = read_matrix(file).unwrap();
    let entries = a.entries.iter().map(|&(i, j, value)| (i as usize, j as usize, value));
    Csr::from_triplets(a.rows as usize, a.columns as usize, entries).unwrap()
}

/// Changes the entries of a.mtx.
fn change_matrix(folder: &TempDir, change: impl Fn(usize, usize, f64) -> f64) {
    let file = folder.path().join("a.mtx");
    let a = matrix(&file);
    let changed = a.triplets().map(|(i, j, value)| (i, j, change(i, j, value)));
    write_matrix(&file, [a.rows(), a.columns()], a.entries(), changed).unwrap();
}

/// Changes the entries of b.mtx.
fn change_vector(folder: &TempDir, change: impl Fn(usize, f64) -> f64) {
    let file = folder.path().join("b.mtx");
    let b = read_vector(&file).unwrap();
    let b: Vec<f64> = (0..).zip(b).map(|(i, value)| change(i, value)).collect();
    write_vector(&file, &b).unwrap();
}

/// The line without options and their values.
fn without(line: &str, options: &[&str]) -> String {
    let mut words = line.split(' ').peekable();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if !options.contains(&word) {
            kept.push(word);
        } else if words.peek().is_some_and(|next| !next.starts_with("--")) {
            words.next();
        }
    }
    kept.join(" ")
}

/// The remedies of a message: what follows the last colon, or else the last sentence.
fn remedies(message: &str) -> Vec<String> {
    let message = message.trim().trim_end_matches('.');
    let message = message.split("\n\n").next().unwrap().trim_end_matches('.');
    let last = message.rsplit(". ").next().unwrap();
    let last = last.rsplit(": ").next().unwrap();
    last.split(", or ").map(|remedy| remedy[..1].to_lowercase() + &remedy[1..]).collect()
}

/// The line with a tolerance that twice the residual of the failed solve meets.
fn larger_tolerance(line: &str, message: &str, folder: &TempDir) -> String {
    let after = |word: &str| -> f64 {
        let rest = message.split(word).nth(1).unwrap();
        rest.split([',', ' ']).next().unwrap().trim_end_matches('.').parse().unwrap()
    };
    let output = fragstream(folder, &format!("{line} --json")).output().unwrap();
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let share = after("residual ") / after("tolerance ");
    let rtol = (number(&object, "/experiment/settings/rtol") * 2.0 * share).min(1.0);
    format!("{} --rtol {rtol:e}", without(line, &["--rtol"]))
}

/// Takes a remedy. Returns the new line; `None` if the system was solved elsewhere.
fn take(remedy: &str, line: &str, message: &str, folder: &TempDir) -> Option<String> {
    let value =
        |option: &str| line.split(option).nth(1).map(|rest| rest.split(' ').nth(1).unwrap());
    let path = |name: &str| folder.path().join(name);
    if let Some(options) = remedy.strip_prefix("leave out ") {
        let options = options.split(',').next().unwrap();
        let options: Vec<&str> = options.split(' ').filter(|w| w.starts_with("--")).collect();
        return Some(without(line, &options));
    }
    if let Some(rest) = remedy.strip_prefix("try --method lu") {
        assert!(rest.is_empty() || rest.starts_with(" (about "), "{remedy}");
        return Some(without(line, &["--method"]) + " --method lu");
    }
    if let Some(method) = Some(remedy.trim_start_matches("take the method "))
        && Method::ALL.iter().any(|one| one.to_string() == method)
    {
        return Some(without(line, &["--method", "--layout"]) + " --method " + method);
    }
    if let Some(layout) = remedy.strip_prefix("take the layout ") {
        return Some(without(line, &["--layout"]) + " --layout " + layout);
    }
    Some(match remedy {
        "choose a larger --rtol" if ["heat", "tone", "smoo"].contains(&&line[..4]) => {
            larger_tolerance(line, message, folder)
        }
        "choose a larger --rtol" => {
            let found = object(folder, line, 3);
            // That of `fem` is relative already.
            let share = match found.get("defect_true") {
                Some(share) => share.as_f64().unwrap(),
                None => number(&found, "/residual_true") / number(&found, "/norm_b"),
            };
            let rtol = 1.01 * share;
            format!("{} --rtol {rtol:e}", without(line, &["--rtol"]))
        }
        "allow more with --maxiter" if !line.contains("--maxiter") => {
            format!("{line} --maxiter 100000")
        }
        "allow corrections with --refine" => without(line, &["--refine"]),
        "choose another --size" => without(line, &["--size"]),
        "give them the same sign" => line.replace("beta=-", "beta="),
        "choose a smaller --lambda-dt" => without(line, &["--lambda-dt"]),
        // More are allowed by default.
        "allow more iterations with --maxiter" | "allow more with --maxiter" => {
            without(line, &["--maxiter"])
        }
        "allow more corrections with --refine" => without(line, &["--refine"]),
        "allow more" => without(line, &["--limit"]),
        "choose a smaller --omega" => {
            let omega: f64 = value("--omega").unwrap().parse().unwrap();
            format!("{} --omega {}", without(line, &["--omega"]), omega / 3.2)
        }
        "choose --sigma 0 or more" => without(line, &["--sigma"]) + " --sigma 0",
        "scale b down" => {
            change_vector(folder, |_, b| b * 1e-200);
            line.to_owned()
        }
        "scale b up" => {
            change_vector(folder, |_, b| b * 1e200);
            line.to_owned()
        }
        "scale the rows of A and b to one size" => {
            let a = matrix(&path("a.mtx"));
            let size = |row| a.row(row).map(|(_, value)| value.abs()).fold(0.0, f64::max);
            change_matrix(folder, |row, _, value| value / size(row));
            change_vector(folder, |row, b| b / size(row));
            line.to_owned()
        }
        "correct the matrix" | "correct the matrix or b" | "correct it" => {
            change_matrix(folder, |i, j, value| value + f64::from(i == j));
            line.to_owned()
        }
        "use a sparse direct solver in double precision, such as SciPy's spsolve" => {
            let a = matrix(&path("a.mtx"));
            let b = match value("--rhs") {
                Some(name) => read_vector(&path(name)).unwrap(),
                None => vec![1.0; a.rows()],
            };
            let x = Lu::new(a.rows(), a.to_dense()).unwrap().solve(1, &b);
            let residual = true_residual(&a, &b, &x).unwrap().norm;
            let tolerance = number(&object(folder, line, 3), "/tolerance");
            assert!(residual <= tolerance, "{line}: {residual:e} {tolerance:e}");
            return None;
        }
        _ => panic!("{line}: nobody knows how to take `{remedy}`"),
    })
}

#[test]
fn every_remedy_of_a_failed_solve_leads_to_a_solution() {
    let rotation = [[0.0, 1.0], [-1.0, 0.0]];
    let indefinite = [[1.0, 2.0], [2.0, 1.0]];
    let singular = [[1.0, 2.0], [2.0, 4.0]];
    let thirds = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]];
    let nearly = [[1.0, 1.0, 0.3], [1.0, 1.0 + 3e-8, 0.0], [0.0, 0.0, 1.0]];
    let hilbert = |n: usize| {
        let entries = (1..=n).flat_map(|i| (1..=n).map(move |j| (i, j)));
        let line = |(i, j): (usize, usize)| format!("{i} {j} {:e}\n", 1.0 / (i + j - 1) as f64);
        format!("{HEADER}{n} {n} {}\n{}", n * n, entries.map(line).collect::<String>())
    };
    // The exit code, a matrix, b, the line, and words of the reason with the number of remedies.
    let cases = [
        (3, laplacian(63, 1.0), vec![], "--maxiter 3", "max-iterations", 2),
        (3, biharmonic(60), vec![], "--refine 1 --method lu", "max-iterations", 1),
        (3, biharmonic(20), vec![], "--refine 0", "stagnated", 2),
        (3, biharmonic(20), vec![], "--refine 0 --method cg", "condition number", 2),
        (3, mixed_units(60), vec![1.0; 60], "--rhs b.mtx", "double precision", 1),
        (3, laplacian(63, 1.0), vec![], "--rhs random:1 --rtol 1e-17", "double precision", 1),
        (3, dense(indefinite), vec![1.0, -1.0], "--rhs b.mtx --method pcg", "definite", 1),
        (3, dense(rotation), vec![], "--method bicgstab --layout rows", "orthogonal", 1),
        (3, dense(rotation), vec![], "--rect 2x1", "orthogonal", 1),
        (3, dense(nearly), vec![], "", "orthogonal", 1),
        (3, dense(nearly), vec![], "--method lu", "nearly so in single", 2),
        (3, hilbert(12), vec![], "", "definite", 1),
        (3, dense([[1.0, 3.0], [3.0, 1.0]]), vec![], "--method gauss-seidel", "Sweeps", 1),
        (3, dense([[1.0, 0.0], [0.0, 1e-39]]), vec![], "", "left the range", 1),
        (3, dense([[1.0, 0.0], [0.0, 1e-39]]), vec![], "--refine 0", "diagonal", 1),
        (3, dense([[1e-200]]), vec![1e200], "--rhs b.mtx", "largest double", 1),
        (3, dense([[1e200]]), vec![1e-200], "--rhs b.mtx", "smallest double", 1),
        (3, dense(singular), vec![], "", "no x has a residual below", 1),
        (
            3,
            dense(thirds),
            vec![0.123456789, 0.987654321, 1.851851853],
            "--rhs b.mtx --rtol 1e-17",
            "singular",
            1,
        ),
        (3, twice(60), vec![], "", "The matrix is singular to double precision: correct", 1),
        (2, dense([[-1.0, 0.0], [0.0, 2.0]]), vec![], "--method cg", "positive diagonal", 2),
        (2, dense([[0.0, 1.0], [1.0, 1.0]]), vec![], "--method gauss-seidel", "zero pivot", 1),
        (2, dense([[2.0, 1.0], [0.0, 2.0]]), vec![], "--method minres", "not symmetric", 2),
        (2, laplacian(600, 1.0), vec![], "--layout columns --limit 1MB", "over the limit", 2),
        (2, laplacian(300, 1.0), vec![], "--method lu --limit 1MB", "over the limit", 2),
    ];
    let mut wrong = Vec::new();
    for (code, a, b, options, reason, count) in cases {
        let folder = || {
            let folder = tempdir().unwrap();
            fs::write(folder.path().join("a.mtx"), &a).unwrap();
            fs::write(folder.path().join("b.mtx"), vector(&b)).unwrap();
            folder
        };
        let line = format!("solve a.mtx {options}");
        wrong.extend(follow(&folder, code, line.trim(), reason, count));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Faults of a message: without the reason, with another number of remedies, or with one that does not lead to a solution.
fn follow(
    folder: &dyn Fn() -> TempDir,
    code: i32,
    line: &str,
    reason: &str,
    count: usize,
) -> Vec<String> {
    let message = fails(&mut fragstream(&folder(), line), code);
    let remedies = remedies(&message);
    if !message.contains(reason) || remedies.len() != count {
        return vec![format!("{line}: {reason}, {count}: {message}")];
    }
    let taken = |remedy: &String| {
        let folder = folder();
        let line = take(remedy, line, &message, &folder)?;
        let output = fragstream(&folder, &line).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        (output.status.code() != Some(0)).then(|| format!("{remedy}: {line}: {text}"))
    };
    remedies.iter().filter_map(taken).collect()
}

#[test]
fn every_remedy_of_failed_cycles_leads_to_a_solution() {
    let prolongation = |n: usize| {
        let mut text = format!("{HEADER}{} {n} {}\n", 2 * n + 1, 3 * n);
        for j in 1..=n {
            let (before, at, after) = (2 * j - 1, 2 * j, 2 * j + 1);
            text += &format!("{before} {j} 0.5\n{at} {j} 1\n{after} {j} 0.5\n");
        }
        text
    };
    let folder = || {
        let folder = folder_with("a.mtx", laplacian(63, 1.0));
        fs::write(folder.path().join("p.mtx"), prolongation(31)).unwrap();
        folder
    };
    let mut wrong = Vec::new();
    let neumann = "poisson --size 33 --boundary neumann --refine 0";
    for (line, reason, count) in [
        ("solve a.mtx --method multigrid --prolongation p.mtx --omega 2", "diverged", 1),
        ("poisson --size 65 --rhs ones --maxiter 3", "max-iterations", 1),
        ("poisson --size 65 --rhs ones --omega 2.5", "diverged", 1),
        ("poisson --size 65 --rhs ones --omega 2.5 --pre 8 --post 8", "not-finite", 1),
        ("poisson --size 65 --rhs ones --refine 0 --rtol 1e-9", "stagnated", 2),
        ("poisson --size 65 --rhs ones --rtol 0", "double precision alone", 1),
        ("poisson --size 65 --rhs ones --sigma -1000", "negative", 1),
        (&format!("{neumann} --sigma 1e-3 --rhs ones"), "hardly change the mean", 1),
        (&format!("{neumann} --sigma 1e-6 --rhs random:1"), "stagnated", 2),
        ("fem blood --levels 2 --omega 1 --pre 4 --post 4", "diverged", 1),
        ("fem circle --levels 3 --maxiter 1", "max-iterations", 1),
        ("fem circle --levels 3 --precision single --rtol 1e-12", "stagnated", 1),
    ] {
        wrong.extend(follow(&folder, 3, line, reason, count));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_remedy_of_plates_pictures_and_meshes_leads_to_a_result() {
    let folder = || {
        let folder = tempdir().unwrap();
        let picture = image::Rgb32FImage::from_fn(48, 32, |x, y| {
            let light = if x > 20 && y > 12 { 100.0 } else { 1.0 };
            image::Rgb([light * (1.0 + (7 * x % 13 + 5 * y % 11) as f32); 3])
        });
        image::DynamicImage::from(picture).save(folder.path().join("a.hdr")).unwrap();
        folder
    };
    let mut wrong = Vec::new();
    for (line, reason, count) in [
        ("heat --size 65x49 --maxiter 1", "max-iterations", 1),
        ("heat --size 65x5", "far from square", 2),
        ("heat --size 65x49 --refine 0 --rtol 1e-9", "stagnated", 2),
        ("heat --west alpha=1,beta=-0.02,gamma=3", "opposite signs", 1),
        ("tonemap a.hdr --maxiter 1", "max-iterations", 1),
        ("smooth --steps 1 --maxiter 1", "max-iterations", 1),
        ("smooth --steps 1 --rtol 1e-17", "Rounding errors", 1),
        ("smooth --steps 2 --lambda-dt 1e6 --rtol 0.5", "nearly singular", 1),
    ] {
        wrong.extend(follow(&folder, 3, line, reason, count));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn both_remedies_beside_a_worst_row_make_its_equation_hold() {
    // All rows but the first are of another size, and depend on it in one entry.
    let small = |row: usize| if row > 0 { 1e-12 } else { 1.0 };
    let folder = || {
        let folder = folder_with("a.mtx", laplacian(63, 1.0));
        fs::write(folder.path().join("b.mtx"), vector(&[1.0; 63])).unwrap();
        change_matrix(&folder, |row, column, value| match (row, column) {
            (0, 1) => 0.0,
            _ => value * small(row),
        });
        change_vector(&folder, |row, b| b * small(row));
        folder
    };
    let notes = |folder: &TempDir, line: &str| {
        let output = fragstream(folder, line).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}");
        String::from_utf8(output.stderr).unwrap()
    };
    let line = "solve a.mtx --rhs b.mtx";
    let message = notes(&folder(), line);
    assert!(message.contains("(counted from 1) does not hold, with a backward error"), "{message}");
    let remedies = remedies(&message);
    assert_eq!(remedies, ["scale the rows of A and b to one size", "try --method lu"]);
    for remedy in remedies {
        let folder = folder();
        let line = take(&remedy, line, &message, &folder).unwrap();
        assert!(!notes(&folder, &line).contains("does not hold"), "{remedy}");
    }
}
