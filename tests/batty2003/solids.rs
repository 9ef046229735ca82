//! How much of a face solids leave open.

use fragstream::batty2003::scenes::flip::Solids;
use fragstream::batty2003::scenes::flip::{Grid, Shape};

/// What is left open of the faces before the middle cell, where solid is a x + b y + c < 0 in the plane of
/// each face, its sides taken as 1 and its first corner as the origin.
fn open([a, b, c]: [f64; 3]) -> [f64; 3] {
    let grid = Grid { size: [3; 3], spacing: 1.0 };
    // A sphere as large as that is a plane here.
    let radius = 1e6;
    [0, 1, 2].map(|axis| {
        let mut normal = [0.0; 3];
        normal[(axis + 1) % 3] = a / a.hypot(b);
        normal[(axis + 2) % 3] = b / a.hypot(b);
        let centre = normal.map(|n| 1.0 - (c / a.hypot(b) + radius) * n);
        let solids = Solids::new(grid, &[Shape::Sphere { centre, radius }]);
        solids.open.before(axis, [1; 3])
    })
}

#[test]
fn of_a_face_a_straight_line_leaves_open_what_lies_on_its_side() {
    let n = 400;
    for [mut a, mut b, mut c] in
        [[1.0, 0.0, -0.3], [1.0, 2.0, -0.4], [-1.0, 1.5, 0.1], [-1.0, -1.0, 1.8]]
    {
        // A quarter turn of the square after the other.
        for _ in 0..4 {
            // By counting points.
            let points = (0..n * n).filter(|point| {
                let [x, y] = [point % n, point / n].map(|i| (i as f64 + 0.5) / f64::from(n));
                a * x + b * y + c >= 0.0
            });
            let expected = points.count() as f64 / f64::from(n * n);
            for share in open([a, b, c]) {
                assert!((share - expected).abs() < 2e-3, "{share} for {expected}");
            }
            (a, b, c) = (-b, a, b + c);
        }
    }
}
