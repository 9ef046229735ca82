//! What the printed tables say where the text says otherwise.

use fragstream::geveler2011::claims::printed::{TABLE_2, products_a_solve};
use fragstream::geveler2011::elements::Numbering;

/// The largest rate on a processor.
fn largest(processor: usize) -> f64 {
    let rates = TABLE_2.as_flattened().as_flattened().iter();
    rates.map(|row| row[processor]).fold(0.0, f64::max)
}

#[test]
fn the_gpu_reaches_11_gflop_and_one_core_more_than_500_mflop() {
    // "up to 14 GFlop/s", "500 MFlop/s at most"
    assert_eq!(largest(2), 11_176.0);
    assert_eq!(largest(0), 870.81);
}

#[test]
fn xyz_is_not_the_fastest_in_six_of_24_places_but_is_on_the_largest_levels() {
    let places = (0..24).map(|place| (place / 12, place / 3 % 4, place % 3));
    let others = places.filter(|&(element, row, processor)| {
        let rate = |numbering: Numbering| TABLE_2[numbering as usize][element][row][processor];
        let fastest = Numbering::ALL.into_iter();
        let fastest = fastest
            .max_by(|&a, &b| rate(a).total_cmp(&rate(b)))
            .unwrap();
        assert!(matches!(fastest, Numbering::Xyz | Numbering::TwoLevel));
        fastest != Numbering::Xyz
    });
    let others: Vec<_> = others.collect();
    let expected = [
        (0, 0, 0),
        (0, 2, 0),
        (1, 0, 2),
        (1, 1, 2),
        (1, 2, 0),
        (1, 2, 2),
    ];
    assert_eq!(others, expected);
}

#[test]
fn a_solve_takes_four_times_as_many_products_in_sto() {
    let mut products = [Vec::new(), Vec::new()];
    for numbering in Numbering::ALL {
        for element in 0..2 {
            let is_stochastic = numbering == Numbering::Stochastic;
            products[usize::from(is_stochastic)].extend(products_a_solve(numbering, element, 3));
        }
    }
    let range = |values: &[f64]| {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        [least, values.iter().copied().fold(0.0, f64::max)].map(f64::round)
    };
    assert_eq!(range(&products[0]), [209.0, 369.0]);
    assert_eq!(range(&products[1]), [1156.0, 1262.0]);
}
