//! Velocities to begin with in a closed box, one a node.

use std::f64::consts::PI;

use crate::bolz2003::grid::geometry::Grid;

/// Taylor and Green's vortices, `waves` half waves in each direction: u = A (sin kx cos ly,
/// −(k/l) cos kx sin ly). Nothing flows through the sides, and the fluid slips along them. In a
/// square they keep their shape and viscosity makes them decay as exp(−2νk²t).
pub fn taylor_green(grid: &Grid, amplitude: f64, waves: usize) -> Vec<[f32; 2]> {
    let [k, l] = grid.cells.map(|n| PI * waves as f64 / n as f64);
    // The discrete divergence vanishes with the central differences' wave numbers.
    let ratio = k.sin() / l.sin();
    of_nodes(grid, |x, y| {
        [
            amplitude * (k * x).sin() * (l * y).cos(),
            -ratio * amplitude * (k * x).cos() * (l * y).sin(),
        ]
    })
}

/// Two streams against each other, `speed` upwards of the middle to the right and below to the
/// left. A few long waves disturb the layer between them, so that it rolls up.
pub fn shear_layer(grid: &Grid, speed: f64) -> Vec<[f32; 2]> {
    let [width, height] = grid.cells.map(|n| n as f64);
    let thickness = height / 40.0;
    of_nodes(grid, |x, y| {
        let above = (y - height / 2.0) / thickness;
        let waves = [(4.0, 0.3), (7.0, 1.1), (11.0, 2.0)];
        let disturbance: f64 = waves
            .iter()
            .map(|(n, phase)| (n * 2.0 * PI * x / width + phase).sin())
            .sum();
        let near = (-(above / 4.0).powi(2)).exp();
        [speed * above.tanh(), 0.05 * speed * disturbance * near]
    })
}

fn of_nodes(grid: &Grid, velocity: impl Fn(f64, f64) -> [f64; 2]) -> Vec<[f32; 2]> {
    let columns = grid.columns();
    let node = |place: usize| {
        let [x, y] = [place % columns, place / columns].map(|index| index as f64);
        velocity(x, y).map(|component| component as f32)
    };
    (0..grid.nodes()).map(node).collect()
}
