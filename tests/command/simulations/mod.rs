//! `fragstream water` and `fragstream navier-stokes`.

mod fluid;
mod liquid;
mod wing;

use crate::command::support::*;
use tempfile::TempDir;

#[test]
fn bad_input_is_refused_in_one_line() {
    let folder = TempDir::new().expect("a folder");
    for line in [
        "water --size 1x5",
        "water --size 512",
        "water --courant 0",
        "water --damping 2",
        "water --size 100000x4 --steps 1",
        "water --gif no/such/folder/x.gif",
        "water --frames no/such/folder",
        "navier-stokes --viscosity 3 --dt 1",
        "navier-stokes --dt -1",
        "navier-stokes --iterations 0",
    ] {
        fails(&mut fragstream(&folder, line), 2);
    }
}

#[test]
fn water_is_written_as_frames_and_as_a_picture() {
    let folder = TempDir::new().expect("a folder");
    let line =
        "water --size 40x30 --steps 6 --every 2 --width 64 --rain 3 --frames . --png last.png";
    succeeds(&mut fragstream(&folder, line));
    for name in ["frame-0000.png", "frame-0002.png", "last.png"] {
        let picture = image::open(folder.path().join(name)).expect("a picture");
        assert_eq!((picture.width(), picture.height()), (64, 48), "{name}");
    }
    assert!(!folder.path().join("frame-0003.png").exists());
}

#[test]
fn fluid_is_written_as_an_animation() {
    let folder = TempDir::new().expect("a folder");
    let gif = folder.path().join("dye.gif");
    for scene in [
        "strokes",
        "cavity --show velocity",
        "cavity --show pressure",
    ] {
        let line = format!(
            "navier-stokes --size 32x32 --steps 8 --width 64 --gif dye.gif --scene {scene}"
        );
        succeeds(&mut fragstream(&folder, &line));
        let bytes = std::fs::read(&gif).expect("an animation");
        assert!(
            bytes.starts_with(b"GIF89a") && bytes.len() > 1000,
            "{scene}"
        );
    }
}
