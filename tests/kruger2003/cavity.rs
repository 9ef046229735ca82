//! The steady flow in a box with a moving lid, compared with a published solution.
//!
//! Ghia, Ghia and Shin, *High-Re solutions for incompressible flow using the Navier–Stokes equations
//! and a multigrid method*, J. Comput. Phys. 48 (1982), tables I and II, at the Reynolds number 100.

use fragstream::kruger2003::{Fluid, FluidSettings, Interpolation};

use crate::common::machine;

/// u on the vertical line through the middle: heights relative to the side, speeds relative to the lid's.
const GHIA_U: [[f64; 15]; 2] = [
    [
        0.0547, 0.0625, 0.0703, 0.1016, 0.1719, 0.2813, 0.4531, 0.5000, 0.6172, 0.7344, 0.8516,
        0.9531, 0.9609, 0.9688, 0.9766,
    ],
    [
        -0.03717, -0.04192, -0.04775, -0.06434, -0.10150, -0.15662, -0.21090, -0.20581, -0.13641,
        0.00332, 0.23151, 0.68717, 0.73722, 0.78871, 0.84123,
    ],
];

/// v on the horizontal line through the middle, in the same units.
const GHIA_V: [[f64; 15]; 2] = [
    [
        0.0625, 0.0703, 0.0781, 0.0938, 0.1563, 0.2266, 0.2344, 0.5000, 0.8047, 0.8594, 0.9063,
        0.9453, 0.9531, 0.9609, 0.9688,
    ],
    [
        0.09233, 0.10091, 0.10890, 0.12317, 0.16077, 0.17507, 0.17527, 0.05454, -0.24533, -0.22445,
        -0.16914, -0.10313, -0.08864, -0.07391, -0.05906,
    ],
];

/// Cells per side, an odd number.
const SIDE: usize = 33;
/// Largest error, as a share of the largest published value.
const BOUND: f64 = 0.08;
/// Change of a velocity in half a passage of the lid below which the flow counts as steady.
const STEADY: f64 = 2e-3;

/// u from the bottom to the lid on the vertical line through the middle, and v from left to right on the horizontal
/// one: positions and values.
fn centre_lines(fluid: &Fluid) -> [Vec<[f64; 2]>; 2] {
    let velocity = fluid.read_velocity().expect("readable");
    let at = |x: usize, y: usize, k: usize| f64::from(velocity[y * (SIDE + 1) + x][k]);
    // The middle is between two faces.
    let faces = [SIDE / 2, SIDE.div_ceil(2)];
    let line = |end: f64, mean: &dyn Fn(usize) -> f64| {
        let place = |cell: usize| (cell as f64 + 0.5) / SIDE as f64;
        let mut line = vec![[0.0, 0.0]];
        line.extend((0..SIDE).map(|cell| [place(cell), mean(cell)]));
        line.push([1.0, end]);
        line
    };
    [
        line(1.0, &|y| faces.map(|x| at(x, y, 0)).iter().sum::<f64>() / 2.0),
        line(0.0, &|x| faces.map(|y| at(x, y, 1)).iter().sum::<f64>() / 2.0),
    ]
}

/// The value at a position of a line.
fn interpolated(line: &[[f64; 2]], place: f64) -> f64 {
    let above = line.partition_point(|point| point[0] < place);
    let above = above.clamp(1, line.len() - 1);
    let ([x0, y0], [x1, y1]) = (line[above - 1], line[above]);
    y0 + (y1 - y0) * (place - x0) / (x1 - x0)
}

#[test]
fn the_flow_in_a_box_with_a_moving_lid_is_the_published_one() {
    let settings = FluidSettings {
        interpolation: Interpolation::Cubic,
        ..FluidSettings::cavity(SIDE as u32, 100.0)
    };
    let mut fluid = Fluid::at_rest(&machine(), settings).expect("sound settings");
    let steps = (0.5 * SIDE as f64 / settings.dt).ceil() as usize;
    let mut lines = centre_lines(&fluid);
    for _ in 0..100 {
        (0..steps).for_each(|_| fluid.step().expect("a step"));
        let next = centre_lines(&fluid);
        let pairs = lines.iter().flatten().zip(next.iter().flatten());
        let change = pairs.map(|(a, b)| (a[1] - b[1]).abs()).fold(0.0, f64::max);
        lines = next;
        if change < STEADY {
            break;
        }
    }
    for (line, [places, speeds]) in lines.iter().zip([&GHIA_U, &GHIA_V]) {
        let largest = speeds.iter().fold(0.0_f64, |largest, v| largest.max(v.abs()));
        let off = places.iter().zip(speeds).map(|(at, v)| (interpolated(line, *at) - v).abs());
        let off = off.fold(0.0, f64::max) / largest;
        assert!(off < BOUND, "{off}");
    }
}
