//! Prolongation: rows as the paper counts them, polynomials carried over exactly.

use fragstream::geveler2011::{Element, QuadMesh, Space, circle};

#[test]
fn polynomials_of_the_element_are_carried_over_exactly() {
    // On straight cells: the square in two by two, sheared.
    let mesh = circle();
    for (element, power) in [(Element::Q1, 1), (Element::Q2, 2)] {
        let u = |[x, y]: [f64; 2]| (0.5 + x).powi(power) * (1.0 - y).powi(power);
        let outer = QuadMesh {
            parts: straight(&mesh),
            ..mesh.clone()
        };
        let fine = outer.refined();
        let (coarse, fine) = (Space::new(&outer, element), Space::new(&fine, element));
        let p = coarse.prolongation(&fine).unwrap();
        let values: Vec<f64> = coarse.points().into_iter().map(u).collect();
        let mut carried = vec![0.0; fine.dimension()];
        p.multiply(&values, &mut carried).unwrap();
        for (found, at) in carried.iter().zip(fine.points()) {
            assert!(
                (found - u(at)).abs() < 1e-14,
                "{element:?}: {found} at {at:?}"
            );
        }
    }
}

/// The mesh's boundaries as straight lines: its cells are rectangles then, and stay so.
fn straight(mesh: &QuadMesh) -> Vec<fragstream::geveler2011::BoundaryPart> {
    let mut parts = mesh.parts.clone();
    parts
        .iter_mut()
        .for_each(|part| part.curve = fragstream::geveler2011::Curve::Line);
    parts
}
