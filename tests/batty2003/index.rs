//! Where a program finds a neighbour, beside whole numbers; and on which textures it is refused.

use fragstream::batty2003::pressure::Settings;
use fragstream::batty2003::pressure::gpu::{Index, Placement, Storage};

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
    assert!(refused([512, 512, 512], &default).contains("use a smaller grid"));
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
