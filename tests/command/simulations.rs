//! Commands that simulate: one run with all its files each.

use std::fs;
use std::path::Path;

use crate::command::support::*;
use fragstream::io::MeshFile;
use fragstream::mesh::measure::enclosed_volume;
use fragstream::scenes::SCENES;
use image::{AnimationDecoder, codecs::gif::GifDecoder};
use serde_json::Value;
use tempfile::tempdir;

/// The size of a picture.
fn size(file: &Path) -> (u32, u32) {
    let picture = image::open(file).expect("a picture");
    (picture.width(), picture.height())
}

/// The number of frames of an animation.
fn frames(file: &Path) -> usize {
    let file = std::io::BufReader::new(fs::File::open(file).expect("an animation"));
    GifDecoder::new(file).expect("a GIF").into_frames().count()
}

#[test]
fn a_jet_is_written_as_numbered_frames() {
    let folder = tempdir().unwrap();
    let line = "jet --size 33x17 --steps 6 --every 2 --particles 500 --frames f";
    let text = succeeds(&mut fragstream(&folder, line));
    assert_says(&text, &["divergence before", "steps per second"]);
    let inside = folder.path().join("f");
    assert_eq!(size(&inside.join("frame-0002.png")), (64, 32));
    assert!(!inside.join("frame-0003.png").exists());
    let closed = "jet --size 33x17 --steps 2 --inlet off --viscosity 0.1 --show dye --gif x.gif";
    succeeds(&mut fragstream(&folder, closed));
    assert_eq!(frames(&folder.path().join("x.gif")), 1);
}

#[test]
fn water_and_dye_are_drawn_and_animated() {
    let folder = tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let line = "water --size 40x30 --steps 6 --every 2 --width 64 --rain 3 --gif w.gif --png w.png";
    let result = object(&folder, line, 0);
    assert_eq!(
        [&result["grid"], &result["steps"]],
        [&serde_json::json!("40x30"), &serde_json::json!(6)]
    );
    assert_eq!(size(&file("w.png")), (64, 48));
    assert_eq!(frames(&file("w.gif")), 3);
    for scene in ["fig8", "cavity --show velocity", "cavity --show pressure"] {
        let line = format!("dye --size 32 --steps 8 --width 64 --gif dye.gif --preset {scene}");
        let result = object(&folder, &line, 0);
        assert!(result["rows"][0]["divergence"].is_number(), "{result}");
        assert_eq!(frames(&file("dye.gif")), 2, "{scene}");
    }
}

#[test]
fn every_scene_is_a_command_with_a_picture_an_animation_numbers_and_a_film() {
    for entry in SCENES.iter().copied() {
        let (name, folder) = (entry.name, tempdir().unwrap());
        let line = format!(
            "{name} --preset film --steps 2 --every 2 --width 64 --png x.png --gif x.gif --csv x.csv \
             --film x.html"
        );
        let result = object(&folder, &line, 0);
        assert_eq!(result["steps"], 2, "{name}");
        assert_eq!(names(&folder), ["x.csv", "x.gif", "x.html", "x.png"], "{name}");
        assert_eq!(size(&folder.path().join("x.png")).0, 64, "{name}");
        assert_eq!(frames(&folder.path().join("x.gif")), 1, "{name}");
        let csv = fs::read_to_string(folder.path().join("x.csv")).expect("a table");
        assert!(csv.lines().count() > 1, "{name}: {csv}");
    }
}

#[test]
fn former_names_of_commands_are_aliases() {
    let grammar = fragstream::command::grammar();
    for (name, now) in [("fluid", "jet"), ("navier-stokes", "dye")] {
        let found = grammar.find_subcommand(name).expect("a command");
        assert_eq!(found.get_name(), now);
    }
}

#[test]
fn options_replace_a_part_of_a_preset() {
    let folder = tempdir().unwrap();
    let result = object(&folder, "water --preset fig7 --size 24 --steps 2 --no-finger", 0);
    assert_eq!(result["grid"], "24x24");
    let steps = object(&folder, "wing --preset film", 0);
    assert_eq!((&steps["grid"], &steps["steps"]), (&"9x17 nodes".into(), &3.into()));
    let refused = fails(&mut fragstream(&folder, "water --preset fig8"), 2);
    assert_says(&refused, &["fig8", "fig1"]);
}

#[test]
fn a_result_has_the_experiment_that_made_it_and_a_run_takes_it_back() {
    let folder = tempdir().unwrap();
    let json = |line: &str| -> Value {
        let mut command = fragstream(&folder, &format!("{line} --json"));
        serde_json::from_slice(&command.assert().code(0).get_output().stdout).unwrap()
    };
    let line = "water --preset fig7 --size 24x20 --courant 1.5 --no-finger --rain 3 --steps 2";
    let first = json(line);
    let experiment = &first["experiment"];
    assert_eq!(
        (&experiment["preset"], &experiment["settings"]["rain"]),
        (&"fig7".into(), &3.into())
    );
    let text = succeeds(&mut fragstream(&folder, line));
    assert!(
        text.starts_with("water: preset fig7 (differs from --preset paper in size, "),
        "{text}"
    );
    fs::write(folder.path().join("first.json"), first.to_string()).unwrap();
    // By its command, and by its file with one setting replaced.
    let command = experiment["command"].as_str().and_then(|line| line.strip_prefix("fragstream "));
    let again = json(command.expect("a command"));
    assert_eq!(again["experiment"], *experiment);
    assert_eq!(again["result"]["residual"], first["result"]["residual"]);
    let other = json("water --settings first.json --seed 8");
    assert_eq!(other["experiment"]["settings"]["seed"], 8);
    assert_eq!(other["experiment"]["settings"]["courant"], 1.5);
    let refused = fails(&mut fragstream(&folder, "dye --settings first.json"), 2);
    assert_says(&refused, &["first.json", "a result of", "Give one of dye"]);
    // What was left open is there with its value.
    let resolved = |line: &str| json(line)["experiment"]["resolved"].clone();
    let dye = resolved("dye --size 16x12 --steps 1 --reynolds 24");
    assert_eq!(dye, serde_json::json!({ "viscosity": 0.5, "dt": 0.4 }));
    let liquid = resolved("liquid --size 8 --steps 1 --preconditioner mic");
    assert_eq!((&liquid["on"], &liquid["size"]), (&"cpu".into(), &Value::Null));
    let heat = resolved("heat --size 17x9");
    let bundled =
        serde_json::json!({ "extent": "4x3", "conductivity": 2.0, "levels": 4, "norm": "l2" });
    assert_eq!(heat, bundled);
    assert_eq!(resolved("fem --levels 2")["rhs"], "1");
    assert!(json("water --schema")["result"]["properties"]["shore"]["oneOf"].is_array());
}

#[test]
fn a_flight_is_written_as_pictures_and_tables() {
    let folder = tempdir().unwrap();
    let line = "wing --body airfoil --size 25 --radius 10 --reynolds 50 --steps 40 --heave 0.3,0.2 \
                --pitch 15,0.2,90 --lag 0.1,0.2 --incidence 3 --every 20 --width 90 --gif x.gif \
                --png x.png --csv lift.csv --plot lift.png";
    let result = object(&folder, line, 0);
    // The force is measured every tenth step: no measurement has two rows.
    let rows = result["rows"].as_array().unwrap();
    let steps: Vec<_> = rows.iter().map(|row| row["step"].as_u64().unwrap()).collect();
    assert_eq!(steps, [0, 10, 20, 30, 40]);
    let csv = fs::read_to_string(folder.path().join("lift.csv")).expect("a table");
    assert!(csv.starts_with("time,drag,lift,circulation,step\n"));
    assert_eq!(csv.lines().count(), 6);
    for (name, expected) in [("x.png", (90, 40)), ("lift.png", (1280, 800))] {
        assert_eq!(size(&folder.path().join(name)), expected, "{name}");
    }
    assert_eq!(frames(&folder.path().join("x.gif")), 2);
}

/// The operator of the file is the one of the cylinder, and so are the forces.
#[test]
fn coordinates_from_a_file_give_the_same_flow_as_built_in_ones_and_faults_are_named() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("glsl/goodnight2003/problem/metric_log_polar.glsl");
    let text = fs::read_to_string(file).expect("the coordinates around a cylinder");
    let folder = folder_with("mine.glsl", &text);
    let forces = |options: &str| {
        let line =
            format!("wing --body cylinder --size 17 --radius 10 --steps 20 --csv x.csv {options}");
        succeeds(&mut fragstream(&folder, &line));
        fs::read_to_string(folder.path().join("x.csv")).expect("a table")
    };
    assert_eq!(forces(""), forces("--operator mine.glsl"));
    for (from, to, says) in [
        ("return vec3(h, h, 1.0);", "return vec3(h, h", "mine.glsl:"),
        ("float h = 0.5 * exp(p.x);", "int h = 1;", "mine.glsl:8"),
        ("return vec3(h, h", "return vec3(h, -h", "not positive"),
    ] {
        fs::write(folder.path().join("mine.glsl"), text.replace(from, to)).unwrap();
        let line = "wing --size 17 --steps 2 --operator mine.glsl";
        assert_says(&fails(&mut fragstream(&folder, line), 2), &[says]);
    }
}

#[test]
fn a_liquid_is_written_as_pictures_surfaces_and_a_history() {
    let folder = tempdir().unwrap();
    let line = "liquid --size 8 --steps 4 --every 2 --width 32 --png last.png --gif all.gif \
                --history h.csv --surface last.obj --surfaces .";
    succeeds(&mut fragstream(&folder, line));
    let expected = "all.gif h.csv last.obj last.png surface-0000.ply surface-0001.ply";
    assert_eq!(names(&folder).join(" "), expected);
    let history = fs::read_to_string(folder.path().join("h.csv")).expect("a history");
    assert!(history.starts_with("step,iterations,residual,volume,"), "{history}");
    let last = history.lines().last().unwrap();
    let volume: f64 = last.split(',').nth(3).unwrap().parse().unwrap();
    assert!((0.25..0.31).contains(&volume), "{volume}");
    for name in ["last.obj", "surface-0001.ply"] {
        let enclosed =
            enclosed_volume(MeshFile::read(&folder.path().join(name)).expect("a mesh").mesh());
        assert!((enclosed - volume).abs() < 0.05 * volume, "{name}: {enclosed}");
    }
    assert_eq!(size(&folder.path().join("last.png")), (32, 24));
    for options in ["--on cpu --preconditioner mic", "--layout slices", "--index carry"] {
        let line = format!("liquid --scene drop --size 8 --steps 1 {options}");
        succeeds(&mut fragstream(&folder, &line));
    }
}

#[test]
fn a_scene_file_has_boxes_spheres_and_an_inflow() {
    let scene = "gravity = [0, -5, 0]\ntime_step = 0.01\n[grid]\nsize = [8, 6, 4]\nspacing = 0.125\n\
        [[liquid]]\nfrom = [0, 0, 0]\nto = [0.5, 0.5, 0.5]\n\
        [[liquid]]\ncentre = [0.8, 0.5, 0.25]\nradius = 0.12\nvelocity = [0, -1, 0]\n\
        [[solid]]\nfrom = [0.6, -0.01, 0.1]\nto = [0.85, 0.24, 0.35]\n\
        [[inflow]]\ncentre = [0.2, 0.6, 0.2]\nradius = 0.1\nvelocity = [1, 0, 0]\nuntil = 0.015\n";
    let folder = folder_with("scene.toml", scene);
    let result = object(&folder, "liquid scene.toml --steps 3 --on cpu", 0);
    assert_eq!(result["grid"], "8x6x4 cells");
    let rows = result["rows"].as_array().unwrap();
    let volume = number(rows.last().unwrap(), "/volume");
    // The box alone holds an eighth; on so coarse a grid the sphere adds little.
    assert!((0.125..0.18).contains(&volume), "{volume}");
    let finer = object(&folder, "liquid scene.toml --steps 1 --size 16", 0);
    assert_eq!(finer["grid"], "16x12x8 cells");
}

#[test]
fn bad_scene_files_are_refused_with_file_line_and_key() {
    let grid = "[grid]\nsize = [8, 8, 8]\nspacing = 0.1\n";
    let body = |keys: &str| format!("{grid}[[solid]]\n{keys}\n");
    for (scene, parts) in [
        (body("from = [0, 0, 0]"), &["line 4", "solid 1", "from"][..]),
        (body("centre = [0, 0, 0]\nradius = 1\nvelocity = [1, 0, 0]"), &["solid 1", "velocity"]),
        (grid.replace("8, 8, 8", "6, 8, 8"), &["scene.toml: size", "multiple of 4"]),
    ] {
        let folder = folder_with("scene.toml", &scene);
        let line = "liquid scene.toml --steps 1 --history h.csv";
        assert_says(&fails(&mut fragstream(&folder, line), 2), parts);
        assert_eq!(names(&folder), ["scene.toml"], "{scene}");
    }
}

#[test]
fn a_pressure_that_is_not_found_names_the_step_and_leaves_the_history() {
    let folder = tempdir().unwrap();
    let line = "liquid --size 8 --steps 2 --maxiter 2 --history h.csv --gif all.gif --width 32";
    let message = fails(&mut fragstream(&folder, line), 3);
    assert_says(&message, &["step 1", "2 iterations", "max-iterations"]);
    assert_eq!(names(&folder), ["h.csv"]);
    let history = fs::read_to_string(folder.path().join("h.csv")).expect("a history");
    assert_eq!(history.lines().count(), 1);
}
