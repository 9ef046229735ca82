//! Where rows and values lie in the textures (Bolz et al. 2003, section 3.2.2; claim `padding`).

use super::invariants::check_packing;
use fragstream::bolz2003::Error;
use fragstream::bolz2003::sparse::packing::{Packing, PackingOptions, slot_grid};
use proptest::prelude::*;

fn options(rectangle: [u32; 2]) -> PackingOptions {
    PackingOptions { rectangle, ..PackingOptions::default() }
}

fn pack(row_lengths: &[Option<u32>], rectangle: [u32; 2]) -> Packing {
    Packing::new(row_lengths, &options(rectangle)).unwrap()
}

/// Rows of lengths that repeat, a few long ones, and values without a row.
fn any_row_lengths() -> impl Strategy<Value = Vec<Option<u32>>> {
    let length = prop_oneof![
        6 => (3..9u32).prop_map(Some),
        1 => (0..60u32).prop_map(Some),
        2 => Just(None),
    ];
    prop::collection::vec(length, 0..300)
}

fn any_options() -> impl Strategy<Value = PackingOptions> {
    (1..9u32, 1..7u32, 1..25u32).prop_map(|(width, height, longest_pass)| PackingOptions {
        rectangle: [width, height],
        longest_pass,
        texture_limit: 1024,
    })
}

proptest! {
    #[test]
    fn every_packing_keeps_the_invariants(lengths in any_row_lengths(), options in any_options()) {
        let packing = Packing::new(&lengths, &options).unwrap();
        check_packing(&packing);
        for group in &packing.groups {
            prop_assert!(group.pass_length <= options.longest_pass);
            // Equal parts: fewer padding entries than passes.
            prop_assert!(group.padded_length() < u64::from(group.row_length + group.passes));
        }
    }

    #[test]
    fn the_grid_of_slots_is_the_best_of_all(
        count in 1..400usize, width in 1..30u32, height in 1..30u32, limit in 100..900u32,
    ) {
        let cost = |[s, t]: [u32; 2]| {
            let (a, b) = (s * width, t * height);
            (a.max(b) > 2 * a.min(b), s * t, a.max(b))
        };
        let all = (1..=limit / width).flat_map(|s| (1..=limit / height).map(move |t| [s, t]));
        let fitting = all.filter(|&[s, t]| {
            let (s, t) = (s as usize, t as usize);
            s <= count && s * t >= count && s * (t - 1) < count
        });
        let best = fitting.map(cost).min();
        prop_assert_eq!(slot_grid(count, [width, height], limit).map(cost), best);
    }
}

#[test]
fn rows_fill_rectangles_longest_first_and_keep_their_order_within_a_length() {
    let lengths = [5, 7, 6, 7, 5, 6, 6].map(Some);
    let packing = pack(&lengths, [2, 2]);
    assert_eq!(packing.order, [1, 3, 2, 5, 6, 0, 4]);
    // The first rectangle has rows 7 7 6 6, the second 6 5 5 and a dummy.
    let programs: Vec<_> = packing.groups.iter().map(|g| (g.row_length, g.rows.clone())).collect();
    assert_eq!(programs, [(7, 0..4), (6, 4..7)]);
    assert_eq!(packing.dummies.len(), 1);
    let first = packing.groups[0].rects[0];
    let first = [first.x, first.y];
    assert_eq!(packing.texel[1], first);
    assert_eq!(packing.texel[3], [first[0] + 1, first[1]]);
    assert_eq!(packing.texel[2], [first[0], first[1] + 1]);
}

#[test]
fn a_row_of_many_passes_takes_no_short_row_with_it() {
    // One row of 2923 entries among a thousand of five.
    let mut lengths = vec![Some(5); 1000];
    lengths[77] = Some(2923);
    let packing = pack(&lengths, [26, 18]);
    check_packing(&packing);
    let groups = packing.groups.iter();
    let groups: Vec<_> = groups.map(|g| (g.row_length, g.rows.len())).collect();
    assert_eq!(groups, [(2923, 1), (5, 999)]);
    // As many fragments as texels are drawn, each of them in one pass but for the long row's fifteen.
    let areas = packing.groups.iter().map(|g| {
        let area: u64 = g.rects.iter().map(|rect| rect.area()).sum();
        area * u64::from(g.passes)
    });
    assert_eq!(areas.sum::<u64>(), 15 + 3 * 26 * 18 - 1);
    assert!(packing.counts().padding < 10);
}

#[test]
fn what_does_not_fit_is_refused_with_the_limit_and_a_remedy() {
    let small =
        |rectangle, longest_pass| PackingOptions { rectangle, longest_pass, texture_limit: 64 };
    let error = |lengths: &[Option<u32>], options| Packing::new(lengths, &options).unwrap_err();

    let too_many = error(&[Some(1); 64 * 64], small([8, 8], 200));
    assert!(matches!(too_many, Error::Vector { values: 4096, limit: 64, .. }), "{too_many}");
    let too_long = error(&[Some(u32::MAX)], small([1, 1], 200));
    assert!(matches!(too_long, Error::Segments { longest: u32::MAX, .. }), "{too_long}");
    let too_dense = error(&[Some(40); 128], small([1, 1], 200));
    assert!(matches!(too_dense, Error::Segments { entries: 5120, .. }), "{too_dense}");
    let too_wide = error(&[Some(1)], small([65, 1], 200));
    assert!(matches!(too_wide, Error::Rectangle { .. }), "{too_wide}");
    let no_pass = error(&[Some(1)], small([1, 1], 0));
    assert_eq!(no_pass, Error::LongestPass);
    for problem in [too_many, too_long, too_dense, too_wide] {
        let line = problem.to_string();
        assert!(line.contains("64") && line.ends_with('.') && !line.contains('\n'), "{line}");
    }
}
