//! Inflow through walls and solids that an inflow touches; otherwise no liquid could follow there.

use super::grid::{Faces, Grid};
use super::scene::Inflow;
use super::solids::Solids;

/// The flow through the closed part of each face, (1 − w) v with the inflow's velocity v.
#[derive(Debug)]
pub struct Entering(Faces);

impl Entering {
    /// Creates it for these inflows; none if there are no inflows.
    pub fn new<'a>(solids: &Solids, inflows: impl IntoIterator<Item = &'a Inflow>) -> Option<Self> {
        let grid = solids.open.grid;
        let mut entering = None;
        for inflow in inflows {
            let faces = entering.get_or_insert_with(|| Faces::constant(grid, 0.0));
            for number in 0..grid.cells() {
                let cell = grid.cell(number);
                if inflow.shape.distance(grid.centre(cell)) < 0.0 {
                    set_around(faces, cell, solids, inflow.velocity);
                }
            }
        }
        entering.map(Self)
    }

    /// Its contribution to a cell's divergence (1/s).
    pub fn divergence(&self, cell: [usize; 3]) -> f64 {
        let flow = |axis| self.0.after(axis, cell) - self.0.before(axis, cell);
        (flow(0) + flow(1) + flow(2)) / self.0.grid.spacing
    }

    /// Gives closed faces the velocity of the inflow through them.
    pub fn constrain(&self, velocity: &mut Faces, solids: &Solids) {
        for axis in 0..3 {
            let faces = velocity.across[axis].iter_mut().zip(&self.0.across[axis]);
            for ((u, &entering), &open) in faces.zip(&solids.open.across[axis]) {
                if open == 0.0 && entering != 0.0 {
                    *u = entering;
                }
            }
        }
    }
}

/// Sets the flow through the six faces of a cell.
fn set_around(faces: &mut Faces, cell: [usize; 3], solids: &Solids, velocity: [f64; 3]) {
    let grid: Grid = faces.grid;
    for (axis, speed) in velocity.into_iter().enumerate() {
        for after in [0, 1] {
            let mut place = cell;
            place[axis] += after;
            let closed = 1.0 - solids.open.before(axis, place);
            faces.across[axis][grid.face(axis, place)] = closed * speed;
        }
    }
}
