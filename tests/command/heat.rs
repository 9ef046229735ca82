//! `fragstream heat`.

use std::fs;

use crate::command::support::*;
use fragstream::io::raw::read_floats;
use image::{GrayImage, Luma};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// What the command prints with `--json`.
fn object(folder: &TempDir, arguments: &str) -> Value {
    let text = succeeds(&mut fragstream(folder, &format!("heat {arguments} --json")));
    serde_json::from_str(&text).unwrap()
}

fn number(object: &Value, path: &str) -> f64 {
    let value = object.pointer(path).and_then(Value::as_f64);
    value.unwrap_or_else(|| panic!("{path} in {object}"))
}

fn refused(folder: &TempDir, arguments: &str) -> String {
    let line = fails(&mut fragstream(folder, &format!("heat {arguments}")), 2);
    assert!(line.contains("; "), "no remedy: {line}");
    line
}

/// A scene of this text.
fn scene(text: &str) -> TempDir {
    folder_with("a.toml", text)
}

/// A plate that heats in its lower left part: a picture of 33 x 17 pixels.
fn picture() -> TempDir {
    let folder = tempdir().unwrap();
    let grey = |x: u32, y: u32| Luma([if x < 8 && y > 12 { 255 } else { 0 }]);
    let picture = GrayImage::from_fn(33, 17, grey);
    picture.save(folder.path().join("s.png")).unwrap();
    folder
}

const HELD: &str = "size = [17, 9]\n[sides]\nvalue = 1\n";

#[test]
fn without_arguments_the_bundled_scene_is_solved() {
    let folder = tempdir().unwrap();
    let text = succeeds(&mut fragstream(&folder, "heat"));
    let lines = [
        "plate        4 x 3, 257 x 193 nodes, conductivity 2",
        "reason       converged",
        "temperature  from ",
        "sources      ",
        "leaves       west ",
        "balance      ",
    ];
    assert_says(&text, &lines);
    assert!(names(&folder).is_empty());
    let bundled = bundled("plate.toml");
    let named = succeeds(&mut fragstream(
        &folder,
        &format!("heat {}", bundled.display()),
    ));
    let until_the_time = |text: &str| text.split("seconds").next().unwrap().to_owned();
    assert_eq!(until_the_time(&text), until_the_time(&named));
}

#[test]
fn all_files_hold_the_same_temperature() {
    let folder = tempdir().unwrap();
    let line = "--size 65x49 --out t.png --csv t.csv --raw t.f32 --history h.csv";
    let solved = object(&folder, line);
    let raw = read_floats(&folder.path().join("t.f32"), 65 * 49).unwrap();
    let low = raw.iter().copied().fold(f32::INFINITY, f32::min);
    assert_eq!(low, number(&solved, "/temperature/minimum") as f32);
    let csv = fs::read_to_string(folder.path().join("t.csv")).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("x,y,temperature"));
    let rows: Vec<Vec<f64>> = lines
        .map(|line| line.split(',').map(|n| n.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), raw.len());
    assert!(rows.iter().zip(&raw).all(|(row, t)| row[2] as f32 == *t));
    assert_eq!(rows[66][..2], [4.0 / 64.0, 3.0 / 48.0]);
    let history = fs::read_to_string(folder.path().join("h.csv")).unwrap();
    let cycles = number(&solved, "/cycles") as usize;
    assert_eq!(history.lines().count(), cycles + 2);
    assert!(history.starts_with("cycle,residual\n0,"));
    let picture = image::open(folder.path().join("t.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), (1280, 800));
}

#[test]
fn the_heat_balances_and_options_take_the_place_of_the_scene() {
    let folder = scene("size = [33, 17]\n[west]\nvalue = 5\n[sides]\nslope = 0\n");
    let line = "a.toml --east slope=0.5 --extent 2x1 --conductivity 3 --rtol 1e-6";
    let solved = object(&folder, line);
    // dT/dx = 0.5 everywhere; heat enters in the east and leaves in the west.
    assert!((number(&solved, "/temperature/maximum") - 6.0).abs() < 1e-4);
    assert!((number(&solved, "/temperature/mean") - 5.5).abs() < 1e-4);
    assert!((number(&solved, "/heat/west") - 1.5).abs() < 1e-4);
    assert!((number(&solved, "/heat/east") + 1.5).abs() < 1e-9);
    assert_eq!(number(&solved, "/heat/south"), 0.0);
    assert!(number(&solved, "/heat/defect").abs() < 1e-4);
    let ring = object(
        &folder,
        "a.toml --periodic x --north value=2 --south value=2",
    );
    assert!(ring["heat"]["west"].is_null());
    assert_eq!(number(&ring, "/temperature/maximum"), 2.0);
}

#[test]
fn a_picture_heats_where_it_is_bright_and_its_last_row_is_the_south() {
    let folder = picture();
    let line = "s.png --white 4 --sides value=0 --raw t.f32";
    let solved = object(&folder, line);
    assert_eq!(solved["size"], serde_json::json!([33, 17]));
    let t = read_floats(&folder.path().join("t.f32"), 33 * 17).unwrap();
    let hottest = (0..t.len()).max_by(|&a, &b| t[a].total_cmp(&t[b])).unwrap();
    let (column, row) = (hottest % 33, hottest / 33);
    assert!(
        (2..8).contains(&column) && (1..4).contains(&row),
        "{column}, {row}"
    );
    // 7.5 columns (the first is half a cell) and 3.5 rows of cells of 1/16.
    let heat = 4.0 * 7.5 * 3.5 / 256.0;
    assert!((number(&solved, "/heat/sources") - heat).abs() < 1e-9);
    let larger = object(&folder, "s.png --white 4 --sides value=0 --size 65x33");
    assert_eq!(larger["size"], serde_json::json!([65, 33]));
    let beside = "[picture]\npath = \"s.png\"\nwhite = 4\n[sides]\nvalue = 0\n";
    fs::write(folder.path().join("a.toml"), beside).unwrap();
    let named = object(&folder, "a.toml");
    assert_eq!(named["temperature"], solved["temperature"]);
}

#[test]
fn a_plate_without_a_held_side_has_to_balance() {
    let folder = picture();
    let line = refused(&folder, "s.png --sides slope=0");
    assert_says(&line, &["s.png: no side holds a temperature", "--make-up"]);
    let solved = object(&folder, "s.png --sides slope=0 --make-up");
    assert!(number(&solved, "/temperature/mean").abs() < 1e-6);
    let heat = number(&solved, "/heat/sources").abs();
    assert!(heat < 1e-9, "{heat}");
    assert!(number(&solved, "/heat/made_up") < -0.1);
    assert!(refused(&folder, "s.png --periodic both").contains("--make-up"));
    object(&folder, "s.png --sides value=0 --make-up");
}

#[test]
fn wrong_scenes_are_refused_with_the_line() {
    let cases = [
        (
            "[nord]\nvalue = 1\n",
            "a.toml: line 1: unknown field `nord`",
        ),
        ("size = [9, 9]\n\n[west\n", "a.toml: line 3: "),
        ("[west]\nvalue = \"hot\"\n", "a.toml: line 2: invalid type"),
        (
            "[west]\nvalue = nan\n",
            "a.toml: line 1: a number is not finite",
        ),
        (
            "[west]\nvalue = 1\n",
            "a.toml: the east side has no condition",
        ),
        (
            "periodic = \"x\"\n[west]\nvalue = 1\n[sides]\nvalue = 1\n",
            "a.toml: the west side is periodic and takes no condition",
        ),
        (
            "[sides]\nvalue = 1\nto = 0.5\n",
            "a.toml: the west side has no condition at 0.50",
        ),
        (
            "[sides]\nvalue = 1\n[[source]]\nshape = \"disc\"\ncentre = [7, 7]\nradius = 1\npower = 1\n",
            "a.toml: source 1 (line 3) is outside the plate of 1 x 1",
        ),
        (
            "size = [8, 9]\nperiodic = \"x\"\n[sides]\nvalue = 1\n",
            "a.toml: a periodic axis takes an odd number of nodes",
        ),
        (
            "size = [1, 9]\n[sides]\nvalue = 1\n",
            "a.toml: an axis of 1 nodes",
        ),
        (
            "size = [0, 9]\n[sides]\nvalue = 1\n",
            "a.toml: an axis of 0 nodes",
        ),
        (
            "[picture]\npath = \"no.png\"\nwhite = 1\n",
            "no.png: cannot read",
        ),
        (
            "[picture]\npath = \"a.toml\"\nwhite = 1\n",
            "a.toml: cannot read: ",
        ),
        (
            "[sides]\nslope = 1\n",
            "a.toml: no side holds a temperature",
        ),
    ];
    for (text, expected) in cases {
        let line = refused(&scene(text), "a.toml --out t.png");
        assert!(line.contains(expected), "{text:?}: {line}");
    }
}

#[test]
fn wrong_usage_is_refused() {
    let folder = scene(HELD);
    let cases = [
        ("b.toml", "b.toml: cannot read"),
        ("a.txt", "give a scene (.toml) or a picture"),
        ("a.toml --north 20", "there is no `20`"),
        ("a.toml --north value=inf", "a number is not finite"),
        ("a.toml --nord value=1", "--nord"),
        ("a.toml --extent 0x1", "give width and height"),
        ("a.toml --size 9", "give columns and rows"),
        ("a.toml --conductivity 0", "give a number above 0"),
        ("a.toml --white 2", "there is no picture"),
        ("a.toml --pre 0 --post 0", "leaves nothing that relaxes"),
        ("a.toml --storage two --hazard toggle", "Take `barrier`"),
        (
            "a.toml --storage three",
            "[possible values: separate, two, one]",
        ),
        ("a.toml --test occlusion --norm l2", "--norm max"),
        (
            "a.toml --periodic x --programs fast",
            "do not support periodic sides",
        ),
        ("a.toml --out no/t.png", "there is no folder no"),
        ("a.toml --out t --csv t", "t: two results"),
        ("a.toml --surface-limit 16", "over the limit of 16"),
        ("a.toml --size 90000x2", "limit of"),
        ("a.toml --size 9000000x9", "at most 1048576"),
    ];
    for (line, expected) in cases {
        let found = refused(&folder, line);
        assert!(found.contains(expected), "{line}: {found}");
    }
    assert_eq!(names(&folder), ["a.toml"]);
}

#[test]
fn too_few_cycles_end_with_three_and_keep_what_there_is() {
    let folder = tempdir().unwrap();
    let line = "heat --size 65x49 --maxiter 1 --history h.csv --raw t.f32";
    let line = fails(&mut fragstream(&folder, line), 3);
    assert_says(&line, &["max-iterations", "after 1 cycles", "--maxiter"]);
    assert_eq!(names(&folder), ["h.csv", "t.f32"]);

    // Cells 48 times as long as wide.
    let line = fails(&mut fragstream(&folder, "heat --size 513x9"), 3);
    assert_says(&line, &["max-iterations", "far from square", "--size"]);
}

#[test]
fn what_the_precision_cannot_hold_is_not_converged() {
    let folder = tempdir().unwrap();
    let line = "heat --size 65x49 --precision half --refine 0 --out t.png";
    let line = fails(&mut fragstream(&folder, line), 3);
    assert_says(&line, &["stagnated", "rounding", "--rtol"]);
    assert_eq!(names(&folder), ["t.png"]);
    succeeds(&mut fragstream(
        &folder,
        "heat --size 65x49 --precision half --refine 0 --rtol 0.1",
    ));
}

#[test]
fn a_large_picture_is_solved_to_the_tolerance() {
    let folder = tempdir().unwrap();
    let grey = |x: u32, y: u32| Luma([(x * 37 % 101 + y * 53 % 97) as u8]);
    let picture = GrayImage::from_fn(97, 65, grey);
    picture.save(folder.path().join("chip.png")).unwrap();
    let line = "chip.png --white 10 --west value=20 --sides slope=0 --rtol 1e-7";
    assert!(number(&object(&folder, line), "/corrections") > 0.0);
    let single = fails(
        &mut fragstream(&folder, &format!("heat {line} --refine 0")),
        3,
    );
    assert_says(&single, &["stagnated", "--refine"]);
}

#[test]
fn the_solver_s_options_lead_to_the_same_temperature() {
    let folder = tempdir().unwrap();
    let mean = |options: &str| {
        let line = format!("--size 33x25 --rtol 3e-6 {options}");
        number(&object(&folder, &line), "/temperature/mean")
    };
    let usual = mean("");
    for options in [
        "--cycle w",
        "--pre 1 --post 1",
        "--smoother jacobi",
        "--levels 4 --coarsest-sweeps 60",
        "--norm max",
        "--norm l1",
        "--storage two",
        "--storage separate --hazard copy",
        "--storage separate --contexts",
        "--hazard barrier --programs original",
        "--programs fast --compute-red-black",
        "--test occlusion --every 2",
        "--test read-back",
    ] {
        let other = mean(options);
        assert!((other - usual).abs() < 1e-3, "{options}: {other}, {usual}");
    }
}
