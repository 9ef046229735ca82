//! Where a program finds a neighbour, beside whole numbers; and on which textures it is refused.

use fragstream::batty2003::{Index, LiquidError, Placement, Settings, Storage};

fn settings(index: Index) -> Settings {
    Settings {
        index,
        ..Settings::default()
    }
}

#[test]
fn the_guard_accepts_and_refuses_what_the_precision_of_floats_says() {
    // Sides of the box whose texels make a square of this side.
    let frac = |size| Placement::within(1 << 14, size, &settings(Index::Frac));
    // 2048² and 2047² are right, as at the paper's limit; 2500² and 4096² are not.
    for side in [500, 1024, 2047, 2048] {
        assert!(frac([4 * side, side, 1]).is_ok(), "{side}");
    }
    for side in [2500, 2897, 4096] {
        let error = frac([4 * side, side, 1]).expect_err("too large for a float");
        assert!(matches!(error, LiquidError::Precision { .. }), "{error}");
        assert!(error.to_string().contains("Use the index carry"), "{error}");
        let carry = Placement::within(1 << 14, [4 * side, side, 1], &settings(Index::Carry));
        assert!(carry.is_ok(), "{side}");
    }
}

#[test]
fn boxes_that_do_not_fill_texels_or_exceed_textures_are_refused_with_a_remedy() {
    let refused = |size, settings: &Settings| {
        let error = Placement::within(2048, size, settings).expect_err("refused");
        error.to_string()
    };
    let default = Settings::default();
    for size in [[6, 5, 5], [0, 5, 5], [4, 0, 5]] {
        assert!(
            refused(size, &default).contains("multiple of 4"),
            "{size:?}"
        );
    }
    assert!(refused([512, 512, 512], &default).contains("Use a smaller grid"));
    let slices = Settings {
        storage: Storage::Slices,
        ..default
    };
    assert!(refused([100, 100, 100], &slices).contains("layout seven"));
    // One texture of 2048² has room for about two and a third million cells, and no more.
    let one = Settings {
        storage: Storage::One,
        index: Index::Carry,
        ..default
    };
    assert!(Placement::within(2048, [132, 132, 137], &one).is_ok());
    assert!(refused([136, 136, 132], &one).contains("layout seven"));
}
