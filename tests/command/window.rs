//! `fragstream view` in a real window, pushed by a synthetic hand. Where there is no Xvfb, the tests
//! of windows say so and end.

use super::support::{assert_says, fails, fragstream};
use super::window_support::{Display, Picture, Run, wait_for};
use tempfile::{TempDir, tempdir};

const SPACE: u32 = 0x20;
const TAB: u32 = 0xff09;

/// Water seen from above, 3 pixels a cell, at rest and paused.
fn paused_water() -> Option<Shown> {
    paused("view water --size 128x128 --window 384x384 --show height --png end.png")
}

/// A display, a folder that the command runs in, and the run: in the order in which they must last.
type Shown = (Display, TempDir, Run);

/// What a command shows, paused; nothing where no display can be opened.
fn paused(line: &str) -> Option<Shown> {
    let (display, folder) = (Display::open()?, tempdir().unwrap());
    let run = display.run(folder.path(), line);
    run.key(SPACE);
    run.wait_for_title("paused");
    Some((display, folder, run))
}

/// Pixels from a horizontal line across a part of the picture.
fn distance_to_stroke(x: usize, y: usize) -> f64 {
    let (x, y) = (x as f64, y as f64);
    (x - x.clamp(90.0, 290.0)).hypot(y - 150.0)
}

fn stroke(run: &Run, button: u8) {
    run.drag(button, [90.0, 150.0], [290.0, 150.0]);
}

/// The picture after a stroke on what was at rest.
fn pushed(run: &Run, rest: &Picture) -> Picture {
    stroke(run, 1);
    wait_for("stroke", || {
        (run.picture().difference(rest, everywhere) > 60).then_some(())
    });
    run.settled()
}

/// Radius of a stroke, in pixels: a fiftieth of the side.
const RADIUS: f64 = 384.0 / 50.0;

fn everywhere(_: usize, _: usize) -> bool {
    true
}

#[test]
fn a_stroke_pushes_the_water_below_it_and_waves_run_from_it() {
    let Some((_display, _folder, run)) = paused_water() else {
        return;
    };
    let rest = run.settled();
    assert_eq!((rest.width, rest.height), (384, 384));

    let pushed = pushed(&run, &rest);
    // Pressed down is blue, all along the stroke, whatever a frame's share of it was.
    for x in (100..280).step_by(10) {
        let [red, _, blue] = pushed.at(x, 150);
        assert!(
            blue > 60 && blue / 2 > red,
            "{:?} at {x}",
            pushed.at(x, 150)
        );
    }
    // exp(-16) of a push is nothing to be seen.
    let far = |x, y| distance_to_stroke(x, y) > 4.0 * RADIUS;
    assert!(pushed.difference(&rest, far) <= 1);

    run.key(SPACE);
    wait_for("waves far from the stroke", || {
        (run.picture().difference(&rest, far) > 20).then_some(())
    });
    run.ask_to_close();
    let (code, stdout, stderr) = run.end();
    assert_eq!(code, Some(0), "{stderr}");
    assert_says(&stdout, &["simulation  water", "steps"]);
    assert_says(&stderr, &["left button", "space", "pause", "wrote end.png"]);
}

#[test]
fn the_right_button_lifts() {
    let Some((_display, _folder, run)) = paused_water() else {
        return;
    };
    stroke(&run, 3);
    wait_for("amber", || {
        let [red, _, blue] = run.picture().at(190, 150);
        (red > 60 && red / 2 > blue).then_some(())
    });
}

#[test]
fn keys_pause_step_and_reset() {
    let Some((_display, folder, run)) = paused_water() else {
        return;
    };
    let rest = run.settled();
    let pushed = pushed(&run, &rest);

    run.key('s'.into());
    wait_for("step", || {
        (run.picture().difference(&pushed, everywhere) > 2).then_some(())
    });
    let stepped = run.settled();
    // Nothing moves by itself now: what settles within seconds stays.
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!(run.picture() == stepped);
    assert_says(&run.title(), &["paused", "5 iterations"]);

    run.key(SPACE);
    let title = run.wait_for_title("fps");
    let rate = title
        .split(" · ")
        .find_map(|part| part.strip_suffix(" fps"));
    let rate: f64 = rate.expect("a rate").parse().expect("a number");
    assert!((0.0..=70.0).contains(&rate), "{title}");
    wait_for("waves", || {
        (run.picture().difference(&stepped, everywhere) > 20).then_some(())
    });

    run.key(SPACE);
    run.wait_for_title("paused");
    run.key('r'.into());
    wait_for("rest", || (run.picture() == rest).then_some(()));
    run.key('q'.into());
    assert_eq!(run.end().0, Some(0));
    // What the file holds is what the window showed at its end, within rounding.
    let file = image::open(folder.path().join("end.png"))
        .unwrap()
        .to_rgb8();
    let file = Picture {
        width: file.width() as usize,
        height: file.height() as usize,
        pixels: file.pixels().map(|pixel| pixel.0).collect(),
    };
    assert!(file.difference(&rest, everywhere) <= 1);
}

#[test]
fn keys_change_what_is_shown() {
    let Some((_display, _folder, run)) = paused_water() else {
        return;
    };
    stroke(&run, 1);
    run.key('s'.into());
    run.wait_for_title("5 iterations");
    let mut seen = Vec::new();
    for (key, shown) in [
        (u32::from('1'), "surface"),
        ('2'.into(), "height"),
        (TAB, "residual"),
        ('4'.into(), "u: 128x128 R32F"),
        ('t'.into(), "u one step before: 128x128 R32F"),
    ] {
        run.key(key);
        run.wait_for_title(&format!("· {shown}"));
        let picture = run.settled();
        assert!(!seen.contains(&picture), "{shown} looks like another view");
        seen.push(picture);
    }
}

#[test]
fn a_key_saves_the_picture_with_its_colour_bar_and_never_overwrites() {
    let Some((_display, folder, run)) = paused_water() else {
        return;
    };
    // In the lower left corner: the colours from blue to amber, on a dark panel.
    let shown = run.settled();
    let bar = |x| shown.at(x, 384 - 10 - 52 + 16);
    assert!(bar(22)[2] > 200 && bar(22)[0] < bar(22)[2]);
    assert!(bar(238)[0] > 200 && bar(238)[2] < bar(238)[0]);
    assert!(bar(130).iter().all(|&part| part < 40));
    std::fs::write(folder.path().join("fragstream-002.png"), "mine").unwrap();
    run.key('p'.into());
    run.key('p'.into());
    run.key('h'.into());
    wait_for("help", || (run.picture() != shown).then_some(()));
    run.key('h'.into());
    wait_for("no help", || (run.picture() == shown).then_some(()));
    run.key('q'.into());
    let (code, _, stderr) = run.end();
    assert_eq!(code, Some(0), "{stderr}");
    assert_says(
        &stderr,
        &["wrote fragstream-001.png", "wrote fragstream-003.png"],
    );
    let kept = std::fs::read(folder.path().join("fragstream-002.png")).unwrap();
    assert_eq!(kept, b"mine");
    for name in ["fragstream-001.png", "fragstream-003.png"] {
        let file = image::open(folder.path().join(name)).unwrap().to_rgb8();
        let pixels = file.pixels().map(|pixel| pixel.0).collect();
        let file = Picture {
            width: 384,
            height: 384,
            pixels,
        };
        assert!(file.difference(&shown, everywhere) <= 1, "{name}");
    }
}

#[test]
fn a_picture_keeps_its_aspect_when_the_window_changes() {
    let Some((_display, _folder, run)) = paused_water() else {
        return;
    };
    let rest = run.settled();
    pushed(&run, &rest);
    run.resize(300, 500);
    let picture = wait_for("new size", || {
        let picture = run.picture();
        // Blue where the stroke lies now: the square is 300 pixels wide, from row 100 on.
        let [red, _, blue] = picture.at(
            picture.width / 2,
            (100 + 150 * 300 / 384).min(picture.height - 1),
        );
        (picture.width == 300 && blue > 60 && blue / 2 > red).then_some(picture)
    });
    let around = picture.at(150, 20);
    for row in (0..98).chain(402..500) {
        assert!((0..300).all(|x| picture.at(x, row) == around), "row {row}");
    }
    assert!(picture.at(5, 105) != around && picture.at(295, 395) != around);
}

#[test]
fn a_stroke_leaves_dye_which_the_fluid_carries_on() {
    let Some((_display, _folder, run)) = paused("view dye --size 96x96 --window 384x384") else {
        return;
    };
    let rest = run.settled();
    stroke(&run, 1);
    // The first dye is red.
    wait_for("dye", || {
        let [red, _, blue] = run.picture().at(190, 150);
        (red > 60 && red / 2 > blue).then_some(())
    });
    let pushed = run.settled();
    for name in [
        "velocity",
        "pressure",
        "residual",
        "velocity, with its border: 100x100 Rg32F",
    ] {
        run.key(TAB);
        run.wait_for_title(&format!("· {name}"));
    }
    run.key('1'.into());
    run.wait_for_title("· dye ·");
    assert!(run.settled() == pushed);
    // The fluid goes to the right, and takes the dye along.
    let ahead = |x, y| distance_to_stroke(x, y) > 2.0 * RADIUS && x > 300 && y < 250;
    let before = pushed.difference(&rest, ahead);
    run.key(SPACE);
    wait_for("dye ahead of the stroke", || {
        (run.picture().difference(&rest, ahead) > before + 30).then_some(())
    });
    run.key('q'.into());
    assert_eq!(run.end().0, Some(0));
}

#[test]
fn a_window_closes_after_the_steps_that_were_asked_for_and_leaves_a_film() {
    let Some(display) = Display::open() else {
        return;
    };
    let folder = tempdir().unwrap();
    let line = "view water --size 33x20 --window 200x150 --rain 2 --rate 5 --steps 12 --ledger=json \
                --film film.html";
    let (code, stdout, stderr) = display.run(folder.path(), line).end();
    assert_eq!(code, Some(0), "{stderr}");
    assert_says(&stdout, &["steps       12"]);
    assert_says(&stderr, &["wrote film.html, "]);
    assert!(folder.path().join("film.html").is_file());
    let ledger = stderr.lines().last().unwrap();
    let ledger: serde_json::Value = serde_json::from_str(ledger).unwrap();
    let steps = &ledger["kernels"]["kruger2003/simulation/water_right_hand_side"]["passes"];
    assert_eq!(steps.as_u64(), Some(12));
    // What the iterations need to know, and never the state or the picture.
    assert_eq!(ledger["texels_read_back"], ledger["read_backs"]);
}

#[test]
fn no_display_is_one_line_and_exit_4() {
    let folder = tempdir().unwrap();
    for (line, instead) in [
        ("view water", "`fragstream water --gif waves.gif`"),
        ("view dye", "`fragstream navier-stokes --gif dye.gif`"),
    ] {
        let mut command = fragstream(&folder, line);
        command
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET");
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
        (
            "view water --show pressure",
            "surface, height, residual, texture",
        ),
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

#[test]
fn the_mouse_pours_and_pushes_a_liquid() {
    let Some((_display, _folder, run)) =
        paused("view liquid --size 8 --preconditioner mic --window 320x240")
    else {
        return;
    };
    let rest = run.settled();
    // High in the right half of the box: nothing comes there in a few steps by itself.
    let high = |x: usize, y: usize| (180..225).contains(&x) && (65..100).contains(&y);
    let step = || {
        run.key('s'.into());
        run.settled()
    };
    assert_eq!(step().difference(&rest, high), 0);
    run.drag(3, [200.0, 82.0], [204.0, 82.0]);
    step();
    wait_for("what was poured", || {
        (run.picture().difference(&rest, high) > 20).then_some(())
    });

    // A stroke up through the column throws it higher than it was, which falls without.
    let above = |x: usize, y: usize| (90..130).contains(&x) && (62..84).contains(&y);
    let before = step();
    run.drag(1, [110.0, 130.0], [110.0, 70.0]);
    for _ in 0..8 {
        step();
    }
    wait_for("liquid above the column", || {
        (run.picture().difference(&before, above) > 20).then_some(())
    });
}
