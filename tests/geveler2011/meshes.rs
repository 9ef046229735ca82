//! The paper's meshes, level by level, against Table 1, and meshes that are refused.

use crate::geveler2011::mesh_files::area;
use fragstream::geveler2011::{BoundaryPart, Curve, QuadMesh, QuadMeshError, blood, circle};

/// The sine of the angle at a corner.
fn sine(mesh: &QuadMesh, cell: [u32; 4], k: usize) -> f64 {
    let [a, b, c] = [k + 3, k, k + 1].map(|k| mesh.vertices[cell[k % 4] as usize]);
    let (u, v) = ([c[0] - b[0], c[1] - b[1]], [a[0] - b[0], a[1] - b[1]]);
    (u[0] * v[1] - u[1] * v[0]) / (u[0].hypot(u[1]) * v[0].hypot(v[1]))
}

#[test]
fn the_vessel_has_the_paper_s_counts_and_a_vertex_of_seven_cells() {
    let levels = blood().levels(4);
    let mesh = &levels[0];
    assert_eq!([mesh.cells.len(), mesh.vertices.len(), mesh.edges.len()], [234, 267, 500]);
    let mut cells = vec![0; mesh.vertices.len()];
    mesh.cells.iter().flatten().for_each(|&v| cells[v as usize] += 1);
    assert_eq!(cells.iter().max(), Some(&7));
    // The quarter of a ring from radius 5.75 to 8.25, without the aneurysm.
    let ring = std::f64::consts::FRAC_PI_4 * (8.25_f64.powi(2) - 5.75_f64.powi(2));
    assert!(area(&levels[3]) > ring);
    let sines = levels.iter().flat_map(|mesh| {
        mesh.cells.iter().flat_map(move |&cell| (0..4).map(move |k| sine(mesh, cell, k)))
    });
    let smallest = sines.fold(1.0, f64::min);
    assert!(smallest > 0.0, "{smallest}");
}

#[test]
fn new_vertices_of_the_vessel_are_on_its_walls() {
    let mesh = blood().levels(3).remove(2);
    let names: Vec<&str> = mesh.parts.iter().map(|part| part.name.as_str()).collect();
    for wall in ["inner", "outer", "neck", "dome", "ends"] {
        assert_eq!(names.iter().filter(|&&name| name == wall).count(), 1, "{wall} of {names:?}");
    }
    // The file has six digits.
    for (ends, part) in mesh.edges.iter().zip(&mesh.edge_part) {
        let Some(part) = part else { continue };
        for at in ends.map(|v| mesh.vertices[v as usize]) {
            let on = mesh.parts[*part as usize].curve.nearest(at);
            assert!((at[0] - on[0]).hypot(at[1] - on[1]) < 1e-5, "{at:?}");
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
