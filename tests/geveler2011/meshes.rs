//! The paper's meshes, level by level, against Table 1, and meshes that are refused.

use crate::geveler2011::mesh_files::area;
use fragstream::geveler2011::{BoundaryPart, Curve, QuadMesh, QuadMeshError, blood, circle};

#[test]
fn no_angle_of_the_stand_in_gets_flat() {
    for mesh in blood().levels(4) {
        for cell in &mesh.cells {
            let corners = cell.map(|v| mesh.vertices[v as usize]);
            for k in 0..4 {
                let [a, b, c] = [corners[(k + 3) % 4], corners[k], corners[(k + 1) % 4]];
                let (u, v) = ([c[0] - b[0], c[1] - b[1]], [a[0] - b[0], a[1] - b[1]]);
                let sine = (u[0] * v[1] - u[1] * v[0]) / (u[0].hypot(u[1]) * v[0].hypot(v[1]));
                assert!(sine > 0.56, "{sine} at {b:?}");
            }
        }
    }
}

#[test]
fn cells_fill_what_the_circle_leaves() {
    let levels = circle().levels(6);
    // A regular polygon with 128 corners.
    let hole = 64.0 * 0.02 * (std::f64::consts::PI / 64.0).sin();
    let off = area(&levels[5]) - (1.25 - hole);
    assert!(off.abs() < 1e-12, "{off}");
}

/// A mesh of these cells with one boundary.
fn mesh(vertices: &[[f64; 2]], cells: &[[u32; 4]]) -> Result<QuadMesh, QuadMeshError> {
    let part = BoundaryPart { name: "boundary".into(), groups: Vec::new(), curve: Curve::Line };
    QuadMesh::new(vertices.to_vec(), cells.to_vec(), vec![part], |_| 0)
}

#[test]
fn a_curve_that_cuts_through_a_flat_cell_is_told_with_its_level() {
    // Above a circle's chord, but below the circle.
    let r = 0.5_f64.sqrt();
    let vertices = vec![[-r, r], [r, r], [r, 0.8], [-r, 0.8]];
    let part = |name: &str, curve| BoundaryPart { name: name.into(), groups: Vec::new(), curve };
    let circle = Curve::Circle { centre: [0.0; 2], radius: 1.0 };
    let parts = vec![part("circle", circle), part("rest", Curve::Line)];
    let part_of = |ends| u32::from(ends != [0, 1]);
    let mesh = QuadMesh::new(vertices, vec![[0, 1, 2, 3]], parts, part_of).expect("a cell");
    assert!(mesh.clone().checked_levels(1).is_ok());
    let error = mesh.checked_levels(3);
    assert!(matches!(error, Err(QuadMeshError::TurnedByRefining { level: 2, .. })));
}

#[test]
fn meshes_that_cannot_be_computed_on_are_refused() {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    assert!(mesh(&square, &[[0, 1, 2, 3]]).is_ok());
    assert_eq!(mesh(&square, &[]), Err(QuadMeshError::Empty));
    assert!(matches!(mesh(&square, &[[3, 2, 1, 0]]), Err(QuadMeshError::Turned { .. })));
    assert!(matches!(mesh(&square, &[[0, 1, 3, 2]]), Err(QuadMeshError::Turned { .. })));
    assert!(matches!(
        mesh(&square, &[[0, 1, 2, 7]]),
        Err(QuadMeshError::NoVertex { vertex: 7, .. })
    ));
    let mut nan = square;
    nan[2][0] = f64::NAN;
    assert_eq!(mesh(&nan, &[[0, 1, 2, 3]]), Err(QuadMeshError::NotFinite { vertex: 2 }));
    let twice = [[0, 1, 2, 3], [0, 1, 2, 3]];
    assert!(matches!(mesh(&square, &twice), Err(QuadMeshError::CrowdedEdge { .. })));
    // One large cell beside two small ones.
    let vertices = [[0, 0], [2, 0], [2, 2], [0, 2], [3, 0], [3, 1], [2, 1], [3, 2]];
    let vertices = vertices.map(|vertex| vertex.map(f64::from));
    let cells = [[0, 1, 2, 3], [1, 4, 5, 6], [6, 5, 7, 2]];
    assert_eq!(
        mesh(&vertices, &cells),
        Err(QuadMeshError::HangingNode { cell: 0, at: [2.0, 1.0] })
    );
}
