//! `fragstream tonemap`.

use crate::command::support::*;
use image::{DynamicImage, ImageFormat, Rgb, Rgb32FImage};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// A folder with a picture of 40 x 33 pixels: a bright square on a dark ground, both with a pattern.
fn folder() -> TempDir {
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

fn exr(folder: &TempDir, pixel: impl Fn(u32, u32) -> [f32; 3]) {
    let picture = Rgb32FImage::from_fn(4, 3, |x, y| Rgb(pixel(x, y)));
    let path = folder.path().join("bad.exr");
    DynamicImage::from(picture).save(path).unwrap();
}

#[test]
fn both_formats_become_pictures_of_their_size() {
    let folder = folder();
    for input in ["a.hdr", "a.exr"] {
        let text = succeeds(&mut fragstream(&folder, &format!("tonemap {input} b.png")));
        assert_says(
            &text,
            &["picture      40x33", "scales       1, ", "converged after "],
        );
        let picture = image::open(folder.path().join("b.png")).unwrap();
        assert_eq!((picture.width(), picture.height()), (40, 33));
    }
    assert_eq!(names(&folder), ["a.exr", "a.hdr", "b.png"]);
}

#[test]
fn three_pictures_are_compared() {
    let folder = folder();
    let line = "tonemap a.exr b.png --compare c.png --json --ledger=json";
    let output = fragstream(&folder, line).assert().code(0);
    let object: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    assert!(
        object["difference"]["channel"].as_u64().unwrap() <= 1,
        "{object}"
    );
    assert_eq!(object["reason"], "converged");
    let ledger: Value = serde_json::from_slice(&output.get_output().stderr).unwrap();
    let passes = &ledger["kernels"]["goodnight2003/tonemap/colour"]["passes"];
    assert_eq!(passes, 1, "{ledger}");
    let all = image::open(folder.path().join("c.png")).unwrap();
    // Wider than high: below each other, with two gaps of 8.
    assert_eq!((all.width(), all.height()), (40, 3 * 33 + 16));
}

#[test]
fn a_beta_of_one_and_no_saturation_are_allowed() {
    let folder = folder();
    let line = "tonemap a.exr b.png --beta 1 --saturation 0 --scales 3 --black 0 --white 0";
    succeeds(&mut fragstream(&folder, line));
    let picture = image::open(folder.path().join("b.png"))
        .unwrap()
        .into_rgb8();
    assert!(
        picture
            .pixels()
            .all(|pixel| pixel.0[0] == pixel.0[1] && pixel.0[1] == pixel.0[2])
    );
}

#[test]
fn unfit_pixels_are_named() {
    let folder = tempdir().unwrap();
    for (bad, shown) in [(f32::NAN, "NaN"), (f32::INFINITY, "inf"), (-2.0, "-2")] {
        exr(
            &folder,
            |x, y| if (x, y) == (3, 1) { [bad; 3] } else { [1.0; 3] },
        );
        let line = fails(&mut fragstream(&folder, "tonemap bad.exr b.png"), 2);
        let place = format!("bad.exr: pixel in column 3, row 1: the luminance is {shown}");
        assert_says(&line, &[&place, "; all must be finite and not negative"]);
    }
    assert_eq!(names(&folder), ["bad.exr"]);
}

#[test]
fn what_is_no_picture_is_refused() {
    let folder = folder_with("a.hdr", "hello");
    let says = |arguments: &str, parts: &[&str]| {
        let line = format!("tonemap {arguments}");
        assert_says(&fails(&mut fragstream(&folder, &line), 2), parts);
    };
    says(
        "a.hdr b.png",
        &["a.hdr: no picture of a known format; give"],
    );
    says("none.hdr b.png", &["none.hdr: cannot read: "]);
    let write = |bytes: &[u8]| std::fs::write(folder.path().join("a.hdr"), bytes).unwrap();
    write(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 0 +X 0\n");
    says("a.hdr b.png", &["a.hdr: the picture has 0x0 pixels; "]);
    write(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 2\nab");
    says("a.hdr b.png", &["a.hdr: cannot be decoded: "]);
    DynamicImage::new_rgb8(2, 2)
        .save(folder.path().join("a.png"))
        .unwrap();
    says("a.png b.png", &["a.png: a picture of type image/png; give"]);
}

#[test]
fn a_picture_over_the_limit_is_refused() {
    let folder = tempdir().unwrap();
    let long = Rgb32FImage::from_pixel(70_000, 1, Rgb([1.0; 3]));
    let path = folder.path().join("a.exr");
    DynamicImage::from(long).save(path).unwrap();
    let line = fails(&mut fragstream(&folder, "tonemap a.exr b.png"), 2);
    assert_says(
        &line,
        &[
            "a.exr: the picture takes a 70000x2 texture, over ",
            "; give a smaller",
        ],
    );
}

#[test]
fn bad_usage_is_refused_in_one_line() {
    let folder = folder();
    for (arguments, part) in [
        ("a.hdr b.jpg", "b.jpg: give a name that ends in .png"),
        ("a.hdr no/b.png", "no/b.png: there is no folder no"),
        ("a.hdr b.png --compare b.png", "b.png: two results"),
        ("a.hdr b.png --beta 1.2", "beta is 1.2; give"),
        ("a.hdr b.png --alpha 0", "--alpha"),
        ("a.hdr b.png --saturation 2", "saturation is 2; give"),
        ("a.hdr b.png --contrast 1", "contrast is 1; give"),
        ("a.hdr b.png --white 50", "white is 50; give"),
        (
            "a.hdr b.png --scales 9",
            "a.hdr: a 40x33 picture has no pyramid of 9 levels. Take 1 to 7.",
        ),
        ("a.hdr b.png --maxiter 0", "--maxiter 0"),
        ("a.hdr", "OUT.png"),
    ] {
        let line = format!("tonemap {arguments}");
        assert_says(&fails(&mut fragstream(&folder, &line), 2), &[part]);
    }
    assert_eq!(names(&folder), ["a.exr", "a.hdr"]);
}

#[test]
fn a_solve_that_does_not_converge_ends_with_three_and_still_writes() {
    let folder = folder();
    let line = "tonemap a.hdr b.png --maxiter 1 --rtol 1e-9";
    let mut command = fragstream(&folder, line);
    let message = fails(&mut command, 3);
    assert_says(&message, &["max-iterations after 1 cycles", "--maxiter"]);
    assert!(folder.path().join("b.png").exists());
}

#[test]
fn the_bundled_panorama_has_a_name() {
    let folder = tempdir().unwrap();
    let text = succeeds(&mut fragstream(&folder, "tonemap room b.png --scales 1"));
    assert_says(&text, &["picture      1024x512"]);
    assert_eq!(names(&folder), ["b.png"]);
}
