//! Velocities continued into air and solids, where particles will need them.

use rayon::prelude::*;

use super::grid::{Faces, Grid};
use super::solids::Solids;

/// The mark of a face whose velocity is not known; that of a known one is the number of the layer
/// that it was found in, from 0.
pub const UNKNOWN: u8 = u8::MAX;

/// Gives so many layers of unknown faces the mean of their known neighbours, layer after layer, and
/// zero to all beyond.
pub fn extrapolate(velocity: &mut Faces, known: &mut [Vec<u8>; 3], layers: u8) {
    let grid = velocity.grid();
    for (axis, known) in known.iter_mut().enumerate() {
        let values = velocity.across_mut(axis);
        for layer in 0..layers.min(UNKNOWN - 1) {
            let found = next_layer(values, known, grid.faces(axis), layer);
            for (face, value) in found.into_iter().flatten() {
                (values[face], known[face]) = (value, layer + 1);
            }
        }
        let all = values.par_iter_mut().zip(known).with_min_len(1 << 12);
        all.filter(|(_, known)| **known == UNKNOWN)
            .for_each(|(value, _)| *value = 0.0);
    }
}

/// The faces not known that have known neighbours, and the means of these; for each z.
fn next_layer(values: &[f64], known: &[u8], size: [usize; 3], layer: u8) -> Vec<Vec<(usize, f64)>> {
    let strides = [1, size[0], Grid::layer(size)];
    let of_layer = |k: usize| {
        let mut found = Vec::new();
        for j in 0..size[1] {
            for i in 0..size[0] {
                let face = i + strides[1] * j + strides[2] * k;
                if known[face] != UNKNOWN {
                    continue;
                }
                let (mut sum, mut count) = (0.0, 0);
                for (axis, place) in [i, j, k].into_iter().enumerate() {
                    let before = (place > 0).then(|| face - strides[axis]);
                    let after = (place + 1 < size[axis]).then(|| face + strides[axis]);
                    for neighbour in [before, after].into_iter().flatten() {
                        if known[neighbour] <= layer {
                            sum += values[neighbour];
                            count += 1;
                        }
                    }
                }
                if count > 0 {
                    found.push((face, sum / f64::from(count)));
                }
            }
        }
        found
    };
    (0..size[2]).into_par_iter().map(of_layer).collect()
}

/// Lets nothing flow through walls, nor, on closed faces, into or out of solids; along them it flows
/// freely.
pub fn constrain(velocity: &mut Faces, solids: &Solids) {
    let grid = velocity.grid();
    let unconstrained = solids.any().then(|| velocity.clone());
    for axis in 0..3 {
        let size = grid.faces(axis);
        let layers = velocity.across_mut(axis).par_chunks_mut(Grid::layer(size));
        layers.enumerate().for_each(|(k, faces)| {
            for (number, face) in faces.iter_mut().enumerate() {
                let at = [number % size[0], number / size[0], k];
                if at[axis] == 0 || at[axis] == grid.size[axis] {
                    *face = 0.0;
                } else if let Some(all) = &unconstrained
                    && solids.open().before(axis, at) == 0.0
                {
                    *face -= through(all, solids, axis, at);
                }
            }
        });
    }
}

/// The part of a face's velocity that goes into a solid or out of it.
fn through(velocity: &Faces, solids: &Solids, axis: usize, face: [usize; 3]) -> f64 {
    let at = [0, 1, 2]
        .map(|direction| face[direction] as f64 + if direction == axis { 0.0 } else { 0.5 });
    let spacing = velocity.grid().spacing;
    let Some(normal) = solids.normal(at.map(|x| x * spacing)) else {
        return 0.0;
    };
    let vector = velocity.sample(at.map(|x| x as f32));
    let into: f64 = (0..3).map(|d| f64::from(vector[d]) * normal[d]).sum();
    into * normal[axis]
}
