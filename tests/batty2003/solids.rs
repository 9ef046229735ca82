//! How much of a face solids leave open.

use fragstream::batty2003::liquid::solids::Solids;
use fragstream::batty2003::liquid::{Field, Grid, Shape};

/// What is left open of the faces before the middle cell, where solid is a x + b y + c < 0 in the plane of
/// each face, its sides taken as 1 and its first corner as the origin.
fn open([a, b, c]: [f64; 3]) -> [f64; 3] {
    let grid = Grid {
        size: [3; 3],
        spacing: 1.0,
    };
    [0, 1, 2].map(|axis| {
        let value = |point: usize| {
            let corner = [point % 4, point / 4 % 4, point / 16].map(|i| i as f64 - 1.0);
            (a * corner[(axis + 1) % 3] + b * corner[(axis + 2) % 3] + c) as f32
        };
        let values = (0..64).map(value).collect();
        let field = Field::new([4; 3], [0.0; 3], 1.0, values).unwrap();
        let solids = Solids::new(grid, &[Shape::Distance(field)]);
        solids.open.before(axis, [1; 3])
    })
}

#[test]
fn of_a_face_a_straight_line_leaves_open_what_lies_on_its_side() {
    let n = 400;
    for [mut a, mut b, mut c] in [
        [1.0, 0.0, -0.3],
        [1.0, 2.0, -0.4],
        [-1.0, 1.5, 0.1],
        [-1.0, -1.0, 1.8],
    ] {
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
