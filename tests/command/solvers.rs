//! Commands that solve: one run with all its files, the keys of `--json`, and every way to end.

use std::fs;
use std::path::Path;

use crate::command::support::*;
use fragstream::io::matrix_market::{read_matrix, read_vector};
use fragstream::io::raw::{read_floats, write_floats};
use fragstream::solver::{Csr, true_residual};
use image::{DynamicImage, GrayImage, ImageFormat, Luma, Rgb, Rgb32FImage};
use serde_json::json;
use tempfile::{TempDir, tempdir};

/// Checks that all keys are in an object.
fn assert_keys(object: &serde_json::Value, keys: &str) {
    for key in keys.split_whitespace() {
        assert!(object.get(key).is_some(), "no {key} in {object}");
    }
}

/// The lines of a file, without the first, which is this.
fn lines(folder: &TempDir, name: &str, heading: &str) -> Vec<Vec<f64>> {
    let text = fs::read_to_string(folder.path().join(name)).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(heading), "{name}");
    let numbers = |line: &str| line.split(',').map(|n| n.parse().unwrap()).collect();
    lines.map(numbers).collect()
}

fn size_of_picture(folder: &TempDir, name: &str) -> (u32, u32) {
    let picture = image::open(folder.path().join(name)).unwrap();
    (picture.width(), picture.height())
}

#[test]
fn poisson_writes_u_in_the_order_of_the_nodes_with_its_history() {
    let folder = tempdir().unwrap();
    // A source low and left: u is largest there.
    let (columns, rows) = (65, 33);
    let source = 4 * columns + 10;
    let mut g = vec![0.5f32; columns * rows];
    g[source] = 1000.0;
    write_floats(&folder.path().join("g.f32"), g.iter().copied()).unwrap();
    let line = "poisson --size 65x33 --rhs g.f32 --sigma 2 --rtol 1e-7 --out u.f32 --png u.png --history h.csv";
    let solved = object(&folder, line, 0);
    assert_keys(
        &solved,
        "size spacing boundary rhs reason cycles history factor residual residual_true norm_b tolerance \
         removed_mean error_max u_min u_max seconds",
    );
    let u = read_floats(&folder.path().join("u.f32"), g.len()).unwrap();
    let largest = u.iter().copied().fold(0.0, f32::max);
    assert_eq!(largest, u[source]);
    assert_eq!(largest, number(&solved, "/u_max") as f32);
    assert!(u[..columns].iter().all(|&u| u == 0.0));
    // −lap u + 2 u = g at an inner node, by the five-point formula.
    let at = |k: usize| f64::from(u[k]);
    let k = 20 * columns + 30;
    let around = at(k - 1) + at(k + 1) + at(k - columns) + at(k + columns);
    let residual = f64::from(g[k]) - (4.0 * at(k) - around) * 1024.0 - 2.0 * at(k);
    assert!(residual.abs() < 0.02, "{residual}");
    assert_eq!(size_of_picture(&folder, "u.png"), (1280, 800));
    let history = lines(&folder, "h.csv", "cycle,residual");
    assert_eq!(history[0][0], 0.0);
    assert!((history[0][1] / number(&solved, "/norm_b") - 1.0).abs() < 1e-6);
    let last = history.last().unwrap();
    assert_eq!(*last, [number(&solved, "/cycles"), number(&solved, "/residual")]);
}

#[test]
fn poisson_reads_pictures_from_the_top_and_formulas_from_the_lower_left() {
    let folder = tempdir().unwrap();
    let grey = |x: u32, y: u32| ((x * 7 + y * y) % 256) as u8;
    let image = GrayImage::from_fn(33, 17, |x, y| Luma([grey(x, y)]));
    image.save(folder.path().join("g.png")).unwrap();
    let up = (0..17).rev();
    let numbers = up.flat_map(|y| (0..33).map(move |x| f32::from(grey(x, y)) / 255.0));
    write_floats(&folder.path().join("g.f32"), numbers).unwrap();
    let picture = object(&folder, "poisson --rhs g.png", 0);
    let floats = object(&folder, "poisson --rhs g.f32 --size 33x17", 0);
    assert_eq!(picture["size"], json!([33, 17]));
    let ratio = number(&picture, "/u_max") / number(&floats, "/u_max");
    assert!((ratio - 1.0).abs() < 1e-5, "{ratio}");
    let resampled = object(&folder, "poisson --rhs g.png --size 65 --fit", 0);
    assert_eq!(resampled["size"], json!([65, 65]));
    let right = object(&folder, "poisson --rhs x --size 33x17 --out x.f32", 0);
    let u = read_floats(&folder.path().join("x.f32"), 33 * 17).unwrap();
    assert!(u[8 * 33 + 24] > u[8 * 33 + 8] && number(&right, "/u_min") == 0.0);
}

#[test]
fn the_options_of_poisson_arrive() {
    let folder = tempdir().unwrap();
    let choices = "--boundary d,n,n,d --cycle w --full 2 --pre 1 --post 3 --coarsest cg --stencils stored \
                   --layout scalar --border copy --omega 0.8 --refine 0";
    let line = format!("poisson --size 33x17 --rhs random:3 --rtol 1e-4 {choices}");
    let solved = settings(&folder, &line);
    let expected = json!({
        "size": "33x17", "boundary": "dirichlet,neumann,neumann,dirichlet",
        "rhs": "random:3", "cycle": "w", "full": 2, "pre": 1, "post": 3, "coarsest": "cg",
        "stencils": "stored", "layout": "scalar", "border": "copy", "omega": "0.8", "refine": 0,
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(solved[key], *value, "{key}");
    }
    let full = settings(&folder, "poisson --preset paper --full --size 17 --sigma -1e-3 --rhs -x");
    assert_eq!([&full["full"], &full["size"]], [&json!(1), &json!("17x17")]);
    assert_eq!([&full["sigma"], &full["rhs"]], [&json!(-1e-3), &json!("-x")]);
}

#[test]
fn heat_writes_one_temperature_into_all_its_files() {
    let folder = tempdir().unwrap();
    let line = "heat --size 65x49 --png t.png --csv t.csv --out t.f32 --history h.csv";
    let solved = object(&folder, line, 0);
    assert_keys(
        &solved,
        "size extent conductivity reason cycles corrections history norm residual_true tolerance rounding \
         temperature heat seconds",
    );
    let raw = read_floats(&folder.path().join("t.f32"), 65 * 49).unwrap();
    let low = raw.iter().copied().fold(f32::INFINITY, f32::min);
    assert_eq!(low, number(&solved, "/temperature/minimum") as f32);
    let rows = lines(&folder, "t.csv", "x,y,temperature");
    assert_eq!(rows.len(), raw.len());
    assert!(rows.iter().zip(&raw).all(|(row, t)| row[2] as f32 == *t));
    assert_eq!(rows[66][..2], [4.0 / 64.0, 3.0 / 48.0]);
    let history = lines(&folder, "h.csv", "cycle,residual");
    assert_eq!(history.len() as f64, number(&solved, "/cycles") + 1.0);
    assert_eq!(size_of_picture(&folder, "t.png"), (1280, 800));
    // The bundled scene is the one in the folder.
    let named = format!("heat {} --size 65x49", bundled("plate.toml").display());
    assert_eq!(object(&folder, &named, 0)["temperature"], solved["temperature"]);
}

#[test]
fn heat_solves_the_problems_of_the_paper_s_experiments() {
    let folder = tempdir().unwrap();
    let solved = |line: &str| object(&folder, &format!("heat --rtol 1e-8 {line}"), 0);
    // Poisson's equation on the unit square with u = 0 on its sides: 0.0736713 in the middle.
    let plate = solved("--problem plate --size 65");
    assert!((number(&plate, "/temperature/maximum") - 0.0736713).abs() < 2e-5);
    // (r - 1/r) sin t, on a grid of ln r and t.
    solved("--problem flow --size 33x65 --csv f.csv");
    for row in lines(&folder, "f.csv", "x,y,temperature") {
        assert!((row[2] - 2.0 * row[0].sinh() * row[1].sin()).abs() < 0.03, "{row:?}");
    }
    // Second order, with all kinds of sides and coordinates.
    for kinds in [
        "--boundary neumann,mixed,dirichlet,mixed",
        "--boundary periodic",
        "--coordinates square --boundary mixed",
        "--coordinates conductive --boundary neumann",
    ] {
        let error = |size| {
            let found = solved(&format!("--problem manufactured {kinds} --size {size}"));
            // What enters leaves.
            assert!(number(&found, "/heat/defect").abs() < 1e-5 * number(&found, "/heat/turnover"));
            number(&found, "/error")
        };
        let order = (error(17) / error(33)).log2();
        assert!((order - 2.0).abs() < 0.2, "{kinds}: {order}");
    }
}

#[test]
fn options_of_heat_replace_those_of_the_scene() {
    let folder = folder_with("a.toml", "size = [33, 17]\n[west]\nvalue = 5\n[sides]\nslope = 0\n");
    let line = "heat a.toml --east slope=0.5 --extent 2x1 --conductivity 3 --rtol 1e-6";
    let solved = object(&folder, line, 0);
    // dT/dx = 0.5 everywhere; heat enters in the east and leaves in the west.
    assert!((number(&solved, "/temperature/maximum") - 6.0).abs() < 1e-4);
    assert!((number(&solved, "/heat/west") - 1.5).abs() < 1e-4);
    assert!((number(&solved, "/heat/east") + 1.5).abs() < 1e-9);
    let ring = "heat a.toml --periodic x --north value=2 --south value=2";
    let ring = object(&folder, ring, 0);
    assert!(ring["heat"]["west"].is_null());
    // A picture heats where it is bright, and its last row is the south.
    let grey = |x: u32, y: u32| Luma([if x < 8 && y > 12 { 255 } else { 0 }]);
    let picture = GrayImage::from_fn(33, 17, grey);
    picture.save(folder.path().join("s.png")).unwrap();
    let solved = object(&folder, "heat s.png --white 4 --sides value=0 --out t.f32", 0);
    let t = read_floats(&folder.path().join("t.f32"), 33 * 17).unwrap();
    let hottest = (0..t.len()).max_by(|&a, &b| t[a].total_cmp(&t[b])).unwrap();
    assert!((2..8).contains(&(hottest % 33)) && (1..4).contains(&(hottest / 33)));
    // 7.5 columns (the first is half a cell) and 3.5 rows of cells of 1/16.
    assert!((number(&solved, "/heat/sources") - 4.0 * 7.5 * 3.5 / 256.0).abs() < 1e-9);
    let balanced = object(&folder, "heat s.png --sides slope=0 --make-up", 0);
    assert!(number(&balanced, "/heat/made_up") < -0.1);
}

#[test]
fn the_options_of_heat_arrive() {
    let folder = tempdir().unwrap();
    let line = "heat --size 33x25 --rtol 3e-6 --cycle w --pre 1 --post 1 --smoother jacobi:0.7 --levels 3 \
                --coarsest-sweeps 60 --norm l1 --storage separate --hazard finish --buffer context \
                --programs original --compute-red-black --test-every 2 --surface-limit 2048";
    let given = settings(&folder, line);
    let expected = json!({
        "cycle": "w", "pre": 1, "post": 1, "smoother": "jacobi:0.7", "levels": 3, "coarsest_sweeps": 60,
        "norm": "l1", "storage": "separate", "hazard": "finish", "buffer": "context",
        "programs": "original", "red_black_map": false, "test_every": 2, "surface_limit": 2048,
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(given[key], *value, "{key}");
    }
    let solved = object(&folder, line, 0);
    assert_eq!(solved["norm"], "l1");
    assert_eq!(number(&solved, "/cycles") % 2.0, 0.0);
}

#[test]
fn fem_writes_u_its_history_and_its_matrices() {
    let folder = tempdir().unwrap();
    let line = "fem circle --element q2 --levels 3 --numbering sto --rhs x+exp(-y) --dirichlet x*y \
                --neumann circle=-1 --out u.vtu --png u.png --history h.csv --matrices m";
    let solved = object(&folder, line, 0);
    assert_keys(
        &solved,
        "mesh omega pre post cells equation level unknowns entries reason cycles defect defect_true history \
         u_min u_max seconds",
    );
    let equation = "-lap u = x+exp(-y); u = x*y on outer, du/dn = -1 on circle";
    assert_eq!(solved["equation"], equation);
    let vtu = fs::read_to_string(folder.path().join("u.vtu")).unwrap();
    assert_says(&vtu, &["NumberOfPoints=\"576\"", "NumberOfCells=\"128\"", "</VTKFile>"]);
    assert_eq!(size_of_picture(&folder, "u.png"), (1280, 800));
    let history = lines(&folder, "h.csv", "cycle,defect");
    assert_eq!(history.len() as f64, number(&solved, "/cycles") + 1.0);
    let files = names(folder.path().join("m"));
    let expected =
        ["A_1", "A_2", "A_3", "P_2", "P_3", "b_3", "x_3"].map(|name| format!("{name}.mtx"));
    assert_eq!(files, expected);
    // The x that was written solves the system that was written.
    let file = |name: &str| folder.path().join("m").join(name);
    let a = read_matrix(&file("A_3.mtx")).unwrap();
    let [b, x] = ["b_3.mtx", "x_3.mtx"].map(|name| read_vector(&file(name)).unwrap());
    let mut defect = b;
    let entries = a.entries.iter();
    entries.for_each(|&(i, j, value)| defect[i as usize] -= value * x[j as usize]);
    assert!(defect.iter().all(|d| d.abs() < 1e-7), "{defect:?}");
}

/// A square of two clockwise triangles. Its left side is named.
const SQUARE: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 7 \"left\"\n\
                      $EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n\
                      $Elements\n3\n1 1 2 7 1 4 1\n2 2 2 1 1 1 3 2\n3 2 2 1 1 1 4 3\n$EndElements\n";

#[test]
fn fem_reads_a_mesh_of_gmsh() {
    let folder = folder_with("square.msh", SQUARE);
    let solved =
        object(&folder, "fem square.msh --levels 3 --dirichlet left=1 --dirichlet 1 --rhs 0", 0);
    assert_says(solved["note"].as_str().unwrap(), &["clockwise", "triangle"]);
    assert_eq!(solved["cells"], 6);
    assert_says(solved["equation"].as_str().unwrap(), &["u = 1 on left"]);
    assert!((number(&solved, "/u_min") - 1.0).abs() < 1e-6);
    // As it is printed: one word.
    let again = settings(&folder, "fem square.msh --levels 2 --dirichlet left=1;1 --rhs -0");
    assert_eq!([&again["dirichlet"], &again["rhs"]], [&json!("left=1;1"), &json!("-0")]);
}

/// A folder with a picture of 40 x 33 pixels: a bright square on a dark ground, both with a pattern.
fn bright_square() -> TempDir {
    let folder = tempdir().unwrap();
    let light = |x: u32, y: u32| {
        let pattern = 1.0 + 0.1 * ((x * 7 + y * 3) % 5) as f32;
        let inside = (10..25).contains(&x) && (8..20).contains(&y);
        Rgb([1.0, 0.8, 0.6].map(|channel| channel * pattern * if inside { 900.0 } else { 0.5 }))
    };
    let picture = DynamicImage::from(Rgb32FImage::from_fn(40, 33, light));
    for (name, format) in [("a.hdr", ImageFormat::Hdr), ("a.exr", ImageFormat::OpenExr)] {
        let path = folder.path().join(name);
        picture.save_with_format(path, format).unwrap();
    }
    folder
}

#[test]
fn tonemap_reads_both_formats_and_compares_three_pictures() {
    let folder = bright_square();
    let text = succeeds(&mut fragstream(&folder, "tonemap a.hdr --out h.png"));
    assert_eq!(size_of_picture(&folder, "h.png"), (40, 33));
    assert_says(&text, &["size               40x33", "converged"]);
    // Of a ramp single precision holds less than the default tolerance asks for.
    let ramp = |x: u32, _| Rgb([(0.0625 * x as f32).exp(); 3]);
    let ramp = DynamicImage::from(Rgb32FImage::from_fn(96, 64, ramp));
    ramp.save_with_format(folder.path().join("ramp.hdr"), ImageFormat::Hdr).unwrap();
    let ramp = object(&folder, "tonemap ramp.hdr h.png", 0);
    assert_eq!(ramp["reason"], "at-rounding");
    let [tolerance, residual, rounding] =
        ["/tolerance", "/residual", "/rounding"].map(|key| number(&ramp, key));
    assert!(tolerance < residual && residual <= rounding, "{ramp}");
    let mapped = object(&folder, "tonemap a.exr b.png --compare c.png", 0);
    assert_keys(
        &mapped,
        "size levels reason cycles residual tolerance original_contrast contrast difference",
    );
    assert!(number(&mapped, "/difference/channel") <= 1.0);
    assert_eq!(size_of_picture(&folder, "b.png"), (40, 33));
    // Wider than high: below each other, with two gaps of 8.
    assert_eq!(size_of_picture(&folder, "c.png"), (40, 3 * 33 + 16));
    let bundled = object(&folder, "tonemap room r.png --scales 1", 0);
    assert_eq!(bundled["size"], json!([1024, 512]));
}

/// ‖b − A x‖ of x.mtx, for b = ones.
fn residual_of_file(folder: &TempDir, matrix: &Path) -> f64 {
    let a = read_matrix(matrix).unwrap();
    let entries = a.entries.iter();
    let triplets = entries.map(|&(row, column, value)| (row as usize, column as usize, value));
    let a = Csr::from_triplets(a.rows as usize, a.columns as usize, triplets).unwrap();
    let x = read_vector(&folder.path().join("x.mtx")).unwrap();
    true_residual(&a, &vec![1.0; x.len()], &x).unwrap().norm
}

#[test]
fn solve_writes_an_x_whose_residual_is_the_printed_one() {
    for (name, layout) in [("airfoil", "rows"), ("knot", "quarters")] {
        let folder = tempdir().unwrap();
        let line = format!("solve {name} --out x.mtx --history h.csv --png a.png");
        let solution = object(&folder, &line, 0);
        assert_keys(
            &solution,
            "layout method reason iterations corrections residual_recursive residual_true norm_b tolerance \
             condition_iterated attainable_single attainable_double seconds",
        );
        assert_eq!([&solution["method"], &solution["layout"]], ["pcg", layout]);
        let stated = number(&solution, "/residual_true");
        let residual = residual_of_file(&folder, &bundled(&format!("{name}.mtx")));
        let rounding = number(&solution, "/attainable_double");
        assert!((residual - stated).abs() <= 1e-9 * stated + rounding);
        assert!(stated <= 1e-8 * number(&solution, "/norm_b"), "{name}: {stated}");
        let history = lines(&folder, "h.csv", "iteration,residual");
        assert_eq!(history.len() as f64, number(&solution, "/iterations") + 1.0);
        assert_eq!(history.last().unwrap()[1], number(&solution, "/residual_recursive"));
        assert_eq!(names(&folder), ["a.png", "h.csv", "x.mtx"]);
    }
    let folder = folder_with("airfoil", "no matrix");
    fragstream(&folder, "solve airfoil").assert().code(2);
}

#[test]
fn solve_takes_methods_layouts_files_and_a_start() {
    let folder = folder_with("a.mtx", laplacian(63, 1.0));
    for (options, layout) in [
        ("--method lu", "columns"),
        ("--method gauss-seidel --rtol 1e-2", "points"),
        ("--method bicgstab --layout diagonals", "diagonals"),
        ("--rect 9x9 --refine 0", "rows"),
    ] {
        let solution = object(&folder, &format!("solve a.mtx {options} --out x.mtx"), 0);
        assert_eq!(solution["layout"], layout, "{options}");
        let residual = residual_of_file(&folder, &folder.path().join("a.mtx"));
        assert!(residual <= 1.01 * number(&solution, "/tolerance"), "{options}: {residual}");
    }
    let again = object(&folder, "solve a.mtx --x0 x.mtx --rtol 1e-4", 0);
    assert_eq!(number(&again, "/iterations"), 0.0);
    let own = object(&folder, "solve a.mtx --rhs x.mtx", 0);
    assert!(number(&own, "/norm_b") > 63_f64.sqrt());
    // Linear interpolation on a line, from n inner points to 2 n + 1.
    for (name, n) in [("p1.mtx", 31), ("p2.mtx", 15)] {
        let mut text = format!("{HEADER}{} {n} {}\n", 2 * n + 1, 3 * n);
        for j in 1..=n {
            let (before, at, after) = (2 * j - 1, 2 * j, 2 * j + 1);
            text += &format!("{before} {j} 0.5\n{at} {j} 1\n{after} {j} 0.5\n");
        }
        fs::write(folder.path().join(name), text).unwrap();
    }
    let solve = "solve a.mtx --method multigrid --prolongation";
    let cycles = object(&folder, &format!("{solve} p1.mtx,p2.mtx"), 0);
    assert!(number(&cycles, "/iterations") <= 10.0, "{cycles}");
    let line = fails(&mut fragstream(&folder, &format!("{solve} p2.mtx,p1.mtx")), 2);
    assert_says(&line, &["p2.mtx: ", "has 31 rows", "a.mtx has 63 rows"]);
}

#[test]
fn a_small_matrix_that_the_default_method_fails_on_is_solved_by_lu() {
    // A rotation by a right angle, on which biconjugate gradients break down.
    let folder = folder_with("a.mtx", format!("{HEADER}2 2 2\n1 2 1\n2 1 -1\n"));
    let solved = fragstream(&folder, "solve a.mtx --out x.mtx").assert().code(0);
    let notes = String::from_utf8_lossy(&solved.get_output().stderr);
    let note = "bicgstab stopped: breakdown. lu solved it.";
    assert_says(&notes, &[note]);
    let x = read_vector(&folder.path().join("x.mtx")).unwrap();
    assert_eq!(x, [-1.0, 1.0]);
    // Over the input only by force.
    fails(&mut fragstream(&folder, "solve a.mtx --out a.mtx"), 2);
    fragstream(&folder, "solve a.mtx --out a.mtx --force").assert().code(0);
    assert_eq!(read_vector(&folder.path().join("a.mtx")).unwrap(), x);
    fs::write(folder.path().join("a.mtx"), format!("{HEADER}2 2 2\n1 2 1\n2 1 -1\n")).unwrap();
    // A method that was asked for is the only one.
    let mut command = fragstream(&folder, "solve a.mtx --method bicgstab");
    assert_says(&fails(&mut command, 3), &["breakdown", "leave out --method"]);
}

#[test]
fn what_does_not_converge_is_exit_3_with_a_reason_a_hint_and_the_history() {
    let singular = format!("{HEADER}2 2 4\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n");
    for (line, parts, files) in [
        (
            "poisson --size 65 --maxiter 1 --history h.csv --out u.f32",
            &["max-iterations after 1 cycle,", "--maxiter"][..],
            "h.csv u.f32",
        ),
        ("poisson --size 65 --rhs ones --rtol 0", &["stagnated", "double precision alone"], ""),
        (
            "poisson --size 65 --rhs ones --omega 2.5 --png u.png --history h.csv",
            &["diverged", "--omega"],
            "h.csv",
        ),
        ("heat --size 513x9", &["max-iterations", "far from square"], ""),
        (
            "heat --size 65x49 --precision half --refine 0 --png t.png",
            &["stagnated", "--refine"],
            "t.png",
        ),
        (
            "fem blood --levels 2 --omega 1.0 --pre 4 --post 4 --out u.vtu --png u.png",
            &["diverged", "--omega"],
            "",
        ),
        (
            "solve bcsstk01 --refine 0 --method cg --out x.mtx --history h.csv",
            &["bcsstk01: cg", "stagnated", "condition number", "leave out --refine, or"],
            "h.csv x.mtx",
        ),
        // A preset gave the option that would have to be left out.
        ("solve bcsstk01 --preset paper", &["stagnated", "leave out --preset, or"], ""),
        (
            "poisson --size 65 --preset paper --rhs ones --rtol 1e-9",
            &["leave out --preset, or"],
            "",
        ),
        ("solve singular.mtx --method lu --out x.mtx", &["incompatible", "singular"], ""),
        (
            "solve bcsstk01 --maxiter 5 --out x.mtx",
            &["max-iterations after 5 iterations", "--maxiter"],
            "x.mtx",
        ),
        (
            "solve tiny.mtx --rhs huge.mtx",
            &["x is larger than the largest double", "scale b down"],
            "",
        ),
    ] {
        let folder = tempdir().unwrap();
        fs::write(folder.path().join("singular.mtx"), &singular).unwrap();
        // x = 1e400
        let tiny = format!("{HEADER}1 1 1\n1 1 1e-200\n");
        fs::write(folder.path().join("tiny.mtx"), tiny).unwrap();
        fs::write(
            folder.path().join("huge.mtx"),
            "%%MatrixMarket matrix array real general\n1 1\n1e200\n",
        )
        .unwrap();
        let message = fails(&mut fragstream(&folder, line), 3);
        assert_says(&message, &["did not converge"]);
        assert_says(&message, parts);
        let mut there = names(&folder);
        there.retain(|name| !["singular.mtx", "tiny.mtx", "huge.mtx"].contains(&name.as_str()));
        if there == ["x.mtx"] {
            // The iterate, not the start.
            let x = read_vector(&folder.path().join("x.mtx")).unwrap();
            assert!(x.iter().any(|&x| x != 0.0), "{line}");
        }
        assert_eq!(there.join(" "), files, "{line}");
    }
    let folder = bright_square();
    let line = "tonemap a.hdr b.png --maxiter 1 --rtol 1e-9";
    assert_says(&fails(&mut fragstream(&folder, line), 3), &["max-iterations after 1 cycle"]);
    assert!(folder.path().join("b.png").exists());
}
