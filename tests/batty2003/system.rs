//! The seven-point system in main memory, against the matrix spelled out.

use fragstream::random::SplitMix64;

use super::samples::random_system;

#[test]
fn the_product_adds_up_the_six_neighbours_of_every_cell() {
    for (seed, size) in [[1, 1, 1], [4, 1, 1], [1, 5, 2], [4, 3, 2], [8, 5, 7]]
        .into_iter()
        .enumerate()
    {
        let system = random_system(size, seed as u64);
        let mut random = SplitMix64::new(99);
        let x: Vec<f64> = (0..system.cells()).map(|_| random.signed()).collect();
        let mut y = vec![0.0; x.len()];
        system.product(&x, &mut y);
        let at = |i: usize, j: usize, k: usize| i + size[0] * (j + size[1] * k);
        let mut expected: Vec<f64> = x.iter().zip(&system.diagonal).map(|(x, a)| x * a).collect();
        for k in 0..size[2] {
            for j in 0..size[1] {
                for i in 0..size[0] {
                    let neighbours = [(i + 1, j, k), (i, j + 1, k), (i, j, k + 1)];
                    for (axis, (i2, j2, k2)) in neighbours.into_iter().enumerate() {
                        if i2 < size[0] && j2 < size[1] && k2 < size[2] {
                            let (cell, other) = (at(i, j, k), at(i2, j2, k2));
                            let entry = system.upper[axis][cell];
                            expected[cell] += entry * x[other];
                            expected[other] += entry * x[cell];
                        }
                    }
                }
            }
        }
        for (y, expected) in y.iter().zip(&expected) {
            assert!((y - expected).abs() < 1e-14, "{size:?}: {y} for {expected}");
        }
    }
}
