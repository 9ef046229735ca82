//! Liquid without contact to air: its pressure is determined only up to a constant.

use crate::batty2003::pressure::System;

use super::grid::Grid;

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
