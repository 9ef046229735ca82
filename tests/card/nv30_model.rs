//! The exact claims of Bolz et al. 2003 about the GeForce FX, derived from the model of the NV30.

use approx::assert_relative_eq;
use fragstream::card::cost::rectangle::{end_of_step, even_sizes};
use fragstream::card::cost::theory::{reduction_fragments, reduction_levels};
use fragstream::card::cost::{Halving, Nv30, Tuples};

#[test]
fn the_best_rectangle_is_26_by_18_and_fills_its_batch_exactly() {
    let best = Nv30::default().best_rectangle();
    assert_eq!((best.width, best.height), (26, 18));
    let expected = Tuples {
        covered: 117,
        twice: 11,
    };
    assert_eq!(best.tuples, expected);
    assert_eq!(best.tuples.total(), 128);
}

#[test]
fn no_other_rectangle_but_its_transpose_is_as_good() {
    let sizes: Vec<_> = Nv30::default()
        .best_rectangles(1)
        .iter()
        .map(|r| (r.width, r.height))
        .collect();
    assert_eq!(sizes, [(26, 18), (18, 26)]);
}

#[test]
fn odd_sizes_lose_because_their_last_tuples_are_half_empty() {
    let nv30 = Nv30::default();
    let best_odd = (1..=512u32)
        .flat_map(|w| (1..=512 / w).map(move |h| (w, h)))
        .filter(|(w, h)| w % 2 == 1 || h % 2 == 1)
        .filter(|&(w, h)| nv30.tuples(w, h).total() <= 128)
        .max_by_key(|(w, h)| w * h);
    assert!(
        matches!(best_odd, Some((25, 18) | (18, 25))),
        "{best_odd:?}"
    );
    // As many tuples as 26 x 18, for a column less.
    assert_eq!(nv30.tuples(25, 18), nv30.tuples(26, 18));
}

#[test]
fn another_machine_has_another_rectangle() {
    let wide = Nv30 {
        tuples_per_batch: 256,
        ..Nv30::default()
    };
    let best = wide.best_rectangle();
    assert!(
        best.tuples.total() <= 256 && best.area() > 2 * 468,
        "{best:?}"
    );
}

#[test]
fn without_the_diagonal_a_batch_would_hold_512_fragments() {
    // Single pixels as tuples: nothing is rasterised twice, and the whole batch is useful.
    let scalar = Nv30 {
        tuple_side: 1,
        tuples_per_batch: 512,
        ..Nv30::default()
    };
    assert_eq!(scalar.best_rectangle().area(), 512);
    assert_eq!(Nv30::default().fragments_per_batch(), 512);
}

#[test]
fn the_first_step_of_the_staircase_is_just_below_500() {
    let stairs = Nv30::default().staircase(&even_sizes(2048, 2), 1000);
    assert_eq!(end_of_step(&stairs, 1), Some((468, 480)));
}

#[test]
fn the_staircase_rises_by_whole_batches() {
    let nv30 = Nv30::default();
    let stairs = nv30.staircase(&even_sizes(2048, 2), 1000);
    let batch = nv30.seconds(1, 1000);
    assert_relative_eq!(batch, 128.0 * 1000.0 / 500e6);
    for stair in &stairs {
        assert_relative_eq!(stair.seconds, stair.batches as f64 * batch);
        assert!(stair.rectangle.area() <= 512 * stair.batches as u32);
    }
    assert_eq!(stairs.iter().map(|s| s.batches).max(), Some(5));
}

#[test]
fn reductions_of_200_by_200_run_about_15_000_times_a_second() {
    let nv30 = Nv30::default();
    let levels = reduction_levels(200, 200, Halving::Up);
    let widths: Vec<_> = levels.iter().map(|level| level.0).collect();
    assert_eq!(widths, [100, 50, 25, 13, 7, 4, 2, 1]);
    // The paper's "over 15000" is the geometric series (exactly 15 000) or halving rounded down;
    // a sum that loses no record is just below it.
    let rate = |halving| nv30.peak_rate(reduction_fragments(200, 200, halving), 10);
    assert_relative_eq!(rate(Halving::Down), 15_021.0, epsilon = 0.5);
    assert_relative_eq!(rate(Halving::Up), 14_966.0, epsilon = 0.5);
    assert_relative_eq!(nv30.peak_rate(10_000, 10) * 3.0 / 4.0, 15_000.0);
}

#[test]
fn stencils_run_about_4500_times_a_second() {
    let rate = Nv30::default().peak_rate(129 * 129, 27);
    assert_relative_eq!(rate, 4500.0, max_relative = 0.02);
}

#[test]
fn products_run_over_500_times_a_second_for_each_of_three_components() {
    let nv30 = Nv30::default();
    assert_relative_eq!(nv30.peak_rate(37_000, 33), 1638.0, epsilon = 0.5);
    assert_relative_eq!(
        nv30.peak_rate_by_component(37_000, 33, 3),
        546.0,
        epsilon = 0.5
    );
}

#[test]
fn batch_quantisation_wastes_29_percent_at_33_squared_and_less_on_larger_grids() {
    let nv30 = Nv30::default();
    let waste: Vec<f64> = [17, 33, 65, 129, 257].map(|n| nv30.waste(n, n)).into();
    assert_relative_eq!(waste[0], 1.0 - 289.0 / 512.0); // 44 %: "almost 50 %"
    assert_relative_eq!(waste[1], 1.0 - 1089.0 / 1536.0); // 29.1 %: "29 %"
    assert!(waste.is_sorted_by(|a, b| a > b), "{waste:?}");
    assert!(waste[4] < 0.03);
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

#[test]
fn rows_packed_into_best_rectangles_waste_less_than_a_tenth() {
    assert!(Nv30::default().waste(26, 18) < 0.1);
}
