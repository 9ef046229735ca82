//! Motion of particles with the liquid.

use crate::batty2003::liquid::grid::{Faces, Grid};
use crate::batty2003::liquid::solids::Solids;

use super::particle::{Particle, Particles, in_cells};

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
        particle.position = [x * spacing, y * spacing, z * spacing];
        keep_out(particle, grid, solids);
    });
}

/// Moves a particle that is in a solid or outside a wall to its surface.
fn keep_out(particle: &mut Particle, grid: Grid, solids: &Solids) {
    let margin = MARGIN * grid.spacing as f32;
    if solids.any() {
        let at = particle.position.map(f64::from);
        let too_near = f64::from(margin) - solids.distance(at);
        if too_near > 0.0
            && let Some(normal) = solids.normal(at)
        {
            for (x, normal) in particle.position.iter_mut().zip(normal) {
                *x += (too_near * normal) as f32;
            }
        }
    }
    for (x, extent) in particle.position.iter_mut().zip(grid.extent()) {
        *x = x.clamp(margin, extent as f32 - margin);
    }
}
