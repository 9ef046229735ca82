//! The model of the NV30 beyond the exact claims of Bolz et al. 2003.

use approx::assert_relative_eq;
use fragstream::card::cost::theory::reduction_levels;
use fragstream::card::cost::{Halving, Nv30};

#[test]
fn another_machine_has_another_rectangle() {
    let wide = Nv30 { tuples_per_batch: 256, ..Nv30::default() };
    let best = wide.best_rectangle();
    assert!(best.tuples.total() <= 256 && best.area() > 2 * 468, "{best:?}");
}

#[test]
fn without_the_diagonal_a_batch_would_hold_512_fragments() {
    // Single pixels as tuples: nothing is rasterised twice, and the whole batch is useful.
    let scalar = Nv30 { tuple_side: 1, tuples_per_batch: 512, ..Nv30::default() };
    assert_eq!(scalar.best_rectangle().area(), 512);
    assert_eq!(Nv30::default().fragments_per_batch(), 512);
}

#[test]
fn a_reduction_keeps_the_last_record_of_odd_sizes() {
    let levels = reduction_levels(200, 200, Halving::Up);
    let widths: Vec<_> = levels.iter().map(|level| level.0).collect();
    assert_eq!(widths, [100, 50, 25, 13, 7, 4, 2, 1]);
}

#[test]
fn a_pass_takes_as_long_as_the_slower_of_arithmetic_and_memory() {
    let nv30 = Nv30::default();
    let tuples = nv30.tuples(1024, 1024).total();
    let copy = nv30.pass_seconds(tuples, 1, 32 << 20);
    assert_relative_eq!(copy, (32 << 20) as f64 / 16e9);
    // Large rectangles come close to the peak rate.
    let long = nv30.pass_seconds(tuples, 100, 32 << 20);
    let peak = 1.0 / nv30.peak_rate(1 << 20, 100);
    assert_relative_eq!(long, peak, max_relative = 0.01);
}
