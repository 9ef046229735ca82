//! Prolongation: rows as the paper counts them, polynomials carried over exactly.

use fragstream::geveler2011::claims::matrices::transfer_rows;
use fragstream::geveler2011::{Element, QuadMesh, Space, blood, circle};

#[test]
fn rows_have_one_two_or_four_entries_for_q1_and_one_three_or_nine_for_q2() {
    for mesh in [circle(), blood()] {
        for element in Element::ALL {
            let [found, expected] = transfer_rows(&mesh, element).unwrap();
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn along_an_edge_q2_takes_three_eighths_three_quarters_and_minus_an_eighth() {
    let mesh = circle();
    let fine = mesh.refined();
    let p = Space::new(&mesh, Element::Q2)
        .prolongation(&Space::new(&fine, Element::Q2))
        .unwrap();
    for row in 0..p.rows() {
        let mut entries: Vec<f64> = p.row(row).map(|(_, value)| value).collect();
        if entries.len() == 3 {
            entries.sort_by(f64::total_cmp);
            assert_eq!(entries, [-0.125, 0.375, 0.75]);
        }
    }
}

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
