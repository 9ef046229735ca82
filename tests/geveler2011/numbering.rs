//! The five numberings: permutations, and the bandwidths they give.

use fragstream::geveler2011::{Condition, Element, Numbering, Problem, Space, circle};

fn bandwidth(matrix: &fragstream::solver::Csr<f64>) -> usize {
    matrix
        .triplets()
        .map(|(i, j, _)| i.abs_diff(j))
        .max()
        .unwrap_or(0)
}

#[test]
fn every_numbering_is_a_permutation() {
    let mesh = circle().levels(3).remove(2);
    for element in Element::ALL {
        let space = Space::new(&mesh, element);
        for numbering in Numbering::ALL {
            let mut numbers = numbering.of(&space);
            numbers.sort_unstable();
            assert!(
                numbers.into_iter().eq(0..space.dimension() as u32),
                "{}",
                numbering.name()
            );
        }
    }
}

#[test]
fn sorting_by_x_and_y_has_the_smallest_bandwidth_and_refining_nearly_the_largest() {
    let mesh = circle().levels(7).remove(6);
    let space = Space::new(&mesh, Element::Q1);
    let zero = |_: [f64; 2]| 0.0;
    let boundary = vec![Condition::Dirichlet(&zero); 2];
    let matrix = space
        .assemble(&Problem {
            source: &zero,
            boundary,
        })
        .unwrap()
        .matrix;
    let of = |numbering: Numbering| {
        let numbers = numbering.of(&space);
        bandwidth(&matrix.permuted(&numbers, &numbers))
    };
    // Numbers of a prototype in another language; the paper calls Cuthill and McKee's the smallest.
    assert_eq!(of(Numbering::Xyz), 348);
    assert_eq!(of(Numbering::CuthillMcKee), 385);
    assert_eq!(of(Numbering::Hierarchical), 12238);
    assert_eq!(of(Numbering::TwoLevel), 33177);
    assert!(of(Numbering::Stochastic) > 33000);
}
