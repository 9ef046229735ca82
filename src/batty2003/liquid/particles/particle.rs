//! The particles that carry the liquid and its velocity: eight to a full cell, sorted by cells.

use crate::batty2003::liquid::grid::Grid;
use crate::batty2003::liquid::shape::Shape;
use crate::batty2003::liquid::solids::Solids;
use crate::parallel::{collect, parts};
use crate::random::SplitMix64;

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

    /// All particles.
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
    pub fn hurry(&mut self, shape: &Shape, velocity: [f64; 3]) {
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
