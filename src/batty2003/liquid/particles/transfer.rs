//! Transfer of velocities from the particles to the grid, and of the grid's changes back.

use rayon::prelude::*;

use crate::batty2003::liquid::extrapolation::UNKNOWN;
use crate::batty2003::liquid::grid::faces::around;
use crate::batty2003::liquid::grid::{Faces, Grid};

use super::particle::{Particles, in_cells};

/// Layers of cells per thread when summing particles. Independent of the number of threads, so that
/// sums are always in the same order.
const SLAB: usize = 4;

/// Σ w v and Σ w of several layers of faces.
struct Sums {
    /// Index of the first layer.
    first: usize,
    sums: Vec<[f32; 2]>,
}

/// The velocity of every face: the mean of the particles within a cell's side of it in every
/// direction, with the weights of the trilinear interpolation from faces to particles.
/// Also, for every face, 0 if there was a particle and [`UNKNOWN`] if there was none.
pub fn to_grid(particles: &Particles, grid: Grid) -> (Faces, [Vec<u8>; 3]) {
    let mut velocity = Faces::constant(grid, 0.0);
    let known = [0, 1, 2].map(|axis| {
        let size = grid.faces(axis);
        let layer = Grid::layer(size);
        let slabs = (0..grid.size[2].div_ceil(SLAB)).into_par_iter();
        let sums = [sums_of_slab::<0>, sums_of_slab::<1>, sums_of_slab::<2>][axis];
        let slabs: Vec<Sums> = slabs.map(|slab| sums(particles, grid, slab)).collect();
        let mut known = vec![UNKNOWN; size.iter().product()];
        let layers = velocity.across[axis].par_chunks_mut(layer);
        let layers = layers.zip(known.par_chunks_mut(layer)).enumerate();
        layers.for_each(|(k, (velocity, known))| {
            // A layer has sums from its own slab and from the adjacent one.
            let near = &slabs[k.saturating_sub(1) / SLAB..];
            let near = near.iter().take_while(|slab| slab.first <= k);
            let near: Vec<_> = near
                .filter_map(|slab| slab.sums.chunks_exact(layer).nth(k - slab.first))
                .collect();
            for (number, (velocity, known)) in velocity.iter_mut().zip(known).enumerate() {
                let [sum, weight] = near.iter().fold([0.0; 2], |[sum, weight], sums| {
                    let [own, share] = sums[number];
                    [sum + own, weight + share]
                });
                if weight > 0.0 {
                    (*velocity, *known) = (f64::from(sum / weight), 0);
                }
            }
        });
        known
    });
    (velocity, known)
}

/// Contributions of the particles of a slab to the faces across an axis.
fn sums_of_slab<const AXIS: usize>(particles: &Particles, grid: Grid, slab: usize) -> Sums {
    let size = grid.faces(AXIS);
    let (layer, cells) = (Grid::layer(size), Grid::layer(grid.size));
    let (start, end) = (slab * SLAB, (slab * SLAB + SLAB).min(grid.size[2]));
    // Across z, faces are between layers of cells; other faces are inside layers, so that one more layer is reached.
    let first = if AXIS == 2 {
        start
    } else {
        start.saturating_sub(1)
    };
    let last = end.min(size[2] - 1);
    let mut sums = vec![[0.0_f32; 2]; (last + 1 - first) * layer];
    let per_metre = 1.0 / grid.spacing as f32;
    for particle in particles.within(start * cells, end * cells - 1) {
        let [x, y, z] = around::<AXIS>(in_cells(particle, per_metre), size);
        for (k, wz) in z.weights() {
            for (j, wy) in y.weights() {
                let row = size[0] * j + layer * (k - first);
                for (i, wx) in x.weights() {
                    let weight = wx * wy * wz;
                    let [sum, weights] = &mut sums[row + i];
                    *sum += weight * particle.velocity[AXIS];
                    *weights += weight;
                }
            }
        }
    }
    Sums { first, sums }
}

/// Updates the particles' velocities from the grid's: the share `flip` of each is its own plus the grid's
/// change, the rest is the grid's. With old and new velocities u of the grid that is v ← flip v +
/// `blend`, where the blend is u_new − flip u_old at the particle's position.
pub fn to_particles(particles: &mut Particles, blend: &Faces, flip: f64) {
    let per_metre = 1.0 / blend.grid.spacing as f32;
    let flip = flip as f32;
    particles.update(|particle| {
        let blend = blend.sample(in_cells(particle, per_metre));
        for (v, blend) in particle.velocity.iter_mut().zip(blend) {
            *v = flip * *v + blend;
        }
    });
}
