//! The particles that carry the liquid and its velocity: eight per full cell, sorted by cells. Their motion, and the
//! transfer of velocities to the grid and back.

use rayon::prelude::*;

use crate::base::parallel::{collect, parts};
use crate::base::random::SplitMix64;

use super::grid::{Faces, Grid, around};
use super::projection::UNKNOWN;
use super::scene::Shape;
use super::solids::Solids;

/// Particles of a full cell, one in each of its octants.
pub const PER_CELL: usize = 8;

/// A particle.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Particle {
    /// Position (m).
    pub position: [f32; 3],
    /// Velocity (m/s).
    pub velocity: [f32; 3],
}

/// All particles, in the order of their cells.
#[derive(Debug, Clone)]
pub struct Particles {
    grid: Grid,
    all: Vec<Particle>,
    /// Index of the first particle of each cell, and, last, the end of all.
    starts: Vec<u32>,
    /// Target of sorting.
    spare: Vec<Particle>,
    seed: u64,
    /// Number of random numbers used.
    drawn: u64,
}

impl Particles {
    /// Creates an empty set.
    pub fn new(grid: Grid, seed: u64) -> Self {
        Self {
            grid,
            all: Vec::new(),
            starts: vec![0; grid.cells() + 1],
            spare: Vec::new(),
            seed,
            drawn: 0,
        }
    }

    pub fn all(&self) -> &[Particle] {
        &self.all
    }

    /// Changes all particles, on all cores; call [`Particles::sort`] after moving them.
    pub fn update(&mut self, change: impl Fn(&mut Particle) + Sync) {
        parts(&mut self.all, 1 << 10, &|_, particles| {
            particles.iter_mut().for_each(&change);
        });
    }

    /// The particles in consecutive cells, from one number up to another.
    #[inline]
    pub fn within(&self, first: usize, last: usize) -> &[Particle] {
        &self.all[self.starts[first] as usize..self.starts[last + 1] as usize]
    }

    /// Sorts the particles by cells. Those of a cell keep their order, so that sums over them do not depend
    /// on the number of threads.
    pub fn sort(&mut self) {
        let grid = self.grid;
        let all = &self.all;
        let cell = |particle: usize| grid.number(cell_of(grid, all[particle].position)) as u32;
        let cells = collect(all.len(), cell);
        let starts = &mut self.starts;
        starts.fill(0);
        for &cell in &cells {
            starts[cell as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut order = vec![0_u32; cells.len()];
        for (particle, &cell) in (0..).zip(&cells) {
            let place = &mut next[cell as usize];
            order[*place as usize] = particle;
            *place += 1;
        }
        self.spare.resize(all.len(), Particle::default());
        parts(&mut self.spare, 1 << 12, &|first, sorted| {
            for (to, &particle) in sorted.iter_mut().zip(&order[first..]) {
                *to = all[particle as usize];
            }
        });
        std::mem::swap(&mut self.all, &mut self.spare);
    }

    /// Sets the velocity (m/s) of all particles inside a shape.
    pub fn set_velocity(&mut self, shape: &Shape, velocity: [f64; 3]) {
        let velocity = velocity.map(|v| v as f32);
        self.update(|particle| {
            if shape.distance(particle.position.map(f64::from)) < 0.0 {
                particle.velocity = velocity;
            }
        });
    }

    /// Adds particles with a velocity (m/s) where there are none: one at a random position of every octant
    /// without a particle, if the position is in a shape and outside solids.
    pub fn fill(&mut self, shape: &Shape, solids: &Solids, velocity: [f64; 3]) {
        let inside = |at| shape.distance(at) < 0.0 && solids.distance(at) > 0.0;
        self.seed(shape, velocity, 1, inside);
    }

    /// Adds particles where a shape's content was and no longer is after moving with a velocity
    /// (m/s) for some time (s).
    pub fn refill(&mut self, shape: &Shape, solids: &Solids, velocity: [f64; 3], time: f64) {
        let vacated = |at: [f64; 3]| {
            let before = [0, 1, 2].map(|d| at[d] - time * velocity[d]);
            shape.distance(at) < 0.0 && shape.distance(before) >= 0.0 && solids.distance(at) > 0.0
        };
        // Next to a particle that is still in its octant there is room for another.
        self.seed(shape, velocity, 2, vacated);
    }

    /// Adds a particle at a random position of every octant near a shape that contains fewer than `most`,
    /// if the position is accepted.
    fn seed(
        &mut self,
        shape: &Shape,
        velocity: [f64; 3],
        most: usize,
        accept: impl Fn([f64; 3]) -> bool,
    ) {
        let grid = self.grid;
        let velocity = velocity.map(|v| v as f32);
        let mut added = Vec::new();
        for number in 0..grid.cells() {
            let cell = grid.cell(number);
            // No position in a cell is further from its centre than 0.87 sides.
            if shape.distance(grid.centre(cell)) > grid.spacing {
                continue;
            }
            let mut held = [0; PER_CELL];
            for particle in self.within(number, number) {
                held[octant_of(grid, particle.position)] += 1;
            }
            for octant in (0..PER_CELL).filter(|&octant| held[octant] < most) {
                let mut random = SplitMix64::new(self.seed).skip(self.drawn);
                self.drawn += 3;
                let position = [0, 1, 2].map(|axis| {
                    let half = (octant >> axis & 1) as f64;
                    (cell[axis] as f64 + 0.5 * (half + random.uniform())) * grid.spacing
                });
                if accept(position) {
                    let position = position.map(|x| x as f32);
                    added.push(Particle { position, velocity });
                }
            }
        }
        self.all.append(&mut added);
        self.sort();
    }
}

/// Position of a particle in units of cells.
#[inline]
pub fn in_cells(particle: &Particle, per_metre: f32) -> [f32; 3] {
    let [x, y, z] = particle.position;
    [x * per_metre, y * per_metre, z * per_metre]
}

/// The cell that contains a position; the nearest one for a position outside the box.
#[inline]
fn cell_of(grid: Grid, position: [f32; 3]) -> [usize; 3] {
    let per_metre = 1.0 / grid.spacing as f32;
    // A cast takes negative numbers to 0.
    [0, 1, 2].map(|axis| ((position[axis] * per_metre) as usize).min(grid.size[axis] - 1))
}

/// The octant of its cell that contains a position, as bits: 1 for the further half in x, 2 in y, 4 in z.
fn octant_of(grid: Grid, position: [f32; 3]) -> usize {
    let per_metre = 1.0 / grid.spacing as f32;
    let further = |axis: usize| (position[axis] * per_metre).fract() >= 0.5;
    (0..3).map(|axis| usize::from(further(axis)) << axis).sum()
}

/// Distance of particles from walls and solids, in cells.
const MARGIN: f32 = 0.01;

/// Moves particles with the velocity for a time step (s), by Ralston's method of third order (1962),
/// and out of solids and walls.
pub fn advect(particles: &mut Particles, velocity: &Faces, solids: &Solids, time_step: f64) {
    let grid = velocity.grid;
    let per_metre = 1.0 / grid.spacing as f32;
    let (cells, spacing) = (time_step as f32 * per_metre, grid.spacing as f32);
    particles.update(|particle| {
        let at = in_cells(particle, per_metre);
        let ahead =
            |[u, v, w]: [f32; 3], time: f32| [at[0] + time * u, at[1] + time * v, at[2] + time * w];
        let first = velocity.sample(at);
        let second = velocity.sample(ahead(first, 0.5 * cells));
        let third = velocity.sample(ahead(second, 0.75 * cells));
        let mean = |d: usize| (2.0 * first[d] + 3.0 * second[d] + 4.0 * third[d]) / 9.0;
        let [x, y, z] = ahead([mean(0), mean(1), mean(2)], cells);
        let from = particle.position;
        particle.position = [x * spacing, y * spacing, z * spacing];
        keep_out(particle, from, grid, solids);
    });
}

/// Moves a particle that is in a solid or outside a wall to its surface. A particle between two
/// layers of corners on the surface has no direction, and returns to its last position.
fn keep_out(particle: &mut Particle, from: [f32; 3], grid: Grid, solids: &Solids) {
    let margin = MARGIN * grid.spacing as f32;
    if solids.any() {
        let at = particle.position.map(f64::from);
        let too_near = f64::from(margin) - solids.distance(at);
        if too_near > 0.0 {
            match solids.normal(at) {
                Some(normal) => {
                    for (x, normal) in particle.position.iter_mut().zip(normal) {
                        *x += (too_near * normal) as f32;
                    }
                }
                None => particle.position = from,
            }
        }
    }
    for (x, extent) in particle.position.iter_mut().zip(grid.extent()) {
        *x = x.clamp(margin, extent as f32 - margin);
    }
}

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
            let near: Vec<_> =
                near.filter_map(|slab| slab.sums.chunks_exact(layer).nth(k - slab.first)).collect();
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
    let first = if AXIS == 2 { start } else { start.saturating_sub(1) };
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
