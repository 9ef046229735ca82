//! Grids, and the sides of a problem; how the grids of a hierarchy are packed.

use fragstream::goodnight2003::Atlas;
use fragstream::goodnight2003::{Axis, Boundaries, Condition, Error, Grid, Metric, Problem, Side};

#[test]
fn coarser_axes_end_where_the_finest_does_and_have_its_length() {
    let plain = (2..200).map(|nodes| Axis::new(nodes, 0.0, 0.5));
    let periodic = (3..200).step_by(2).map(|nodes| Axis::periodic(nodes, 0.0, 0.5));
    for axis in plain.chain(periodic).map(Result::unwrap) {
        for level in 0..10 {
            let (counted, last) = match axis.is_periodic() {
                true => (axis.originals(level), axis.originals(level)),
                false => (axis.nodes(level), axis.nodes(level) - 1),
            };
            assert_eq!(axis.finest(level, last), axis.nodes(0) - 1);
            let length: f64 = (0..counted).map(|node| axis.width(level, node)).sum();
            assert!((length - 0.5 * f64::from(axis.nodes(0) - 1)).abs() < 1e-9);
        }
    }
    assert!(Axis::periodic(12, 0.0, 1.0).is_err());
}

#[test]
fn interpolation_is_exact_for_straight_lines() {
    for nodes in 2..60 {
        let axis = Axis::new(nodes, 1.0, 0.25).unwrap();
        for level in 0..6 {
            for node in 0..axis.nodes(level) {
                let weight = axis.weight(level, node);
                if axis.nodes(level + 1) == 1 {
                    assert_eq!(weight, 0.0);
                    continue;
                }
                let coarse = |node| axis.position(level + 1, node);
                let before = coarse(axis.coarser(level, node));
                let after = coarse(axis.coarser(level, node) + 1);
                let line = (1.0 - weight) * before + weight * after;
                assert!((line - axis.position(level, node)).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn the_short_side_ends_in_a_single_node() {
    let grid =
        Grid { x: Axis::new(65, 0.0, 1.0).unwrap(), y: Axis::periodic(7, 0.0, 1.0).unwrap() };
    let sizes: Vec<_> = (0..grid.levels()).map(|level| grid.size(level)).collect();
    let expected = [(65, 7), (33, 4), (17, 2), (9, 2), (5, 2), (3, 2)];
    assert_eq!(sizes, expected);
    let grid = Grid::unit(30, 4).unwrap();
    let sizes: Vec<_> = (0..grid.levels()).map(|level| grid.size(level)).collect();
    assert_eq!(sizes, [(30, 4), (15, 2), (8, 1), (4, 1), (2, 1)]);
    assert_eq!(grid.size(grid.levels_until(1) - 1), (1, 1));
}

#[test]
fn what_is_said_at_a_replica_does_not_count() {
    let grid = Grid { x: Axis::periodic(5, 0.0, 1.0).unwrap(), y: Axis::new(5, 0.0, 1.0).unwrap() };
    let mut south = vec![Condition::slope(0.0); 5];
    south[4] = Condition::value(1.0);
    let boundaries = Boundaries::all(&grid, Condition::slope(0.0)).with_each(Side::South, south);
    let source = vec![0.0; grid.nodes(0)];
    let problem = Problem::new(grid, Metric::cartesian(), boundaries, source).unwrap();
    assert!(problem.is_singular());
    let more = (problem.boundaries).with(&grid, Side::West, Condition::value(1.0));
    assert_eq!(more.check(&grid), Err(Error::OverDetermined(Side::West)));
}

fn levels(columns: u32, rows: u32) -> Vec<(u32, u32)> {
    let grid = Grid::unit(columns, rows).unwrap();
    (0..grid.levels()).map(|level| grid.size(level)).collect()
}

fn check(atlas: &Atlas, sizes: &[(u32, u32)]) {
    for (place, size) in atlas.places.iter().zip(sizes) {
        assert_eq!((place.width, place.height), *size);
        assert!(place.x + place.width <= atlas.size.0);
        assert!(place.y + place.height <= atlas.size.1);
    }
    for (number, place) in atlas.places.iter().enumerate() {
        let others = &atlas.places[..number];
        assert!(!others.iter().any(|other| place.overlaps(*other)));
    }
}

#[test]
fn no_surface_is_smaller() {
    // The two largest grids lie beside each other, or one above the other, in any packing.
    for nodes in (5..400).chain([513, 1025, 1537, 2049]) {
        let sizes = levels(nodes, nodes);
        let atlas = Atlas::pack(&sizes, u32::MAX).unwrap();
        check(&atlas, &sizes);
        let (first, second) = (sizes[0], sizes[1]);
        let least = (first.0 + second.0) * first.1;
        assert_eq!(atlas.size.0 * atlas.size.1, least, "{nodes} nodes");
    }
}

#[test]
fn over_the_limit_the_error_names_the_size() {
    let error = Atlas::pack(&levels(2049, 2049), 2048).unwrap_err();
    let needed = (2049 + 1025, 2049);
    assert_eq!(error, Error::TooLarge { needed, limit: 2048 });
    // Side by side is too wide here, one above the other is not.
    let atlas = Atlas::pack(&levels(2001, 1001), 2048).unwrap();
    assert_eq!(atlas.size, (2001, 1001 + 501));
}
