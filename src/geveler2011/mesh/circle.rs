//! CIRCLE: a rectangle around a circle, in eight cells (geveler2011 §4.2, Fig. 1a and b).
//!
//! The paper prints neither coordinates nor the radius; these give the authors' matrices.

use super::curve::Curve;
use super::quad_mesh::{BoundaryPart, QuadMesh};

/// The coarse mesh: 3 × 3 cells without the middle one, whose corners are on the circle.
/// Boundaries: `outer`, twelve edges of the rectangle [0, 1] × [0, 1.25], and `circle`, four.
pub fn circle() -> QuadMesh {
    let x = [0.0, 0.4, 0.6, 1.0];
    let y = [0.0, 0.4, 0.6, 1.25];
    let vertices: Vec<[f64; 2]> = (0..16).map(|v| [x[v % 4], y[v / 4]]).collect();
    let corner = |i: u32, j: u32| i + 4 * j;
    let cells = (0..9_u32).filter(|&cell| cell != 4).map(|cell| {
        let (i, j) = (cell % 3, cell / 3);
        [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| corner(i, j))
    });
    let part = |name: &str, curve| BoundaryPart {
        name: name.into(),
        curve,
    };
    let inner = [corner(1, 1), corner(2, 1), corner(2, 2), corner(1, 2)];
    let parts = vec![
        part("outer", Curve::Line),
        part(
            "circle",
            Curve::Circle {
                centre: [0.5, 0.5],
                radius: 0.02_f64.sqrt(),
            },
        ),
    ];
    let part_of = |ends: [u32; 2]| u32::from(ends.iter().all(|v| inner.contains(v)));
    QuadMesh::new(vertices, cells.collect(), parts, part_of).expect("eight cells that fit together")
}
