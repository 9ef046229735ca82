//! Velocities from the particles to the grid, and the grid's changes back to them.

use rayon::prelude::*;

use crate::batty2003::liquid::extrapolation::UNKNOWN;
use crate::batty2003::liquid::grid::faces::{Between, around};
use crate::batty2003::liquid::grid::{Faces, Grid};

use super::particle::Particles;

/// The velocity of every face: the mean of the particles within a cell's side of it in every
/// direction, weighted as a face would be between which and its neighbours a particle interpolates.
/// Beside it, for every face, 0 where there was a particle and [`UNKNOWN`] where there was none.
///
/// Each layer of faces sums over the particles of the layers of cells that it lies in or next to, in
/// their order: no two threads add to the same face, and the sums are the same whatever their number.
pub fn to_grid(particles: &Particles, grid: Grid) -> (Faces, [Vec<u8>; 3]) {
    let mut velocity = Faces::constant(grid, 0.0);
    let known = [0, 1, 2].map(|axis| {
        let size = grid.faces(axis);
        let layer = Grid::layer(size);
        let mut known = vec![UNKNOWN; size.iter().product()];
        let layers = velocity.across_mut(axis).par_chunks_mut(layer);
        let layers = layers.zip(known.par_chunks_mut(layer)).enumerate();
        layers.for_each_init(
            || vec![[0.0_f32; 2]; layer],
            |sums, (k, (velocity, known))| {
                sums.fill([0.0; 2]);
                add_particles(particles, grid, axis, k, sums);
                for ((&[sum, weight], velocity), known) in sums.iter().zip(velocity).zip(known) {
                    if weight > 0.0 {
                        (*velocity, *known) = (f64::from(sum / weight), 0);
                    }
                }
            },
        );
        known
    });
    (velocity, known)
}

/// Adds what particles contribute to a layer of faces across an axis: Σ w v and Σ w.
fn add_particles(particles: &Particles, grid: Grid, axis: usize, k: usize, sums: &mut [[f32; 2]]) {
    let size = grid.faces(axis);
    let last = if axis == 2 { k } else { k + 1 }.min(grid.size[2] - 1);
    let cells = Grid::layer(grid.size);
    let per_metre = 1.0 / grid.spacing as f32;
    for particle in particles.within(k.saturating_sub(1) * cells, (last + 1) * cells - 1) {
        let at = particle.position.map(|x| x * per_metre);
        let [x, y, z] = around(at, axis, size).map(Between::weights);
        let here = |(layer, weight)| if layer == k { weight } else { 0.0 };
        let wz = here(z[0]) + here(z[1]);
        if wz == 0.0 {
            continue;
        }
        for (j, wy) in y {
            let row = size[0] * j;
            for (i, wx) in x {
                let weight = wx * wy * wz;
                let [sum, weights] = &mut sums[row + i];
                *sum += weight * particle.velocity[axis];
                *weights += weight;
            }
        }
    }
}

/// The particles' velocities after the grid's: the share `flip` of each is its own with the grid's
/// change added, the rest is the grid's.
pub fn to_particles(particles: &mut Particles, velocity: &Faces, change: &Faces, flip: f64) {
    let per_metre = 1.0 / velocity.grid().spacing as f32;
    let flip = flip as f32;
    particles
        .all_mut()
        .par_iter_mut()
        .with_min_len(1 << 10)
        .for_each(|particle| {
            let at = particle.position.map(|x| x * per_metre);
            let (now, change) = (velocity.sample(at), change.sample(at));
            for axis in 0..3 {
                let own = particle.velocity[axis] + change[axis];
                particle.velocity[axis] = flip * own + (1.0 - flip) * now[axis];
            }
        });
}
