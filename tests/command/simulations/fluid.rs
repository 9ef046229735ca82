//! `fragstream fluid` as a stranger uses it.

use std::fs;

use crate::command::support::*;
use image::{AnimationDecoder, codecs::gif::GifDecoder};
use tempfile::tempdir;

#[test]
fn what_makes_no_sense_is_one_line_and_exit_2_and_leaves_nothing() {
    let cases = [
        ("--size 100x100", "coarsened"),
        ("--size 513", "513x129"),
        ("--size 99999999x5", "at most 1048576"),
        ("--dt 0", "above 0"),
        ("--dt -1", "above 0"),
        ("--dt NaN", "above 0"),
        ("--steps 0", "--steps"),
        ("--steps -3", "--steps"),
        ("--cycles 0", "--cycles"),
        ("--pre 0 --post 0", "smoothing"),
        ("--viscosity -0.1", "at least 0"),
        ("--inlet 0", "off"),
        ("--inlet fast", "off"),
        ("--every 0", "--every"),
        ("--show colour", "vorticity"),
        ("--frames missing", "make it first"),
        ("--frames a-file", "a-file"),
        ("--gif missing/jet.gif", "make it first"),
        ("--gif .", "folder"),
        ("--frames . --gif jet.gif", "--gif"),
    ];
    let folder = folder_with("a-file", "");
    for (arguments, part) in cases {
        let mut command = fragstream(&folder, &format!("fluid --size 17x9 {arguments}"));
        // The last one given counts.
        if arguments.starts_with("--size") {
            command = fragstream(&folder, &format!("fluid {arguments}"));
        }
        assert_says(&fails(&mut command, 2), &[part]);
        command.assert().stdout("");
    }
    assert_eq!(names(&folder), ["a-file"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_found_before_the_work() {
    // Nobody can make files in here, whoever runs the test.
    let folder = tempdir().unwrap();
    let mut command = fragstream(&folder, "fluid --size 17x9 --frames /proc/self");
    assert_says(&fails(&mut command, 2), &["/proc/self", "another folder"]);
    command.assert().stdout("");
}

#[test]
fn frames_are_numbered_pictures_of_twice_the_size() {
    let folder = tempdir().unwrap();
    let arguments = "fluid --size 33x17 --steps 6 --every 2 --particles 500 --frames .";
    let text = succeeds(&mut fragstream(&folder, arguments));
    assert_says(&text, &["6 steps in", "steps/s", "3 frames", "divergence"]);
    let expected = ["frame-0000.png", "frame-0001.png", "frame-0002.png"];
    assert_eq!(names(&folder), expected);
    let picture = image::open(folder.path().join("frame-0002.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), (64, 32));
}

#[test]
fn a_gif_moves() {
    let folder = tempdir().unwrap();
    for (show, inlet) in [("dye", "1.5"), ("vorticity", "off"), ("pressure", "2")] {
        let file = format!("{show}.gif");
        let arguments = format!(
            "fluid --size 33x17 --steps 8 --every 4 --zoom 3 --viscosity 0.01 --show {show} \
             --inlet {inlet} --particles 0 --gif {file}"
        );
        succeeds(&mut fragstream(&folder, &arguments));
        let bytes = fs::read(folder.path().join(file)).unwrap();
        let decoder = GifDecoder::new(std::io::Cursor::new(bytes)).unwrap();
        let frames = decoder.into_frames().collect_frames().unwrap();
        assert_eq!(frames.len(), 2);
        assert_eq!(frames[0].buffer().dimensions(), (96, 48));
        assert_ne!(frames[0].buffer(), frames[1].buffer(), "{show}");
    }
}

#[test]
fn without_frames_there_is_a_table_alone() {
    let folder = tempdir().unwrap();
    let text = succeeds(&mut fragstream(
        &folder,
        "fluid --size 17x9 --steps 3 --dt 0.5",
    ));
    assert_eq!(text.lines().count(), 1 + 3 + 1, "{text}");
    assert!(names(&folder).is_empty());
}
