//! Extrapolation of velocities into air and solids, where particles need them.

use rayon::prelude::*;

use crate::mesh::vector::{dot, widen};
use crate::parallel::collect;

use super::grid::{Faces, Grid};
use super::solids::Solids;

/// Mark of a face with unknown velocity; that of a known one is the number of the layer
/// in which it was found, from 0.
pub const UNKNOWN: u8 = u8::MAX;

/// Assigns `layers` layers of unknown faces the mean of their known neighbours, layer by layer, and
/// zero to all further faces.
pub fn extrapolate(velocity: &mut Faces, known: &mut [Vec<u8>; 3], layers: u8) {
    let sizes = [0, 1, 2].map(|axis| velocity.grid.faces(axis));
    let axes = velocity.across.par_iter_mut().zip(known).zip(sizes);
    axes.for_each(|((values, known), size)| {
        let mut front = frontier(known, size);
        for layer in 1..=layers.min(UNKNOWN - 1) {
            front.iter().for_each(|&face| known[face] = layer);
            let mean = |place: usize| {
                let face = front[place];
                let before = Grid::neighbours(size, face).filter(|&(_, next)| known[next] < layer);
                let (sum, count) = before.fold((0.0, 0.0), |(sum, count), (_, next)| {
                    (sum + values[next], count + 1.0)
                });
                sum / count
            };
            let means: Vec<f64> = collect(front.len(), mean);
            for (&face, mean) in front.iter().zip(means) {
                values[face] = mean;
            }
            let mut next = Vec::new();
            for (_, face) in front.iter().flat_map(|&face| Grid::neighbours(size, face)) {
                if known[face] == UNKNOWN {
                    // Marked as known, so that it is not taken twice.
                    known[face] = layer + 1;
                    next.push(face);
                }
            }
            front = next;
        }
        front.iter().for_each(|&face| known[face] = UNKNOWN);
        let all = values.iter_mut().zip(known);
        all.filter(|(_, known)| **known == UNKNOWN)
            .for_each(|(value, _)| *value = 0.0);
    });
}

/// The unknown faces with known neighbours.
fn frontier(known: &[u8], size: [usize; 3]) -> Vec<usize> {
    let unknown = |&face: &usize| known[face] == UNKNOWN;
    let faces = (0..known.len()).into_par_iter().with_min_len(1 << 12);
    faces
        .filter(unknown)
        .filter(|&face| !Grid::neighbours(size, face).all(|(_, next)| unknown(&next)))
        .collect()
}

/// Removes the flow through walls and, on closed faces, into or out of solids; along them the liquid moves
/// freely.
pub fn constrain(velocity: &mut Faces, solids: &Solids) {
    let grid = velocity.grid;
    let unconstrained = solids.any().then(|| velocity.clone());
    for axis in 0..3 {
        Grid::visit(grid.faces(axis), &mut velocity.across[axis], |at, face| {
            if at[axis] == 0 || at[axis] == grid.size[axis] {
                *face = 0.0;
            } else if let Some(all) = &unconstrained
                && solids.open.before(axis, at) == 0.0
            {
                *face -= through(all, solids, axis, at);
            }
        });
    }
}

/// The component of a face's velocity into or out of a solid.
fn through(velocity: &Faces, solids: &Solids, axis: usize, face: [usize; 3]) -> f64 {
    let at = [0, 1, 2]
        .map(|direction| face[direction] as f64 + if direction == axis { 0.0 } else { 0.5 });
    let spacing = velocity.grid.spacing;
    let Some(normal) = solids.normal(at.map(|x| x * spacing)) else {
        return 0.0;
    };
    dot(widen(velocity.sample(at.map(|x| x as f32))), normal) * normal[axis]
}
