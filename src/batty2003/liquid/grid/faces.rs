//! Numbers on the faces between cells: velocities, and open shares.

use super::cells::Grid;

/// A number for every face of every cell. Faces across an axis are one more along it than cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Faces {
    /// The grid of cells.
    pub grid: Grid,
    /// The faces across each axis, x fastest.
    pub across: [Vec<f64>; 3],
}

impl Faces {
    /// The same number on all faces.
    pub fn constant(grid: Grid, value: f64) -> Self {
        let across = [0, 1, 2].map(|axis| vec![value; grid.faces(axis).iter().product()]);
        Self { grid, across }
    }

    /// The value of the face across an axis between a cell and the previous one.
    pub fn before(&self, axis: usize, cell: [usize; 3]) -> f64 {
        self.across[axis][self.grid.face(axis, cell)]
    }

    /// The value of the face between it and the next cell.
    pub fn after(&self, axis: usize, mut cell: [usize; 3]) -> f64 {
        cell[axis] += 1;
        self.before(axis, cell)
    }

    /// The vector at a position in units of cells, trilinear between faces.
    #[inline]
    pub fn sample(&self, at: [f32; 3]) -> [f32; 3] {
        [
            self.component::<0>(at),
            self.component::<1>(at),
            self.component::<2>(at),
        ]
    }

    #[inline]
    fn component<const AXIS: usize>(&self, at: [f32; 3]) -> f32 {
        let size = self.grid.faces(AXIS);
        let values = &self.across[AXIS][..];
        let [x, y, z] = around::<AXIS>(at, size);
        let (step_y, step_z) = (size[0] * y.step, Grid::layer(size) * z.step);
        let first = x.first + size[0] * y.first + Grid::layer(size) * z.first;
        let along_x = |at: usize| x.mix(values[at] as f32, values[at + x.step] as f32);
        let along_y = |at: usize| y.mix(along_x(at), along_x(at + step_y));
        z.mix(along_y(first), along_y(first + step_z))
    }
}

/// A position between two neighbours on a line.
#[derive(Clone, Copy)]
pub(in crate::batty2003::liquid) struct Between {
    /// Index of the first.
    pub first: usize,
    /// Distance to the second: 1, or 0 if a line has only one point.
    pub step: usize,
    /// Position between the two, from 0 to 1.
    pub share: f32,
}

impl Between {
    /// Finds the position among points 0, 1, …; outside their ends, the end.
    #[inline]
    fn points(place: f32, count: usize) -> Self {
        let last = count - 1;
        let place = place.clamp(0.0, last as f32);
        // For a non-negative number the cast rounds down without a call.
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

    /// Both points with their weights.
    #[inline]
    pub fn weights(self) -> [(usize, f32); 2] {
        [
            (self.first, 1.0 - self.share),
            (self.first + self.step, self.share),
        ]
    }
}

/// The faces across an axis around a position in units of cells, in each direction. The axis is a
/// compile-time constant, which removes all loops over it: half of a step's time is spent here.
#[inline]
pub(in crate::batty2003::liquid) fn around<const AXIS: usize>(
    at: [f32; 3],
    size: [usize; 3],
) -> [Between; 3] {
    // Along their axis faces are between cells, in the other directions at their middle.
    let first = |direction| if direction == AXIS { 0.0 } else { 0.5 };
    let between = |d: usize| Between::points(at[d] - first(d), size[d]);
    [between(0), between(1), between(2)]
}
