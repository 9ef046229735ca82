//! `fragstream liquid`.

use std::fs;

use fragstream::io::read_mesh;
use fragstream::mesh::measure::enclosed_volume;
use tempfile::TempDir;

use crate::command::support::*;

/// The last line of a history: its columns.
fn last_record(folder: &TempDir, name: &str) -> Vec<f64> {
    let text = fs::read_to_string(folder.path().join(name)).expect("a history");
    let last = text.lines().last().expect("a line").split(',');
    last.map(|number| number.parse().expect("a number"))
        .collect()
}

#[test]
fn a_dam_breaks_out_of_the_box_and_leaves_pictures_surfaces_and_a_history() {
    let folder = TempDir::new().expect("a folder");
    let line = "liquid --size 8 --steps 4 --every 2 --width 32 --png last.png --gif all.gif \
                --history h.csv --surface last.obj --surfaces .";
    let said = succeeds(&mut fragstream(&folder, line));
    assert_says(
        &said,
        &["8x8x8 cells: 4 steps", "h.csv: 4 lines", "2 surfaces"],
    );
    let expected = "all.gif h.csv last.obj last.png surface-0000.ply surface-0001.ply";
    assert_eq!(names(&folder).join(" "), expected);
    let record = last_record(&folder, "h.csv");
    let (steps, volume) = (record[0], record[3]);
    assert_eq!(steps, 4.0);
    assert!((0.25..0.31).contains(&volume), "{volume}");
    for name in ["last.obj", "surface-0001.ply"] {
        let mesh = read_mesh(&folder.path().join(name)).expect("a mesh");
        let enclosed = enclosed_volume(&mesh);
        assert!(
            (enclosed - volume).abs() < 0.05 * volume,
            "{name}: {enclosed} for {volume}"
        );
    }
    let picture = image::open(folder.path().join("last.png")).expect("a picture");
    assert_eq!((picture.width(), picture.height()), (32, 24));
}

#[test]
fn the_card_and_the_cpu_s_best_solver_move_the_same_liquid() {
    let folder = TempDir::new().expect("a folder");
    for how in [
        "gpu --layout slices",
        "cpu --preconditioner mic",
        "gpu --index carry",
    ] {
        let name = how.replace([' ', '-'], "");
        let line = format!(
            "liquid --scene drop --size 8 --steps 3 --rtol 1e-6 --history {name} --on {how}"
        );
        succeeds(&mut fragstream(&folder, &line));
    }
    let [slices, cpu, carry] = ["gpulayoutslices", "cpupreconditionermic", "gpuindexcarry"]
        .map(|name| last_record(&folder, name));
    for card in [slices, carry] {
        // Volume and pressures; one in single, one in double precision.
        for column in [3, 9] {
            let apart = (card[column] / cpu[column] - 1.0).abs();
            assert!(apart < 1e-3, "{card:?} {cpu:?}");
        }
    }
}

#[test]
fn a_scene_of_a_file_has_boxes_spheres_and_an_inflow() {
    let scene = "gravity = [0, -5, 0]\ntime_step = 0.01\n[grid]\nsize = [8, 6, 4]\nspacing = 0.125\n\
        [[liquid]]\nfrom = [0, 0, 0]\nto = [0.5, 0.5, 0.5]\n\
        [[liquid]]\ncentre = [0.8, 0.5, 0.25]\nradius = 0.12\nvelocity = [0, -1, 0]\n\
        [[solid]]\nfrom = [0.6, -0.01, 0.1]\nto = [0.85, 0.24, 0.35]\n\
        [[solid]]\ncentre = [0.9, 0.05, 0.45]\nradius = 0.05\n\
        [[inflow]]\ncentre = [0.2, 0.6, 0.2]\nradius = 0.1\nvelocity = [1, 0, 0]\nuntil = 0.015\n";
    let folder = folder_with("scene.toml", scene);
    let line = "liquid scene.toml --steps 3 --on cpu --history h.csv";
    let said = succeeds(&mut fragstream(&folder, line));
    assert_says(&said, &["8x6x4 cells: 3 steps"]);
    let volume = last_record(&folder, "h.csv")[3];
    // The box alone holds an eighth; of a grid as coarse as the sphere not more can be asked.
    assert!((0.125..0.18).contains(&volume), "{volume}");
    let finer = succeeds(&mut fragstream(
        &folder,
        "liquid scene.toml --steps 1 --size 16",
    ));
    assert_says(&finer, &["16x12x8 cells"]);
}

#[test]
fn bad_scenes_are_one_line_with_file_and_key_and_nothing_is_written() {
    let grid = "[grid]\nsize = [8, 8, 8]\nspacing = 0.1\n";
    let body = |keys: &str| format!("{grid}[[solid]]\n{keys}\n");
    let cases = [
        ("size = ".to_owned(), vec!["line 1"]),
        (
            format!("gravty = [0, 0, 0]\n{grid}"),
            vec!["line 1", "gravty", "did you mean gravity?"],
        ),
        (
            body("center = [0, 0, 0]"),
            vec!["line 5", "center", "did you mean centre?"],
        ),
        (
            "[grid]\nsize = [8, 8]\nspacing = 1\n".to_owned(),
            vec!["line 2", "size"],
        ),
        ("gravity = [0, 0, 0]".to_owned(), vec!["grid"]),
        (
            format!("density = -1\n{grid}"),
            vec!["line 1", "density", "-1"],
        ),
        (
            format!("seed = 1\ntime_step = 0\n{grid}"),
            vec!["line 2", "time step"],
        ),
        (
            "[grid]\nsize = [8, 8, 8]\nspacing = inf\n".to_owned(),
            vec!["line 3", "side of a cell"],
        ),
        (
            format!("{grid}[[liquid]]\ncentre = [0, 0, 0]\nradius = 1\nvelocity = [nan, 0, 0]"),
            vec!["line 4", "liquid 1", "velocity"],
        ),
        (format!("flip = \"much\"\n{grid}"), vec!["line 1", "flip"]),
        (
            "[grid]\nsize = [100000, 100000, 100000]\nspacing = 1\n".to_owned(),
            vec!["line 2", "cells"],
        ),
        (
            "[grid]\nsize = [6, 8, 8]\nspacing = 0.1\n".to_owned(),
            vec!["scene.toml: size", "multiple of 4"],
        ),
        (body("from = [0, 0, 0]"), vec!["line 4", "solid 1", "from"]),
        (
            body("centre = [0, 0, 0]\nradius = -1"),
            vec!["solid 1", "radius"],
        ),
        (
            body("centre = [0, nan, 0]\nradius = 1"),
            vec!["solid 1", "centre"],
        ),
        (
            body("centre = [0, 0, 0]\nradius = 1\nvelocity = [1, 0, 0]"),
            vec!["solid 1", "velocity"],
        ),
        (body("mesh = \"bunny.ply\""), vec!["line 5", "mesh"]),
        (
            body("from = [0, 0, 0]\nto = [1, 1, 1]\nradius = 1"),
            vec!["solid 1", "do not make a shape"],
        ),
    ];
    for (scene, parts) in cases {
        let folder = folder_with("scene.toml", &scene);
        let before = names(&folder);
        let line = "liquid scene.toml --steps 1 --history h.csv --png last.png";
        let said = fails(&mut fragstream(&folder, line), 2);
        assert_says(&said, &parts);
        assert!(said.contains(".toml") || said.contains(parts[0]), "{said}");
        assert_eq!(names(&folder), before, "{scene}");
    }
}

#[test]
fn bad_usage_is_refused_in_one_line() {
    let folder = TempDir::new().expect("a folder");
    for line in [
        "liquid none.toml",
        "liquid --scene pond",
        "liquid --size 0",
        "liquid --dt -1",
        "liquid --on gpu --preconditioner ic",
        "liquid --on cpu --index carry",
        "liquid --preconditioner mic --layout one",
        "liquid --surface last.stl",
        "liquid --surfaces no/such/folder",
        "liquid --history no/such/folder/h.csv",
        "liquid --norm-every 0",
    ] {
        fails(&mut fragstream(&folder, line), 2);
    }
}

#[test]
fn a_pressure_that_is_not_found_names_reason_and_step_and_leaves_what_was_recorded() {
    let folder = TempDir::new().expect("a folder");
    let line = "liquid --size 8 --steps 2 --maxiter 2 --history h.csv --gif all.gif --width 32";
    let mut command = fragstream(&folder, line);
    let said = fails(&mut command, 3);
    assert_says(&said, &["step 1", "2 iterations"]);
    assert_eq!(names(&folder), ["h.csv"]);
    let history = fs::read_to_string(folder.path().join("h.csv")).expect("a history");
    assert!(history.starts_with("step,iterations,"), "{history}");
    assert_eq!(history.lines().count(), 1);
}
