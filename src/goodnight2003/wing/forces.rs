//! The force on the body, from the vorticity on it and next to it.
//!
//! On the body the fluid moves with it, so the momentum equation along the body is
//!
//!   ∂p/∂s = (1/Re) ∂ω/∂n − a·t,
//!
//! where a is the acceleration of the body there, t the direction of increasing η, and n points outwards (density,
//! speed and chord are one). The pressure is its integral. The force of the pressure, −∮ p n ds,
//! is, by parts, ∮ (y, −x) ∂p/∂s ds, for which p need not be known; that of friction is (1/Re) ∮ ζ t ds.
//! The integral of ∂p/∂s over a full turn is an error of the discretisation and is subtracted evenly.

use super::motion::{Frame, rotate};

/// The force on the body over ½ ρ U² and the chord or diameter.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Forces {
    /// Parallel to the stream.
    pub drag: f64,
    /// Perpendicular to the stream, upwards.
    pub lift: f64,
}

/// Data on the surface for the force: nodes along η, without the replica.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surface {
    /// x and y, in the frame of the body.
    pub places: Vec<[f64; 2]>,
    /// h₁: the length of a step of ξ, divided by Δξ.
    pub across: Vec<f64>,
    /// Δξ
    pub step_xi: f64,
}

impl Surface {
    /// The force, from ζ on the surface and at the next two nodes, for each node.
    pub fn forces(&self, frame: &Frame, viscosity: f64, vorticity: &[[f64; 3]]) -> Forces {
        let nodes = self.places.len();
        // Half of the distance from the previous node to the next: t ds.
        let along = |j: usize| {
            let [before, after] = [nodes - 1, 1].map(|step| self.places[(j + step) % nodes]);
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
        Forces { drag: 2.0 * drag, lift: 2.0 * lift }
    }
}

/// The acceleration of a point of the body, along its axes.
fn acceleration(frame: &Frame, [x, y]: [f64; 2]) -> [f64; 2] {
    let (alpha, square) = (frame.turn_rate, frame.turn * frame.turn);
    [frame.acceleration[0] - alpha * y - square * x, frame.acceleration[1] + alpha * x - square * y]
}

/// The frequency of an oscillation, from the times after `from` at which it passes its mean upwards:
/// oscillations over the time between the first and the last. `None` for fewer than three.
pub fn frequency(history: &[(f64, f64)], from: f64) -> Option<f64> {
    let late: Vec<_> = history.iter().filter(|(t, _)| *t >= from).collect();
    let mean = late.iter().map(|(_, value)| value).sum::<f64>() / late.len().max(1) as f64;
    let crossing = |pair: &[&(f64, f64)]| {
        let [(t0, v0), (t1, v1)] = [*pair[0], *pair[1]];
        let (v0, v1) = (v0 - mean, v1 - mean);
        (v0 < 0.0 && v1 >= 0.0).then(|| t0 - v0 * (t1 - t0) / (v1 - v0))
    };
    let crossings: Vec<f64> = late.windows(2).filter_map(crossing).collect();
    match crossings[..] {
        [first, _, .., last] => Some((crossings.len() - 1) as f64 / (last - first)),
        _ => None,
    }
}
