//! `fragstream view` in a real window, pushed by a synthetic hand. Where there is no Xvfb, the tests
//! of windows say so and end.

use std::path::Path;

use fragstream::scenes::SCENES;

use super::support::{assert_says, fails, fragstream, result};
use super::window_support::{Display, Picture, wait_for};
use tempfile::tempdir;

const SPACE: u32 = 0x20;

/// Pixels from a horizontal line across a part of the picture.
fn distance_to_stroke(x: usize, y: usize) -> f64 {
    let (x, y) = (x as f64, y as f64);
    (x - x.clamp(90.0, 290.0)).hypot(y - 150.0)
}

/// Radius of a stroke, in pixels: a fiftieth of the side.
const RADIUS: f64 = 384.0 / 50.0;

fn everywhere(_: usize, _: usize) -> bool {
    true
}

/// Checks that a file holds what the window showed, within rounding.
fn assert_saved(file: &Path, shown: &Picture) {
    let image = image::open(file).unwrap().to_rgb8();
    let file = Picture {
        width: image.width() as usize,
        height: image.height() as usize,
        pixels: image.pixels().map(|pixel| pixel.0).collect(),
    };
    assert!(file.difference(shown, everywhere) <= 1);
}

#[test]
fn water_is_pushed_stepped_looked_at_saved_and_closed() {
    let Some(display) = Display::open() else {
        return;
    };
    let folder = tempdir().unwrap();
    let line =
        "view water --size 128 --rain 0 --no-finger --window 384x384 --show height --png end.png";
    let run = display.run(folder.path(), line);
    run.key(SPACE);
    run.wait_for_title("paused");
    let rest = run.settled();
    assert_eq!((rest.width, rest.height), (384, 384));

    run.drag(1, [90.0, 150.0], [290.0, 150.0]);
    wait_for("stroke", || (run.picture().difference(&rest, everywhere) > 60).then_some(()));
    let pushed = run.settled();
    // Pressed down is blue, all along the stroke, whatever a frame's share of it was.
    for x in (100..280).step_by(10) {
        let [red, _, blue] = pushed.at(x, 150);
        assert!(blue > 60 && blue / 2 > red, "{:?}", pushed.at(x, 150));
    }
    // exp(-16) of a push is nothing to be seen.
    let far = |x, y| distance_to_stroke(x, y) > 4.0 * RADIUS;
    assert!(pushed.difference(&rest, far) <= 1);

    // A picture is saved under a name that is free.
    let taken = folder.path().join("fragstream-001.png");
    std::fs::write(&taken, "mine").unwrap();
    run.key('p'.into());
    run.key('h'.into());
    wait_for("help", || (run.picture() != pushed).then_some(()));
    run.key('h'.into());
    wait_for("no help", || (run.picture() == pushed).then_some(()));
    assert_eq!(std::fs::read(taken).unwrap(), b"mine");
    assert_saved(&folder.path().join("fragstream-002.png"), &pushed);

    run.key('s'.into());
    run.wait_for_title("5 iterations");
    wait_for("step", || (run.picture().difference(&pushed, everywhere) > 2).then_some(()));
    let stepped = run.settled();
    // Nothing moves by itself now: what settles within seconds stays.
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!(run.picture() == stepped);
    run.key('1'.into());
    run.wait_for_title("· surface");
    assert!(run.settled() != stepped);
    run.key('2'.into());
    run.wait_for_title("· height");
    assert!(run.settled() == stepped);

    run.key(SPACE);
    run.wait_for_title("fps");
    wait_for("waves far from the stroke", || {
        (run.picture().difference(&rest, far) > 20).then_some(())
    });
    run.key(SPACE);
    run.wait_for_title("paused");
    run.key('r'.into());
    wait_for("rest", || (run.picture() == rest).then_some(()));
    // The other button lifts: amber.
    run.drag(3, [90.0, 150.0], [290.0, 150.0]);
    wait_for("lifted water", || {
        let [red, _, blue] = run.picture().at(190, 150);
        (red > 60 && red / 2 > blue).then_some(())
    });
    let lifted = run.settled();
    run.ask_to_close();
    let (code, stdout, stderr) = run.end();
    assert_eq!(code, Some(0), "{stderr}");
    assert_says(&stdout, &["simulation  water", "steps"]);
    let said = ["left button", "space", "wrote fragstream-002.png", "wrote end.png"];
    assert_says(&stderr, &said);
    assert_saved(&folder.path().join("end.png"), &lifted);
}

#[test]
fn a_window_closes_after_the_steps_that_were_asked_for_and_leaves_a_film() {
    let Some(display) = Display::open() else {
        return;
    };
    let folder = tempdir().unwrap();
    let line = "view water --size 33x20 --window 200x150 --rain 2 --rate 5 --steps 12 --ledger=json \
                --film film.html --json";
    let (code, stdout, stderr) = display.run(folder.path(), line).end();
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(result(stdout.as_bytes(), line)["steps"], 12);
    assert!(folder.path().join("film.html").is_file());
    let ledger: serde_json::Value = serde_json::from_str(&stderr).unwrap();
    assert_says(&ledger["notes"].to_string(), &["wrote film.html, "]);
    let steps = &ledger["kernels"]["kruger2003/simulation/water_right_hand_side"]["passes"];
    assert_eq!(steps.as_u64(), Some(12));
    // What the iterations need to know, and never the state or the picture.
    assert_eq!(ledger["texels_read_back"], ledger["read_backs"]);
}

#[test]
fn every_scene_opens_a_window_and_writes_what_it_shows() {
    let Some(display) = Display::open() else {
        return;
    };
    for entry in SCENES.iter().copied() {
        let folder = tempdir().unwrap();
        let name = entry.name;
        let line =
            format!("{name} --window 200x150 --preset film --rate 5 --steps 4 --png end.png");
        let (code, stdout, stderr) = display.run(folder.path(), &line).end();
        assert_eq!(code, Some(0), "{name}: {stderr}");
        assert_says(&stdout, &[name, "steps       4"]);
        let picture = image::open(folder.path().join("end.png")).unwrap().to_rgb8();
        assert_eq!(picture.dimensions(), (200, 150));
        let first = picture.get_pixel(100, 75);
        assert!(picture.pixels().any(|pixel| pixel != first), "{name}: one colour");
    }
}

#[test]
fn no_display_is_one_line_and_exit_4() {
    let folder = tempdir().unwrap();
    for (line, instead) in [
        ("view water", "`fragstream water --gif water.gif`"),
        ("dye --window", "`fragstream dye --gif dye.gif`"),
    ] {
        let mut command = fragstream(&folder, line);
        command.env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        let nothing = fails(command.env_remove("DISPLAY"), 4);
        assert_says(&nothing, &["no window", "DISPLAY", instead]);
        let dead = fails(command.env("DISPLAY", ":64999"), 4);
        assert_says(&dead, &["no window", instead]);
    }
}

#[test]
fn bad_input_is_found_before_a_window_opens() {
    let folder = tempdir().unwrap();
    for (line, part) in [
        ("view", "subcommand"),
        ("view lava", "'lava'"),
        ("view water --size 1x5", "2 cells"),
        ("view water --show pressure", "surface, height, residual, texture"),
        ("view water --gif x.gif", "--gif does not apply to a window"),
        ("view water --window 5x5", "16"),
        ("view water --detail 9", "0.125 to 4"),
        ("view water --png no/such/folder/x.png", "no/such/folder"),
        ("view dye --viscosity 3 --dt 1", "stable"),
        ("view dye --rate -1", "at least 0"),
    ] {
        let line = fails(fragstream(&folder, line).env("DISPLAY", ":64999"), 2);
        assert_says(&line, &[part]);
    }
}
