//! `fragstream wing`.

use std::fs;
use std::path::Path;

use crate::command::support::*;
use tempfile::TempDir;

fn log_polar() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("glsl/goodnight2003/problem/metric_log_polar.glsl");
    fs::read_to_string(file).expect("the coordinates round a cylinder")
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let folder = TempDir::new().expect("a folder");
    for (line, says) in [
        ("wing --reynolds 0", "Reynolds"),
        ("wing --reynolds -5", "Reynolds"),
        ("wing --reynolds NaN", "Reynolds"),
        ("wing --size 3x65", "at least 9"),
        ("wing --size 65x64", "odd"),
        ("wing --size 65", "65x65"),
        ("wing --radius 1", "radius"),
        ("wing --courant 0.8", "Courant"),
        ("wing --heave 1", "amplitude and frequency"),
        ("wing --pitch 20,-1", "frequency"),
        ("wing --joukowski 0.1,0,0,0", "edge"),
        ("wing --steps 0", "0"),
        ("wing --csv no/such/folder/x.csv", "no/such/folder"),
        ("wing --operator no-such-file", "no-such-file"),
    ] {
        let message = fails(&mut fragstream(&folder, line), 2);
        let says: &[&str] = if line == "wing --size 65" {
            &["--size"]
        } else {
            &[says]
        };
        assert_says(&message, says);
    }
}

#[test]
fn coordinates_that_are_refused_are_named_with_their_line() {
    let spoiled = [
        (
            "does-not-parse",
            log_polar().replace("return vec3(h, h, 1.0);", "return vec3(h, h"),
            "does-not-parse.glsl:",
        ),
        (
            "unknown-name",
            log_polar().replace("float h = 0.5 * exp(p.x);", "float h = 0.5 * exp(q.x);"),
            "0:8(",
        ),
        (
            "an-integer",
            log_polar().replace("float h = 0.5 * exp(p.x);", "int h = 1;"),
            "an-integer.glsl:8",
        ),
        (
            "no-place",
            log_polar().replace("vec2 place(", "vec2 spot("),
            "vec2 place(vec2 p)",
        ),
        (
            "not-positive",
            log_polar()
                .replace("0.5 * exp(p.x);", "-0.5 * exp(p.x);")
                .replace("vec3(h, h", "vec3(h, -h"),
            "not positive",
        ),
    ];
    for (name, text, says) in spoiled {
        assert_ne!(text, log_polar(), "{name}");
        let file = format!("{name}.glsl");
        let folder = folder_with(&file, text);
        let line = format!("wing --size 17x17 --steps 2 --operator {file}");
        let message = fails(&mut fragstream(&folder, &line), 2);
        println!("{message}");
        assert_says(&message, &[says]);
        if name != "not-positive" {
            assert_says(&message, &[name]);
        }
    }
}

#[test]
fn a_short_flight_is_written_as_pictures_and_tables() {
    let folder = TempDir::new().expect("a folder");
    let line = "wing --body airfoil --size 25x25 --radius 10 --reynolds 50 --steps 40 --heave 0.3,0.2 \
                --pitch 15,0.2,90 --lag 0.1,0.2 --incidence 3 --every 20 --width 90 --gif x.gif \
                --png x.png --csv lift.csv --plot lift.png";
    let out = succeeds(&mut fragstream(&folder, line));
    assert_says(
        &out,
        &[
            "25x25 nodes: 40 steps",
            "lift.csv: 5 lines",
            "x.gif: 2 frames",
        ],
    );
    // The force is measured every tenth step: no measurement has two lines.
    let table = out.lines().skip(1).map_while(|line| {
        let numbers: Option<Vec<f64>> = line.split_whitespace().map(|n| n.parse().ok()).collect();
        Some(numbers?[0])
    });
    assert_eq!(table.collect::<Vec<_>>(), [0.0, 10.0, 20.0, 30.0, 40.0]);
    let csv = fs::read_to_string(folder.path().join("lift.csv")).expect("a table");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("time,drag,lift,circulation,step"));
    for line in lines {
        let numbers: Vec<f64> = line
            .split(',')
            .map(|n| n.parse().expect("a number"))
            .collect();
        assert!(
            numbers.len() == 5 && numbers.iter().all(|n| n.is_finite()),
            "{line}"
        );
    }
    for (name, size) in [("x.png", (90, 40)), ("lift.png", (1280, 800))] {
        let picture = image::open(folder.path().join(name)).expect("a picture");
        assert_eq!((picture.width(), picture.height()), size, "{name}");
    }
    assert!(
        fs::read(folder.path().join("x.gif"))
            .expect("a film")
            .starts_with(b"GIF89a")
    );
}

/// The operator of the file is the one of the cylinder: so are the forces.
#[test]
fn coordinates_from_a_file_give_the_same_flow_as_built_in() {
    let folder = folder_with("mine.glsl", log_polar());
    let forces = |options: &str| {
        let line = format!(
            "wing --body cylinder --size 17x17 --radius 10 --steps 20 --csv x.csv {options}"
        );
        succeeds(&mut fragstream(&folder, &line));
        fs::read_to_string(folder.path().join("x.csv")).expect("a table")
    };
    assert_eq!(forces(""), forces("--operator mine.glsl"));
}
