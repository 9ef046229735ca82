//! The product with a matrix stored in bytes.

use fragstream::batty2003::{Entries, Placement, PressureSpace, Settings, SevenDiagonals, Storage};
use fragstream::solver::{Operator, VectorSpace};

use crate::batty2003::samples::random_system;
use crate::common::{UNIT, machine, random, wide};

#[test]
fn bytes_hold_whole_numbers_but_for_what_their_map_rounds() {
    let machine = machine();
    let mut system = random_system([8, 5, 7], 3);
    for values in system.upper.iter_mut().chain([&mut system.diagonal]) {
        values.iter_mut().for_each(|v| *v = (127.0 * *v).round());
    }
    let x = random(system.cells(), 8);
    let (mut expected, mut scale) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    system.product(&wide(&x), &mut expected);
    let sizes: Vec<f64> = x.iter().map(|&x| f64::from(x.abs())).collect();
    system.map(f64::abs).product(&sizes, &mut scale);
    for storage in [Storage::Seven, Storage::One] {
        let settings = Settings { storage, entries: Entries::Byte, ..Settings::default() };
        let placement = Placement::new(&machine, system.size, &settings).expect("a small box");
        let space = PressureSpace::new(&machine, placement.layout(), &settings).expect("memory");
        let matrix = SevenDiagonals::new(&machine, placement, &settings).expect("a kernel");
        matrix.write(&system).expect("memory");
        let x = space.textures().vector(&x).expect("memory");
        let mut y = space.zeros().expect("memory");
        matrix.apply(&space, &x, &mut y).expect("a pass");
        // 255 (k / 255) − 128 is off by two roundings of at most 255, seven times.
        let leak = 7.0 * 2.0 * 255.0 * UNIT;
        let found = y.read().expect("a product");
        for (cell, (&y, (expected, scale))) in
            found.iter().zip(expected.iter().zip(&scale)).enumerate()
        {
            let off = (f64::from(y) - expected).abs();
            assert!(off <= 1e-6 * scale + leak, "{storage:?}, cell {cell}: {y} for {expected}");
        }
    }
}
