//! Where the liquid is: φ from the particles, and the surface round as much as they stand for.

use super::grid::{Field, Grid};
use super::particles::{PER_CELL, Particles};
use super::solids::Solids;
use crate::parallel::each;

/// The radius of a particle in cells: the centre of every cell that holds one is within it, half a
/// diagonal and a little more.
pub const RADIUS: f64 = 1.01 * 0.866_025_403_784_438_6;

/// How many cells away particles are looked for. φ is exact up to half a cell more, less the radius.
const REACH: usize = 2;

/// φ = min |x − x_p| − r at the cells' centres (m), and −dx/2 in solids next to liquid, so that its
/// surface meets them (C. Batty's continuation, half a cell deep).
pub fn level_set(particles: &Particles, solids: &Solids, grid: Grid) -> Field {
    let mut values = vec![0.0; grid.cells()];
    let (dx, radius) = (grid.spacing as f32, (RADIUS * grid.spacing) as f32);
    Grid::visit(grid.size, &mut values, |cell, value| {
        let mut nearest = f32::INFINITY;
        for reach in 0..=REACH {
            nearest = nearest_particle(particles, grid, cell, reach);
            // Whatever lies in no cell of these is further away.
            if nearest <= (reach as f32 + 0.5) * dx {
                break;
            }
        }
        *value = nearest.min((REACH as f32 + 0.5) * dx) - radius;
        if solids.any() && *value < 0.5 * dx && solids.distance(grid.centre(cell)) < 0.0 {
            *value = -0.5 * dx;
        }
    });
    Field::of_finite(grid.size, [0.5 * grid.spacing; 3], grid.spacing, values)
}

/// The distance from a cell's centre to the nearest particle of the cells up to so many away.
fn nearest_particle(particles: &Particles, grid: Grid, cell: [usize; 3], reach: usize) -> f32 {
    let centre = grid.centre(cell).map(|x| x as f32);
    let [x, y, z] = block(grid, cell, reach);
    let mut nearest = f32::INFINITY;
    for k in z.0..=z.1 {
        for j in y.0..=y.1 {
            // The cells of a row lie one after the other.
            let row = grid.number([0, j, k]);
            for particle in particles.within(row + x.0, row + x.1) {
                let square = |d: usize| (particle.position[d] - centre[d]).powi(2);
                nearest = nearest.min(square(0) + square(1) + square(2));
            }
        }
    }
    nearest.sqrt()
}

/// The first and the last of the cells up to so many away, in each direction.
fn block(grid: Grid, cell: [usize; 3], reach: usize) -> [(usize, usize); 3] {
    [0, 1, 2].map(|axis| {
        let last = (cell[axis] + reach).min(grid.size[axis] - 1);
        (cell[axis].saturating_sub(reach), last)
    })
}

/// The signed distance from the surface that encloses as much as the particles stand for.
///
/// φ's surface goes round every particle, and encloses a layer too much: about as much again as there
/// is, where a particle flies alone. So the depth below it is found, and the surface put as much
/// deeper as a plane of particles would have it too high. What depth a cell has it learns from the
/// air: around the centre of a cell of air with distance φ there is a ball of air with that radius.
pub fn surface(level_set: &Field, grid: Grid) -> Field {
    let phi = level_set.values();
    let (dx, deepest) = (grid.spacing as f32, REACH as f32 * grid.spacing as f32);
    let shift = layer_too_much() as f32 * dx;
    let mut values = phi.to_vec();
    Grid::visit(grid.size, &mut values, |cell, value| {
        if *value < 0.0 {
            *value = -distance_to_air(phi, grid, cell).min(deepest);
        }
        *value += shift;
    });
    Field::of_finite(grid.size, level_set.origin(), grid.spacing, values)
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

/// How far above a plane, in cells, φ puts the surface of the particles below it.
///
/// A ball that reaches below the plane with a cap of depth h has π h² (3 r' − h) / 3 of its volume
/// there, and with the probability e^(−8 volume) none of the eight particles a cell. So at a half the
/// nearest particle is h deeper than the plane. The cells of air that depths are learnt from lie half
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

/// How much lies inside the surface and outside solids (m³): of the cells that it goes through, as if
/// it went straight and across.
pub fn volume(surface: &Field, solids: &Solids, grid: Grid) -> f64 {
    let share = |number: usize, phi: f32| {
        let inside = (0.5 - f64::from(phi) / grid.spacing).clamp(0.0, 1.0);
        match solids.any() && inside > 0.0 {
            true => inside * solids.openness(grid.cell(number)),
            false => inside,
        }
    };
    let layer = Grid::layer(grid.size);
    // Layer by layer, so that the sum does not depend on the number of threads.
    let mut sums = vec![0.0_f64; grid.size[2]];
    each(&mut sums, &|k, sum| {
        let layer = k * layer..(k + 1) * layer;
        let cells = layer.clone().zip(&surface.values()[layer]);
        *sum = cells.map(|(cell, &phi)| share(cell, phi)).sum();
    });
    sums.iter().sum::<f64>() * grid.spacing.powi(3)
}
