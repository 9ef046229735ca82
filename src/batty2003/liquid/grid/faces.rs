//! Numbers on the faces between cells: velocities, and how much of a face is open.

use super::cells::Grid;

/// A number for every face of every cell. Those across x come first, then y, then z; of each kind
/// there is one more along its axis than there are cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Faces {
    grid: Grid,
    values: [Vec<f64>; 3],
}

impl Faces {
    /// The same number on all faces.
    pub fn constant(grid: Grid, value: f64) -> Self {
        let values = [0, 1, 2].map(|axis| vec![value; grid.faces(axis).iter().product()]);
        Self { grid, values }
    }

    /// The cells.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The faces across an axis, x fastest.
    pub fn across(&self, axis: usize) -> &[f64] {
        &self.values[axis]
    }

    /// The same, to be changed.
    pub fn across_mut(&mut self, axis: usize) -> &mut [f64] {
        &mut self.values[axis]
    }

    /// The value of the face across an axis that a cell shares with the cell before it.
    pub fn before(&self, axis: usize, cell: [usize; 3]) -> f64 {
        self.values[axis][self.grid.face(axis, cell)]
    }

    /// The value of the face that it shares with the cell after it.
    pub fn after(&self, axis: usize, mut cell: [usize; 3]) -> f64 {
        cell[axis] += 1;
        self.before(axis, cell)
    }

    /// The vector at a place in cells, trilinear between faces.
    #[inline]
    pub fn sample(&self, at: [f32; 3]) -> [f32; 3] {
        [0, 1, 2].map(|axis| {
            let size = self.grid.faces(axis);
            let values = &self.values[axis];
            let [x, y, z] = around(at, axis, size);
            let mut sum = 0.0;
            for (k, wz) in z {
                for (j, wy) in y {
                    let row = size[0] * (j + size[1] * k);
                    for (i, wx) in x {
                        sum += wx * wy * wz * values[row + i] as f32;
                    }
                }
            }
            sum
        })
    }
}

/// The faces around a place in cells, of those across an axis: two in each direction, with their
/// weights. Beyond the outermost faces, both are the outermost.
#[inline]
pub(in crate::batty2003::liquid) fn around(
    at: [f32; 3],
    axis: usize,
    size: [usize; 3],
) -> [[(usize, f32); 2]; 3] {
    [0, 1, 2].map(|direction| {
        // Along their axis faces lie between cells, in the other directions in their middle.
        let first = if direction == axis { 0.0 } else { 0.5 };
        let place = at[direction] - first;
        let floor = place.floor();
        let share = place - floor;
        let last = size[direction] - 1;
        // A cast takes what is negative to 0.
        let face = |number: f32| (number as usize).min(last);
        [(face(floor), 1.0 - share), (face(floor + 1.0), share)]
    })
}
