//! Heat sources on a grid, and plates that a scene describes.

use fragstream::goodnight2003::scenes::heat::{
    HeatSource, PictureSource, Plate, Scene, SideConditions, Strength,
};
use fragstream::goodnight2003::{Axis, Condition, Equations, Error, Grid, Side};
use image::{ImageBuffer, Luma};

fn plate(columns: u32, rows: u32, periodic: bool) -> Grid {
    let axis = if periodic { Axis::periodic } else { Axis::new };
    Grid {
        x: axis(columns, 0.0, 2.0 / f64::from(columns - 1)).unwrap(),
        y: Axis::new(rows, 0.0, 1.0 / f64::from(rows - 1)).unwrap(),
    }
}

/// A rectangle by its west, south, east and north end.
fn rectangle([west, south, east, north]: [f64; 4], strength: Strength) -> HeatSource {
    HeatSource { name: "source 1".into(), from: [west, south], to: [east, north], strength }
}

fn density(grid: &Grid, source: &HeatSource) -> Result<Vec<f64>, Error> {
    let mut density = vec![0.0; grid.nodes(0)];
    source.add_to(grid, &mut density)?;
    Ok(density)
}

/// The sum over the plate, replicas left out.
fn total(grid: &Grid, density: &[f64]) -> f64 {
    let (columns, rows) = grid.size(0);
    let own = columns - u32::from(grid.x.is_periodic());
    let nodes = (0..rows).flat_map(|j| (0..own).map(move |i| (i, j)));
    nodes
        .map(|(i, j)| density[(j * columns + i) as usize] * grid.x.width(0, i) * grid.y.width(0, j))
        .sum()
}

#[test]
fn the_power_is_what_was_asked_for_on_any_grid() {
    for ends in [[0.3, -1.0, 0.4, 0.37], [1.7, 0.2, 2.3, 0.9], [0.7, 0.7, 0.7001, 0.7001]] {
        for (columns, rows) in [(2, 2), (9, 6), (65, 33)] {
            for periodic in [false, true] {
                let grid = plate(columns | u32::from(periodic), rows, periodic);
                let source = rectangle(ends, Strength::Power(-2.5));
                let found = density(&grid, &source).unwrap();
                assert!((total(&grid, &found) + 2.5).abs() < 1e-12, "{ends:?}");
            }
        }
    }
}

#[test]
fn a_density_is_that_of_the_rectangle_across_a_periodic_side_too() {
    let grid = plate(65, 33, true);
    let found =
        density(&grid, &rectangle([1.75, 0.25, 2.25, 0.75], Strength::Density(3.0))).unwrap();
    assert!((total(&grid, &found) - 0.75).abs() < 1e-12);
    for column in [0, 2, 60, 64] {
        assert!((found[14 * 65 + column] - 3.0).abs() < 1e-12, "{column}");
    }
    // Half of the control volume at the edge.
    assert!((found[14 * 65 + 8] - 1.5).abs() < 1e-12);
}

#[test]
fn a_source_beside_the_plate_is_refused_by_its_name() {
    let beside = rectangle([2.1, 0.1, 2.9, 0.9], Strength::Power(1.0));
    let error = density(&plate(9, 9, false), &beside).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("source 1 is outside the plate"), "{text}");
    assert!(density(&plate(9, 9, true), &beside).is_ok());
}

fn held() -> Scene {
    Scene { otherwise: SideConditions::all(Condition::value(20.0)), ..Scene::default() }
}

fn even(power: f64) -> HeatSource {
    rectangle([-9.0, -9.0, 9.0, 9.0], Strength::Power(power))
}

fn size_of(scene: &Scene) -> (u32, u32) {
    Plate::new(scene).unwrap().problem.grid.size(0)
}

#[test]
fn what_is_not_said_has_square_cells() {
    assert_eq!(size_of(&held()), (257, 257));
    let mut scene = held();
    scene.extent = Some([1.0, 4.0]);
    assert_eq!(size_of(&scene), (65, 257));
    scene.size = Some((9, 6));
    assert_eq!(size_of(&scene), (9, 6));
    scene.extent = None;
    assert_eq!(Plate::new(&scene).unwrap().extent, [1.6, 1.0]);
    let mut scene = held();
    let grey = ImageBuffer::from_fn(8, 4, |x, y| Luma([(x + 8 * y) as f32]));
    scene.picture = Some(PictureSource { grey, white: 2.0 });
    scene.conductivity = 4.0;
    let problem = Plate::new(&scene).unwrap().problem;
    assert_eq!(problem.grid.size(0), (8, 4));
    // The picture's last row is the plate's first; f = -S/k.
    assert_eq!(problem.source[..3], [-12.0, -12.5, -13.0]);
}

#[test]
fn conditions_are_those_of_what_is_above_the_reference() {
    let mut scene = held();
    *scene.side(Side::North) =
        SideConditions::all(Condition { alpha: 2.0, beta: 1.0, gamma: 60.0 });
    *scene.side(Side::West) = SideConditions::all(Condition::slope(7.0));
    let plate = Plate::new(&scene).unwrap();
    assert_eq!(plate.reference, 25.0);
    let gamma = |side| plate.problem.boundaries.side(side).unwrap()[3].gamma;
    let all = Side::ALL.map(gamma);
    assert_eq!(all, [7.0, -5.0, -5.0, 10.0]);
    let found = plate.temperature(&vec![-5.0; 257 * 257]);
    assert_eq!((found[0], plate.mean(&found)), (20.0, 20.0));
}

#[test]
fn sides_are_complete_and_not_said_twice() {
    let error = Plate::new(&Scene::default()).unwrap_err();
    assert_eq!(error, Error::NoCondition(Side::West));
    let mut scene = held();
    scene.periodic = [true, false];
    assert!(Plate::new(&scene).is_ok());
    *scene.side(Side::East) = SideConditions::all(Condition::value(1.0));
    let error = Plate::new(&scene).unwrap_err();
    let east = Error::OverDetermined(Side::East);
    assert_eq!(error, east);
    let mut scene = Scene::default();
    for side in Side::ALL {
        *scene.side(side) = SideConditions::all(Condition::value(1.0));
    }
    scene.side(Side::South).0[0].to = 0.5;
    let gap = |e| matches!(e, Error::Gap { side: Side::South, at } if at > 0.5 && at < 0.51);
    assert!(gap(Plate::new(&scene).unwrap_err()));
    scene.otherwise = SideConditions::all(Condition::slope(0.0));
    let south = Plate::new(&scene).unwrap().problem;
    let south = south.boundaries.side(Side::South).unwrap();
    assert!(south[128].is_value() && !south[129].is_value());
}

#[test]
fn a_surplus_is_made_up_for_where_nothing_holds_the_temperature() {
    let mut scene = held();
    scene.conductivity = 0.5;
    scene.sources.push(even(3.0));
    assert_eq!(Plate::new(&scene).unwrap().make_up(), Ok(0.0));
    scene.otherwise = SideConditions::all(Condition::slope(0.25));
    let mut plate = Plate::new(&scene).unwrap();
    // The sides bring k times slope times circumference.
    let added = plate.make_up().unwrap();
    assert!((added + 3.5).abs() < 1e-9, "{added}");
    assert_eq!(Equations::new(&plate.problem).unwrap().balance(), Ok(()));
}

#[test]
fn a_picture_on_a_periodic_plate_is_closed() {
    let mut scene = held();
    scene.periodic = [true, true];
    scene.otherwise = SideConditions::default();
    let grey = ImageBuffer::from_fn(9, 5, |x, y| Luma([(x * y) as f32]));
    scene.picture = Some(PictureSource { grey, white: 1.0 });
    let source = Plate::new(&scene).unwrap().problem.source;
    for row in 0..5 {
        assert_eq!(source[9 * row], source[9 * row + 8]);
    }
    assert_eq!(source[..9], source[36..]);
}
