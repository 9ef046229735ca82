//! The force on the body, from the vorticity on it and next to it.
//!
//! On the body the fluid moves with it, so the momentum equation along the body is
//!
//!   ∂p/∂s = (1/Re) ∂ω/∂n − a·t,
//!
//! a the acceleration of the body there, t the direction in which η grows, n outwards (density,
//! speed and chord are one). The pressure is the integral of it. The force of the pressure, −∮ p n ds,
//! is by parts ∮ (y, −x) ∂p/∂s ds, in which p need not be known; that of friction is (1/Re) ∮ ζ t ds.
//! What ∂p/∂s leaves over after one turn is an error of the discretisation and is taken off evenly.

use super::motion::{Frame, rotate};

/// The force on the body over ½ ρ U² and the chord or diameter.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Forces {
    /// Along the stream.
    pub drag: f64,
    /// Across the stream, upwards.
    pub lift: f64,
}

/// What the force is computed from, on the surface: nodes along η, without the replica.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surface {
    /// x and y, in the frame of the body.
    pub places: Vec<[f64; 2]>,
    /// h₁: the length of a step of ξ, over Δξ.
    pub across: Vec<f64>,
    /// Δξ
    pub step_xi: f64,
}

impl Surface {
    /// The force, from ζ on the surface and at the next two nodes, for each node.
    pub fn forces(&self, frame: &Frame, viscosity: f64, vorticity: &[[f64; 3]]) -> Forces {
        let nodes = self.places.len();
        let near = |j: usize| {
            [
                &self.places[(j + nodes - 1) % nodes],
                &self.places[(j + 1) % nodes],
            ]
        };
        // Half of the way from the node before to the node after: t ds.
        let along = |j: usize| {
            let [before, after] = near(j);
            [0.5 * (after[0] - before[0]), 0.5 * (after[1] - before[1])]
        };
        let rise = |j: usize| {
            let [z0, z1, z2] = vorticity[j];
            let slope = (4.0 * z1 - 3.0 * z0 - z2) / (2.0 * self.step_xi * self.across[j]);
            let [tx, ty] = along(j);
            let [ax, ay] = acceleration(frame, self.places[j]);
            viscosity * slope * tx.hypot(ty) - (ax * tx + ay * ty)
        };
        let rises: Vec<f64> = (0..nodes).map(rise).collect();
        let left_over = rises.iter().sum::<f64>() / nodes as f64;
        let mut force = [0.0; 2];
        for (j, rise) in rises.iter().enumerate() {
            let [x, y] = self.places[j];
            let [tx, ty] = along(j);
            let friction = viscosity * vorticity[j][0];
            force[0] += y * (rise - left_over) + friction * tx;
            force[1] += -x * (rise - left_over) + friction * ty;
        }
        let [drag, lift] = rotate(force, frame.angle);
        Forces {
            drag: 2.0 * drag,
            lift: 2.0 * lift,
        }
    }
}

/// The acceleration of a point of the body, along its axes.
fn acceleration(frame: &Frame, [x, y]: [f64; 2]) -> [f64; 2] {
    let (alpha, square) = (frame.turn_rate, frame.turn * frame.turn);
    [
        frame.acceleration[0] - alpha * y - square * x,
        frame.acceleration[1] + alpha * x - square * y,
    ]
}

/// The frequency of an oscillation, from the times at which it passes its mean upwards after `from`:
/// oscillations over the time between the first and the last. `None` for fewer than three.
pub fn frequency(history: &[(f64, f64)], from: f64) -> Option<f64> {
    let late: Vec<(f64, f64)> = history
        .iter()
        .copied()
        .filter(|(t, _)| *t >= from)
        .collect();
    let mean = late.iter().map(|(_, value)| value).sum::<f64>() / late.len().max(1) as f64;
    let crossings: Vec<f64> = late
        .windows(2)
        .filter_map(|pair| {
            let [(t0, v0), (t1, v1)] = [pair[0], pair[1]];
            let (v0, v1) = (v0 - mean, v1 - mean);
            (v0 < 0.0 && v1 >= 0.0).then(|| t0 - v0 * (t1 - t0) / (v1 - v0))
        })
        .collect();
    match crossings[..] {
        [first, _, .., last] => Some((crossings.len() - 1) as f64 / (last - first)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    /// An ellipse with half axes a and b.
    fn ellipse(nodes: usize, a: f64, b: f64) -> Surface {
        let angles = (0..nodes).map(|j| TAU * j as f64 / nodes as f64);
        Surface {
            places: angles.map(|t| [a * t.cos(), b * t.sin()]).collect(),
            across: vec![1.0; nodes],
            step_xi: 0.1,
        }
    }

    #[test]
    fn an_accelerated_body_without_vorticity_feels_the_weight_it_displaces() {
        // The fluid accelerates with the body, so the pressure falls along the acceleration.
        let surface = ellipse(400, 0.5, 0.2);
        let frame = Frame {
            acceleration: [0.3, -0.7],
            ..Frame::default()
        };
        let forces = surface.forces(&frame, 0.01, &[[0.0; 3]; 400]);
        let area = TAU / 2.0 * 0.5 * 0.2;
        assert!((forces.drag - 2.0 * 0.3 * area).abs() < 1e-3);
        assert!((forces.lift + 2.0 * 0.7 * area).abs() < 1e-3);
    }

    #[test]
    fn friction_pulls_along_and_pressure_balances_a_linear_field() {
        // ω = c y round a circle: p rises by c/Re (n·e_y) ds, the same as friction's moment arm.
        let (nodes, c, viscosity) = (400, 3.0, 0.1);
        let surface = ellipse(nodes, 0.5, 0.5);
        let field: Vec<[f64; 3]> = (0..nodes)
            .map(|j| {
                let sine = (TAU * j as f64 / nodes as f64).sin();
                [0.5, 0.6, 0.7].map(|r| c * r * sine)
            })
            .collect();
        let forces = surface.forces(&Frame::default(), viscosity, &field);
        // Pressure: ∮ y (c/Re) sin θ ds = π c r²/Re; friction: (1/Re) ∮ c y t_x ds = −π c r²/Re.
        assert!(
            forces.drag.abs() < 1e-3 && forces.lift.abs() < 1e-9,
            "{forces:?}"
        );
        let pressure_only: Vec<[f64; 3]> = field
            .iter()
            .map(|z| [0.0, z[1] - z[0], z[2] - z[0]])
            .collect();
        let forces = surface.forces(&Frame::default(), viscosity, &pressure_only);
        let expected = 2.0 * TAU / 2.0 * c * 0.25 * viscosity;
        assert!(
            (forces.drag / expected - 1.0).abs() < 1e-3,
            "{forces:?} {expected}"
        );
    }

    #[test]
    fn the_frequency_of_a_sine_is_found() {
        let history: Vec<(f64, f64)> = (0..4000)
            .map(|k| 0.01 * f64::from(k))
            .map(|t| (t, 0.2 + (TAU * 0.165 * t + 0.3).sin()))
            .collect();
        assert!((frequency(&history, 5.0).unwrap() - 0.165).abs() < 1e-4);
        assert_eq!(frequency(&history[..500], 0.0), None);
    }
}
