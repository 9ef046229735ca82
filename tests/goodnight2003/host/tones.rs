//! The settings of the tone mapper, the pictures it takes and those it is compared with.

use fragstream::goodnight2003::Error;
use fragstream::goodnight2003::tonemap::Scene;
use fragstream::goodnight2003::tonemap::ToneMapSettings;
use fragstream::goodnight2003::tonemap::{DisplayRange, clamped, extremes};
use fragstream::io::hdr::HdrImage;

#[test]
fn the_pyramid_ends_where_a_side_would_fall_below_32() {
    let settings = ToneMapSettings::default();
    let sizes = |size| settings.level_sizes(size).unwrap();
    assert_eq!(sizes((1024, 512)).last(), Some(&(64, 32)));
    assert_eq!(sizes((1024, 512)).len(), 5);
    assert_eq!(sizes((63, 200)), [(63, 200), (32, 100)]);
    assert_eq!(sizes((62, 200)), [(62, 200)]);
    assert_eq!(sizes((1, 1)), [(1, 1)]);
}

#[test]
fn levels_can_be_asked_for_down_to_one_sample() {
    let with = |scales| ToneMapSettings { scales: Some(scales), ..ToneMapSettings::default() };
    let sizes = with(4).level_sizes((5, 3)).unwrap();
    assert_eq!(sizes, [(5, 3), (3, 2), (2, 1), (1, 1)]);
    for levels in [0, 5] {
        let error = with(levels).level_sizes((5, 3)).unwrap_err();
        assert!(matches!(error, Error::Levels { most: 4, .. }));
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let good = ToneMapSettings::default();
    assert_eq!(good.check(), Ok(()));
    type Bad = (&'static str, fn(&mut ToneMapSettings));
    let bad: [Bad; 7] = [
        ("alpha", |s| s.alpha = 0.0),
        ("beta", |s| s.beta = 1.5),
        ("noise", |s| s.noise = 0.0),
        ("saturation", |s| s.saturation = -0.1),
        ("contrast", |s| s.contrast = 1.0),
        ("black", |s| s.black = 50.0),
        ("white", |s| s.white = f64::NAN),
    ];
    for (word, spoil) in bad {
        let mut settings = good;
        spoil(&mut settings);
        assert_eq!(settings.check().unwrap_err().what, word);
    }
}

#[test]
fn so_many_percent_are_black_and_white() {
    let logarithms: Vec<f64> = (0..=100).rev().map(f64::from).collect();
    let settings = ToneMapSettings { black: 10.0, white: 1.0, ..ToneMapSettings::default() };
    assert_eq!(extremes(&logarithms, &settings), [10.0, 99.0]);
    assert_eq!(extremes(&[2.0], &settings), [2.0, 2.0]);
}

#[test]
fn contrast_is_the_screens_but_never_more_than_the_pictures() {
    let settings =
        ToneMapSettings { contrast: 20.0, black: 0.0, white: 0.0, ..ToneMapSettings::default() };
    let range = |original| DisplayRange::of(&[0.5, 1.0, 2.5], original, &settings);
    assert!((range([-8.0, 0.0]).contrast() - 20.0).abs() < 1e-12);
    assert!((range([-1.0, 0.0]).contrast() - 1.0_f64.exp()).abs() < 1e-12);
    assert_eq!(range([-8.0, 0.0]).black, 0.05);
    let flat = DisplayRange::of(&[2.0; 3], [1.0, 1.0], &settings);
    assert_eq!((flat.gain, flat.contrast()), (1.0, 1.0));
}

#[test]
fn the_largest_luminance_is_one_and_single_columns_are_doubled() {
    let image = HdrImage::new(1, 3, vec![[0.0; 3], [5.0; 3], [10.0; 3]]).unwrap();
    let scene = Scene::of(&image);
    assert_eq!(scene.size, (2, 3));
    let red: Vec<f32> = scene.colours.iter().map(|colour| colour[0]).collect();
    assert_eq!(red, [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]);
}

#[test]
fn the_geometric_mean_is_middle_grey_and_light_beyond_the_screen_is_white() {
    // Geometric mean 1.
    let pixels = [0.01, 1.0, 100.0].map(|light| [light; 3]).to_vec();
    let picture = clamped(&HdrImage::new(3, 1, pixels).unwrap());
    let grey = |x| picture.get_pixel(x, 0).0[0];
    // 18 % is 118 of 255 in sRGB; 0.18 % is on the straight part, 12.92 x 0.0018 x 255.
    assert_eq!([grey(0), grey(1), grey(2)], [6, 118, 255]);
    let black = clamped(&HdrImage::new(2, 1, vec![[0.0; 3]; 2]).unwrap());
    assert!(black.iter().all(|channel| *channel == 0));
}
