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
            let strides = [1, size[0], size[0] * size[1]];
            let first = x.first + strides[1] * y.first + strides[2] * z.first;
            let along_x = |at: usize| x.mix(values[at] as f32, values[at + x.step] as f32);
            let (step_y, step_z) = (strides[1] * y.step, strides[2] * z.step);
            let along_y = |at: usize| y.mix(along_x(at), along_x(at + step_y));
            z.mix(along_y(first), along_y(first + step_z))
        })
    }
}

/// A place between two neighbours on a line.
#[derive(Clone, Copy)]
pub(in crate::batty2003::liquid) struct Between {
    /// The number of the first.
    pub first: usize,
    /// From the first to the second: 1, or 0 where a line has but one point.
    pub step: usize,
    /// How far the place is on the way to the second, from 0 to 1.
    pub share: f32,
}

impl Between {
    /// Of points 0, 1, …; beyond their ends, the end.
    #[inline]
    fn points(place: f32, count: usize) -> Self {
        let last = count - 1;
        let place = place.clamp(0.0, last as f32);
        // What is not negative is rounded down by the cast, without a call.
        let first = (place as u32 as usize).min(last.saturating_sub(1));
        Self {
            first,
            step: usize::from(last > 0),
            share: place - first as f32,
        }
    }

    #[inline]
    fn mix(self, first: f32, second: f32) -> f32 {
        first + (second - first) * self.share
    }

    /// Both points, with their weights.
    #[inline]
    pub fn weights(self) -> [(usize, f32); 2] {
        [
            (self.first, 1.0 - self.share),
            (self.first + self.step, self.share),
        ]
    }
}

/// The faces around a place in cells, of those across an axis, in each direction.
#[inline]
pub(in crate::batty2003::liquid) fn around(
    at: [f32; 3],
    axis: usize,
    size: [usize; 3],
) -> [Between; 3] {
    [0, 1, 2].map(|direction| {
        // Along their axis faces lie between cells, in the other directions in their middle.
        let first = if direction == axis { 0.0 } else { 0.5 };
        Between::points(at[direction] - first, size[direction])
    })
}
