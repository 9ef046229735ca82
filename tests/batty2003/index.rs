//! The boxes that a placement refuses.

use fragstream::batty2003::{Index, Placement, Settings, Storage};

#[test]
fn boxes_that_do_not_fill_texels_or_exceed_textures_are_refused_with_a_remedy() {
    let refused = |size, settings: &Settings| {
        let error = Placement::within(2048, size, settings).expect_err("refused");
        error.to_string()
    };
    let default = Settings::default();
    for size in [[6, 5, 5], [0, 5, 5], [4, 0, 5]] {
        assert!(refused(size, &default).contains("multiple of 4"), "{size:?}");
    }
    assert!(refused([512, 512, 512], &default).contains("Use a smaller grid"));
    let frac = Settings { index: Index::Frac, ..default };
    let imprecise = Placement::within(1 << 14, [4 * 2500, 2500, 1], &frac);
    let error = imprecise.expect_err("too large for a float").to_string();
    assert!(error.contains("Use the index carry"), "{error}");
    let slices = Settings { storage: Storage::Slices, ..default };
    assert!(refused([100, 100, 100], &slices).contains("layout seven"));
    // One texture of 2048² has room for about two and a third million cells, and no more.
    let one = Settings { storage: Storage::One, index: Index::Carry, ..default };
    assert!(Placement::within(2048, [132, 132, 137], &one).is_ok());
    assert!(refused([136, 136, 132], &one).contains("layout seven"));
}
