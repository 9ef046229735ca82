//! Scenes: what is said of a side, and files.

use fragstream::goodnight2003::scenes::heat::{
    Piece, SideConditions, Strength, parse_scene, read_input,
};
use fragstream::goodnight2003::{Condition, Side};

#[test]
fn later_pieces_count_before_earlier_ones() {
    let piece = |from, to, value| Piece { from, to, condition: Condition::value(value) };
    let mut side = SideConditions(vec![piece(0.0, 2.0, 1.0), piece(1.0, 3.0, 2.0)]);
    let value = |side: &SideConditions, place| side.at(place, 1e-9).map(|c| c.gamma);
    let found = [0.0, 0.9, 1.0, 3.0, 3.1].map(|place| value(&side, place));
    assert_eq!(found, [Some(1.0), Some(1.0), Some(2.0), Some(2.0), None]);
    side.0.extend(SideConditions::all(Condition::value(7.0)).0);
    assert_eq!(value(&side, 1.0), Some(7.0));
}

#[test]
fn a_condition_is_a_value_a_slope_or_three_numbers() {
    let parts = str::parse::<Condition>;
    assert_eq!(parts("value=3"), Ok(Condition::value(3.0)));
    assert_eq!(parts("slope=-2"), Ok(Condition::slope(-2.0)));
    let mixed = parts("alpha=1,beta=2,gamma=3").unwrap();
    assert_eq!([mixed.alpha, mixed.beta, mixed.gamma], [1.0, 2.0, 3.0]);
    for bad in [
        "",
        "value=1,slope=1",
        "alpha=1",
        "alpha=1,gamma=1",
        "alpha=0,beta=0,gamma=1",
        "value=NaN",
        "value=1,alpha=1,beta=1,gamma=1",
        "slope=inf",
    ] {
        assert!(parts(bad).is_err(), "{bad}");
    }
}

/// The example of this file's documentation, its picture left out.
fn example() -> String {
    let text = include_str!("../../../src/goodnight2003/scenes/heat/scene_file.rs");
    let lines = text.lines().filter_map(|line| line.strip_prefix("//!"));
    let code = lines.skip_while(|line| !line.contains("```toml")).skip(1);
    let code = code.take_while(|line| !line.contains("```"));
    let lines: Vec<&str> = code.collect();
    let named = |line: &&&str| !["[picture]", "path =", "white ="].iter().any(|p| line.contains(p));
    lines.iter().filter(named).map(|line| format!("{line}\n")).collect()
}

#[test]
fn the_example_is_read_as_it_says() {
    let mut scene = parse_scene(&example()).unwrap();
    assert_eq!(scene.size, Some((257, 193)));
    assert_eq!(scene.extent, Some([4.0, 3.0]));
    assert_eq!(scene.conductivity, 2.0);
    assert_eq!(scene.periodic, [true, false]);
    let [source] = &scene.sources[..] else { panic!() };
    assert_eq!([source.from, source.to], [[1.0, 1.0], [1.4, 1.2]]);
    assert_eq!(source.strength, Strength::Power(5.0));
    assert_eq!(*scene.side(Side::South), SideConditions::all(Condition::value(20.0)));
    let [north] = scene.side(Side::North).0[..] else { panic!() };
    assert_eq!((north.from, north.to, north.condition.gamma), (0.0, 1.5, 150.0));
    assert_eq!(scene.otherwise, SideConditions::all(Condition::slope(0.0)));
    assert!(scene.side(Side::West).0.is_empty());
}

#[test]
fn faults_name_the_line() {
    let cases = [
        ("size = [9, 9]\n[nord]\nvalue = 1", "line 2: unknown field `nord`"),
        ("[west]\nvalue = 1\nslop = 0", "line 3: unknown field `slop`"),
        ("\n\n[west]\nvalue = 1\nslope = 0", "line 3: too much is given"),
        ("[west]\n", "line 1: no condition is given"),
        ("west = 3", "line 1: invalid type: integer `3`, expected a condition"),
        ("[[east]]\nfrom = 2\nto = 1\nvalue = 0", "line 1: the piece goes from 2 to 1"),
        ("size = [9, -1]", "line 1: invalid value: integer `-1`"),
        ("conductivity = 0", "line 1: 0 is not above zero"),
        ("size = [1, 2\n", "line 1: "),
        ("[[source]]\nshape = \"disc\"", "line 2: unknown field `shape`"),
        ("[[source]]\nfrom = [1, 1]\npower = 1", "line 1: missing field `to`"),
        (
            "[[source]]\nfrom = [1, 1]\nto = [2, 2]",
            "line 1: source 1: it needs either a power or a density",
        ),
        (
            "[[source]]\nfrom = [1, nan]\nto = [2, 2]\npower = 1",
            "line 1: source 1: a number is not finite",
        ),
        (
            "[[source]]\nfrom = [1, 1]\nto = [0, 2]\npower = 1",
            "line 1: source 1: from must be its south-west corner",
        ),
        ("[picture]\npath = \"a.png\"\nwhite = inf", "line 3: inf is not finite"),
    ];
    for (text, expected) in cases {
        let fault = parse_scene(text).unwrap_err().to_string();
        assert!(fault.starts_with(expected), "{text:?}: {fault}");
        assert!(!fault.contains('\n') && fault.contains(". "), "{fault}");
    }
}

#[test]
fn a_picture_is_looked_for_beside_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    std::fs::write(&path, "[picture]\npath = \"a.png\"\nwhite = 3").unwrap();
    let missing = read_input(&path).unwrap_err().to_string();
    assert!(missing.contains("a.png: there is no such file"), "{missing}");
    let picture = image::GrayImage::from_pixel(3, 2, image::Luma([255]));
    picture.save(folder.path().join("a.png")).unwrap();
    let picture = read_input(&path).unwrap().picture.unwrap();
    assert_eq!((picture.white, picture.grey.dimensions()), (3.0, (3, 2)));
}
