//! The product in textures: every way to store the matrix and to find neighbours.

use fragstream::batty2003::{
    Entries, Index, Offsets, Placement, PressureSpace, Settings, SevenDiagonals, Storage, System,
};
use fragstream::solver::{Operator, VectorSpace};
use fragstream::stream::Machine;

use crate::batty2003::samples::{liquid_system, random_system};
use crate::common::{UNIT, machine, random, wide};

/// Sizes that fill their texture and such that do not, single slices, rows and columns among them.
const SIZES: [[usize; 3]; 6] = [
    [4, 1, 1],
    [4, 1, 7],
    [4, 9, 1],
    [8, 5, 7],
    [12, 7, 3],
    [16, 8, 8],
];

/// Every way to store a matrix and to find neighbours.
fn ways() -> Vec<Settings> {
    let indices = [Index::Frac, Index::Skew, Index::Divmod, Index::Carry];
    // Slices need no index.
    let mut ways = vec![Settings {
        storage: Storage::Slices,
        ..Settings::default()
    }];
    for storage in [Storage::Seven, Storage::One] {
        for index in indices {
            for offsets in [Offsets::Prebuilt, Offsets::Built] {
                ways.push(Settings {
                    storage,
                    index,
                    offsets,
                    ..Settings::default()
                });
            }
        }
    }
    ways
}

fn product(machine: &Machine, settings: &Settings, system: &System<f64>, x: &[f32]) -> Vec<f32> {
    let placement = Placement::new(machine, system.size, settings).expect("a small box");
    let space = PressureSpace::new(machine, placement.layout(), settings).expect("memory");
    let matrix = SevenDiagonals::new(machine, placement, settings).expect("a kernel");
    matrix.write(system).expect("memory");
    let x = space.textures().vector(x).expect("memory");
    let mut y = space.zeros().expect("memory");
    matrix.apply(&space, &x, &mut y).expect("a pass");
    y.read().expect("a product")
}

/// Asserts that every entry is right to so much of Σ|a||x|, plus so much of the largest |x|.
#[track_caller]
fn assert_product(
    system: &System<f64>,
    x: &[f32],
    y: &[f32],
    relative: f64,
    leak: f64,
    what: &str,
) {
    let (x, mut expected, mut scale) = (wide(x), vec![0.0; x.len()], vec![0.0; x.len()]);
    system.product(&x, &mut expected);
    let sizes: Vec<f64> = x.iter().map(|x| x.abs()).collect();
    system.map(f64::abs).product(&sizes, &mut scale);
    for (cell, (&y, (expected, scale))) in y.iter().zip(expected.iter().zip(scale)).enumerate() {
        let off = (f64::from(y) - expected).abs();
        let bound = relative * scale + leak;
        assert!(off <= bound, "{what}, cell {cell}: {y} for {expected}");
    }
}

#[test]
fn every_layout_and_index_gives_the_product_of_double_precision() {
    let machine = machine();
    for (seed, size) in SIZES.into_iter().enumerate() {
        for system in [
            random_system(size, seed as u64),
            liquid_system(size, seed as u64),
        ] {
            let x = random(system.cells(), 7);
            for settings in ways() {
                let y = product(&machine, &settings, &system, &x);
                assert_product(
                    &system,
                    &x,
                    &y,
                    1e-6,
                    0.0,
                    &format!("{size:?}, {settings:?}"),
                );
            }
        }
    }
}

#[test]
fn bytes_hold_whole_numbers_but_for_what_their_map_rounds() {
    let machine = machine();
    let mut system = random_system([8, 5, 7], 3);
    for values in system.upper.iter_mut().chain([&mut system.diagonal]) {
        values.iter_mut().for_each(|v| *v = (127.0 * *v).round());
    }
    let x = random(system.cells(), 8);
    for storage in [Storage::Seven, Storage::One] {
        let settings = Settings {
            storage,
            entries: Entries::Byte,
            ..Settings::default()
        };
        let y = product(&machine, &settings, &system, &x);
        // 255 (k / 255) − 128 is off by two roundings of at most 255, seven times.
        let leak = 7.0 * 2.0 * 255.0 * UNIT;
        assert_product(&system, &x, &y, 1e-6, leak, &format!("{storage:?}"));
    }
}
