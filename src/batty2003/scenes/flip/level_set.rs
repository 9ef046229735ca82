//! Position of the liquid: φ from the particles, and the surface around the particles' volume, which is also that of
//! the pressure.

use super::grid::{Field, Grid};
use super::particles::{PER_CELL, Particles};
use super::solids::Solids;
use crate::base::parallel::each;

/// The radius of a particle in cells: it reaches the centre of every cell that contains it, half a
/// diagonal and a little more.
pub const RADIUS: f64 = 1.01 * 0.866_025_403_784_438_6;

/// Distance in cells up to which particles are searched. φ is exact up to half a cell more, less the radius.
const REACH: usize = 2;

/// φ = min |x − x_p| − r at the cells' centres (m), and −dx/2 in solids next to liquid, so that the liquid's
/// surface meets them (C. Batty's extension, half a cell deep).
pub fn level_set(particles: &Particles, solids: &Solids, grid: Grid) -> Field {
    let mut values = vec![0.0; grid.cells()];
    let (dx, radius) = (grid.spacing as f32, (RADIUS * grid.spacing) as f32);
    Grid::visit(grid.size, &mut values, |cell, value| {
        let mut nearest = f32::INFINITY;
        for reach in 0..=REACH {
            nearest = nearest_particle(particles, grid, cell, reach);
            // Particles outside these cells are further away.
            if nearest <= (reach as f32 + 0.5) * dx {
                break;
            }
        }
        *value = nearest.min((REACH as f32 + 0.5) * dx) - radius;
        if solids.any() && *value < 0.5 * dx && solids.distance(grid.centre(cell)) < 0.0 {
            *value = -0.5 * dx;
        }
    });
    Field::new(grid.size, [0.5 * grid.spacing; 3], grid.spacing, values)
}

/// The distance from a cell's centre to the nearest particle in the cells up to `reach` away.
fn nearest_particle(particles: &Particles, grid: Grid, cell: [usize; 3], reach: usize) -> f32 {
    let centre = grid.centre(cell).map(|x| x as f32);
    let [x, y, z] = block(grid, cell, reach);
    let mut nearest = f32::INFINITY;
    for k in z.0..=z.1 {
        for j in y.0..=y.1 {
            // The cells of a row are consecutive.
            let row = grid.number([0, j, k]);
            for particle in particles.within(row + x.0, row + x.1) {
                let square = |d: usize| (particle.position[d] - centre[d]).powi(2);
                nearest = nearest.min(square(0) + square(1) + square(2));
            }
        }
    }
    nearest.sqrt()
}

/// The first and the last of the cells up to `reach` away, in each direction.
fn block(grid: Grid, cell: [usize; 3], reach: usize) -> [(usize, usize); 3] {
    [0, 1, 2].map(|axis| {
        let last = (cell[axis] + reach).min(grid.size[axis] - 1);
        (cell[axis].saturating_sub(reach), last)
    })
}

/// The signed distance from the surface that encloses the particles' volume.
///
/// φ's surface goes around every particle, and encloses an additional layer: for a single particle, about
/// its own volume again. So the depth below it is computed, and the surface is moved
/// inwards by the distance by which it would be too high above a plane of particles. The depth of a cell is computed
/// from the air: around the centre of a cell of air with distance φ there is a ball of air with that radius.
pub fn surface(level_set: &Field, grid: Grid) -> Field {
    let phi = &level_set.values;
    let (dx, deepest) = (grid.spacing as f32, REACH as f32 * grid.spacing as f32);
    let shift = layer_too_much() as f32 * dx;
    let mut values = phi.to_vec();
    Grid::visit(grid.size, &mut values, |cell, value| {
        if *value < 0.0 {
            *value = -distance_to_air(phi, grid, cell).min(deepest);
        }
        *value += shift;
    });
    Field::new(grid.size, level_set.origin, grid.spacing, values)
}

/// The distance (m) from a cell's centre to the nearest ball of air.
fn distance_to_air(phi: &[f32], grid: Grid, cell: [usize; 3]) -> f32 {
    let dx = grid.spacing as f32;
    let [x, y, z] = block(grid, cell, REACH);
    let mut nearest = f32::INFINITY;
    for k in z.0..=z.1 {
        for j in y.0..=y.1 {
            let row = grid.number([0, j, k]);
            let across = j.abs_diff(cell[1]).pow(2) + k.abs_diff(cell[2]).pow(2);
            for i in x.0..=x.1 {
                let air = phi[row + i];
                if air >= 0.0 {
                    let squared = (across + i.abs_diff(cell[0]).pow(2)) as f32;
                    nearest = nearest.min(dx * squared.sqrt() - air);
                }
            }
        }
    }
    nearest
}

/// Distance, in cells, by which φ puts the surface too high above a plane of particles.
///
/// A ball that reaches below the plane with a cap of depth h has the volume π h² (3 r' − h) / 3
/// there, and contains none of the eight particles per cell with the probability e^(−8 volume). At the
/// probability one half the nearest particle is h below the plane. The cells of air that give the depths are half
/// a cell above the surface on average, so that r' = r + 1/2, and the surface is r − h too high.
fn layer_too_much() -> f64 {
    let volume = std::f64::consts::LN_2 / PER_CELL as f64;
    let mut depth = 0.0;
    // h = √(3 volume / (π (3 r' − h))), a contraction by far.
    for _ in 0..20 {
        depth = (3.0 * volume / (std::f64::consts::PI * (3.0 * (RADIUS + 0.5) - depth))).sqrt();
    }
    RADIUS - depth
}

/// φ of the pressure: that of the surface; in solids next to liquid, that of the deepest neighbour through an open
/// face, so that the surface meets solids at a right angle.
pub fn under_pressure(surface: &Field, level_set: &Field, solids: &Solids, grid: Grid) -> Field {
    let mut values = surface.values.to_vec();
    if solids.any() {
        let is_solid = |cell| solids.distance(grid.centre(cell)) < 0.0;
        Grid::visit(grid.size, &mut values, |cell, value| {
            if level_set.at(cell) >= 0.0 || !is_solid(cell) {
                return;
            }
            let number = grid.number(cell);
            let outside = Grid::neighbours(grid.size, number).filter(|&(axis, next)| {
                solids.open.before(axis, grid.cell(number.max(next))) > 0.0
                    && !is_solid(grid.cell(next))
            });
            let deepest = outside.map(|(_, next)| surface.values[next]).reduce(f32::min);
            *value = deepest.unwrap_or_else(|| level_set.at(cell));
        });
    }
    Field::new(grid.size, surface.origin, grid.spacing, values)
}

/// Volume inside the surface and outside solids (m³); cells cut by the surface count as
/// if it were a plane parallel to a face.
pub fn volume(surface: &Field, solids: &Solids, grid: Grid) -> f64 {
    let share = |number: usize, phi: f32| {
        let inside = (0.5 - f64::from(phi) / grid.spacing).clamp(0.0, 1.0);
        if solids.any() && inside > 0.0 {
            inside * solids.openness(grid.cell(number))
        } else {
            inside
        }
    };
    let layer = Grid::layer(grid.size);
    // Layer by layer, so that the sum does not depend on the number of threads.
    let mut sums = vec![0.0_f64; grid.size[2]];
    each(&mut sums, &|k, sum| {
        let layer = k * layer..(k + 1) * layer;
        let cells = layer.clone().zip(&surface.values[layer]);
        *sum = cells.map(|(cell, &phi)| share(cell, phi)).sum();
    });
    sums.iter().sum::<f64>() * grid.spacing.powi(3)
}
