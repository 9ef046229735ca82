//! Initial velocities in a closed box, one per node.

use std::f64::consts::PI;

use crate::bolz2003::grid::geometry::Grid;

/// Two opposed streams, `speed` to the right above the middle and to the left below it. A few long
/// waves disturb the layer between them, so that it rolls up.
pub fn shear_layer(grid: &Grid, speed: f64) -> Vec<[f32; 2]> {
    let [width, height] = grid.cells.map(|n| n as f64);
    let thickness = height / 40.0;
    let velocity = |place: usize| {
        let [x, y] = grid.node(place).map(|index| index as f64);
        let above = (y - height / 2.0) / thickness;
        let waves = [(4.0, 0.3), (7.0, 1.1), (11.0, 2.0)];
        let disturbance: f64 = waves
            .iter()
            .map(|(n, phase)| (n * 2.0 * PI * x / width + phase).sin())
            .sum();
        let near = (-(above / 4.0).powi(2)).exp();
        [speed * above.tanh(), 0.05 * speed * disturbance * near].map(|v| v as f32)
    };
    (0..grid.nodes()).map(velocity).collect()
}
