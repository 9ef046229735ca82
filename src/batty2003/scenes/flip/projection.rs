//! The pressure's system, the effect of its solution on the velocity, and the velocity's extrapolation to where
//! particles need it.
//!
//! A cell is unknown if φ < 0 and at least one face of it is open. With s = Δt/(ρ dx²) and w the open
//! share of a face, towards liquid the diagonal gains w s and the neighbour's entry is −w s; towards
//! air the diagonal gains w s/θ, where θ is the distance of the surface, in cells. The pressure is zero
//! there, which makes the surface of second order (the ghost fluid method; that the paper uses
//! it is inferred from its words on boundary conditions). b = −Σ± w u/dx.
//!
//! The pressure of liquid without contact to air is determined only up to a constant, so that its right-hand side
//! has to sum to zero.

use rayon::prelude::*;

use crate::base::parallel::collect;
use crate::batty2003::system::System;
use crate::mesh::vector::{dot, widen};

use super::grid::{Faces, Field, Grid};
use super::solids::Solids;

/// Smallest distance of the surface, as a share of a cell, which bounds the entries.
const LEAST_THETA: f64 = 0.01;

/// Data of a projection.
#[derive(Debug, Clone, Copy)]
pub struct Projection<'a> {
    /// φ at the cells' centres, negative in the liquid.
    pub level_set: &'a Field,
    /// Open share of each face, 0 on walls.
    pub open: &'a Faces,
    /// Δt (s)
    pub time_step: f64,
    /// ρ (kg/m³)
    pub density: f64,
}

impl Projection<'_> {
    /// The matrix A, with a right-hand side of zeros.
    pub fn matrix(&self) -> System<f64> {
        let grid = self.open.grid;
        let cells = grid.cells();
        let mut rows = vec![(0.0, [0.0; 3]); cells];
        Grid::visit(grid.size, &mut rows, |cell, row| {
            *row = self.row(cell).unwrap_or_default();
        });
        System {
            size: grid.size,
            diagonal: collect(cells, |cell| rows[cell].0),
            upper: [0, 1, 2].map(|axis| collect(cells, |cell| rows[cell].1[axis])),
            right_side: vec![0.0; cells],
        }
    }

    /// b for a velocity and a wanted divergence (1/s) of each cell: the difference of
    /// wanted and present divergence in the non-zero rows of `matrix`.
    pub fn right_side(
        &self,
        matrix: &System<f64>,
        velocity: &Faces,
        wanted: impl Fn([usize; 3]) -> f64 + Sync,
    ) -> Vec<f64> {
        let grid = self.open.grid;
        let mut right_side = vec![0.0; grid.cells()];
        Grid::visit(grid.size, &mut right_side, |cell, b| {
            if matrix.diagonal[grid.number(cell)] != 0.0 {
                *b = wanted(cell) - self.divergence(velocity, cell);
            }
        });
        right_side
    }

    /// A cell's own entry, and those of its neighbours at +x, +y, +z; none unless it is unknown.
    fn row(&self, cell: [usize; 3]) -> Option<(f64, [f64; 3])> {
        let grid = self.open.grid;
        let phi = self.level_set.at(cell);
        if phi >= 0.0 {
            return None;
        }
        let scale = self.time_step / (self.density * grid.spacing * grid.spacing);
        let (mut own, mut upper) = (0.0, [0.0; 3]);
        for (axis, upper) in upper.iter_mut().enumerate() {
            for after in [false, true] {
                let open =
                    if after { self.open.after(axis, cell) } else { self.open.before(axis, cell) };
                // Walls are closed, so an open face has a neighbour.
                if open > 0.0 {
                    let neighbour = self.level_set.at(adjacent(cell, axis, after));
                    let entry = open * scale;
                    if neighbour < 0.0 {
                        own += entry;
                        if after {
                            *upper = -entry;
                        }
                    } else {
                        own += entry / theta(phi, neighbour);
                    }
                }
            }
        }
        (own > 0.0).then_some((own, upper))
    }

    /// Σ± w u/dx of a cell (1/s).
    fn divergence(&self, velocity: &Faces, cell: [usize; 3]) -> f64 {
        let flow = |axis| {
            velocity.after(axis, cell) * self.open.after(axis, cell)
                - velocity.before(axis, cell) * self.open.before(axis, cell)
        };
        (flow(0) + flow(1) + flow(2)) / self.open.grid.spacing
    }

    /// u ← u − Δt/ρ ∇p on the open faces of liquid; marks these with the layer 0, and all others as unknown.
    pub fn project(&self, velocity: &mut Faces, pressure: &[f64]) -> [Vec<u8>; 3] {
        let grid = self.open.grid;
        [0, 1, 2].map(|axis| {
            let size = grid.faces(axis);
            let mut known = vec![0; size.iter().product()];
            let gradient = |after| self.gradient(pressure, axis, after);
            Grid::visit(size, &mut velocity.across[axis], |after, velocity| {
                *velocity -= self.time_step / self.density * gradient(after).unwrap_or(0.0);
            });
            Grid::visit(size, &mut known, |after, known| {
                *known = if gradient(after).is_some() { 0 } else { UNKNOWN };
            });
            known
        })
    }

    /// The pressure gradient (Pa/m) across the face before a cell, if it is open and there is liquid on at
    /// least one side of it.
    fn gradient(&self, pressure: &[f64], axis: usize, after: [usize; 3]) -> Option<f64> {
        let grid = self.open.grid;
        if self.open.before(axis, after) == 0.0 {
            return None;
        }
        let before = adjacent(after, axis, false);
        let (phi_before, phi_after) = (self.level_set.at(before), self.level_set.at(after));
        let pressure = |cell| pressure[grid.number(cell)];
        let rise = match (phi_before < 0.0, phi_after < 0.0) {
            (true, true) => pressure(after) - pressure(before),
            (true, false) => -pressure(before) / theta(phi_before, phi_after),
            (false, true) => pressure(after) / theta(phi_after, phi_before),
            (false, false) => return None,
        };
        Some(rise / grid.spacing)
    }
}

/// Marks the faces of spray as known, so that it keeps its velocity and flies freely: the faces of cells that particles
/// reach (φ < 0), but which are neither liquid for the pressure nor next to it.
pub fn release_spray(known: &mut [Vec<u8>; 3], level_set: &Field, liquid: &Field, grid: Grid) {
    let is_spray = |cell: [usize; 3]| {
        level_set.at(cell) < 0.0
            && liquid.at(cell) >= 0.0
            && Grid::neighbours(grid.size, grid.number(cell))
                .all(|(_, next)| liquid.values[next] >= 0.0)
    };
    for (axis, known) in known.iter_mut().enumerate() {
        Grid::visit(grid.faces(axis), known, |at, known| {
            let after = at[axis] < grid.size[axis] && is_spray(at);
            if *known == UNKNOWN && (after || at[axis] > 0 && is_spray(adjacent(at, axis, false))) {
                *known = 0;
            }
        });
    }
}

/// The cell before or after another.
fn adjacent(mut cell: [usize; 3], axis: usize, after: bool) -> [usize; 3] {
    if after {
        cell[axis] += 1
    } else {
        cell[axis] -= 1
    }
    cell
}

/// The position of the surface between liquid and air, as a share.
fn theta(liquid: f32, air: f32) -> f64 {
    let (liquid, air) = (f64::from(liquid), f64::from(air));
    (liquid / (liquid - air)).max(LEAST_THETA)
}

/// Rows whose sum is less than this share of their diagonal have no contact to air: an open face to air adds at least
/// a hundredth of a full one.
const ROUNDING: f64 = 1e-9;

/// The parts of the liquid without contact to air, as lists of cells. Their rows all sum to zero, so that
/// a constant pressure has no effect and the right-hand side has to sum to zero too.
pub fn closed_pockets(system: &System<f64>) -> Vec<Vec<usize>> {
    let mut seen: Vec<bool> = system.diagonal.iter().map(|&a| a == 0.0).collect();
    let mut pockets = Vec::new();
    for start in 0..system.cells() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut pocket = vec![start];
        let mut closed = true;
        let mut next = 0;
        while let Some(&cell) = pocket.get(next) {
            next += 1;
            let mut sum = system.diagonal[cell];
            for (axis, neighbour) in Grid::neighbours(system.size, cell) {
                let entry = system.upper[axis][cell.min(neighbour)];
                sum += entry;
                if entry != 0.0 && !seen[neighbour] {
                    seen[neighbour] = true;
                    pocket.push(neighbour);
                }
            }
            closed &= sum <= ROUNDING * system.diagonal[cell];
        }
        if closed {
            pockets.push(pocket);
        }
    }
    pockets
}

/// Subtracts each pocket's mean from the right-hand side.
pub fn remove_means(right_side: &mut [f64], pockets: &[Vec<usize>]) {
    for pocket in pockets {
        let sum: f64 = pocket.iter().map(|&cell| right_side[cell]).sum();
        let mean = sum / pocket.len() as f64;
        for &cell in pocket {
            right_side[cell] -= mean;
        }
    }
}

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
                let (sum, count) = before
                    .fold((0.0, 0.0), |(sum, count), (_, next)| (sum + values[next], count + 1.0));
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
        all.filter(|(_, known)| **known == UNKNOWN).for_each(|(value, _)| *value = 0.0);
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
