//! The grid: its cells, and numbers at their centres, corners and faces.

use crate::base::parallel::parts;

/// A box of cubic cells, with its first corner at the origin. Cell (i, j, k) has the number
/// i + nx (j + ny k).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// nx, ny, nz
    pub size: [usize; 3],
    /// dx (m)
    pub spacing: f64,
}

impl Grid {
    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.size.iter().product()
    }

    /// The number of a cell.
    pub fn number(&self, [i, j, k]: [usize; 3]) -> usize {
        i + self.size[0] * (j + self.size[1] * k)
    }

    /// The cell with this number.
    pub fn cell(&self, number: usize) -> [usize; 3] {
        let [x, y, _] = self.size;
        [number % x, number / x % y, number / (x * y)]
    }

    /// The centre of a cell (m).
    pub fn centre(&self, cell: [usize; 3]) -> [f64; 3] {
        cell.map(|i| (i as f64 + 0.5) * self.spacing)
    }

    /// The size of the box (m).
    pub fn extent(&self) -> [f64; 3] {
        self.size.map(|n| n as f64 * self.spacing)
    }

    /// Number of faces across an axis in each direction: one more along the axis.
    pub fn faces(&self, axis: usize) -> [usize; 3] {
        let mut size = self.size;
        size[axis] += 1;
        size
    }

    /// The number of the face across an axis that a cell shares with the cell before it.
    pub fn face(&self, axis: usize, [i, j, k]: [usize; 3]) -> usize {
        let [x, y, _] = self.faces(axis);
        i + x * (j + y * k)
    }

    /// The up to six neighbours of a cell (or face), by number, in a grid of this size,
    /// each with its axis.
    pub fn neighbours(size: [usize; 3], number: usize) -> impl Iterator<Item = (usize, usize)> {
        let strides = [1, size[0], Self::layer(size)];
        (0..3).flat_map(move |axis| {
            let place = number / strides[axis] % size[axis];
            let before = (place > 0).then(|| number - strides[axis]);
            let after = (place + 1 < size[axis]).then(|| number + strides[axis]);
            before.into_iter().chain(after).map(move |next| (axis, next))
        })
    }

    /// Number of cells or faces per layer of constant z.
    pub fn layer(size: [usize; 3]) -> usize {
        size[0] * size[1]
    }

    /// Calls `visit` for every value of the cells or faces of a grid of this size, with its
    /// position; on all cores.
    pub fn visit<T: Send>(
        size: [usize; 3],
        values: &mut [T],
        visit: impl Fn([usize; 3], &mut T) + Sync,
    ) {
        parts(values, 8 * size[0], &|first, values| {
            for (row, values) in (first / size[0]..).zip(values.chunks_mut(size[0])) {
                let (j, k) = (row % size[1], row / size[1]);
                for (i, value) in values.iter_mut().enumerate() {
                    visit([i, j, k], value);
                }
            }
        });
    }
}

/// A number for every face of every cell. Faces across an axis are one more along it than cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Faces {
    /// The grid of cells.
    pub grid: Grid,
    /// The faces across each axis, x fastest.
    pub across: [Vec<f64>; 3],
}

impl Faces {
    /// One number on all faces.
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
        [self.component::<0>(at), self.component::<1>(at), self.component::<2>(at)]
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
pub(super) struct Between {
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
        Self { first, step: usize::from(last > 0), share: place - first as f32 }
    }

    #[inline]
    fn mix(self, first: f32, second: f32) -> f32 {
        first + (second - first) * self.share
    }

    /// Both points with their weights.
    #[inline]
    pub fn weights(self) -> [(usize, f32); 2] {
        [(self.first, 1.0 - self.share), (self.first + self.step, self.share)]
    }
}

/// The faces across an axis around a position in units of cells, in each direction. The axis is a
/// compile-time constant, which removes all loops over it: half of a step's time is spent here.
#[inline]
pub(super) fn around<const AXIS: usize>(at: [f32; 3], size: [usize; 3]) -> [Between; 3] {
    // Along their axis faces are between cells, in the other directions at their middle.
    let first = |direction| if direction == AXIS { 0.0 } else { 0.5 };
    let between = |d: usize| Between::points(at[d] - first(d), size[d]);
    [between(0), between(1), between(2)]
}

/// Numbers on the points of a regular grid, trilinear in between; usually a distance, negative
/// inside.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Number of points in each direction.
    pub size: [usize; 3],
    /// Position of the first point (m).
    pub origin: [f64; 3],
    /// Distance between neighbours (m).
    pub spacing: f64,
    /// The value of every point, x fastest.
    pub values: Vec<f32>,
}

impl Field {
    /// Creates a field from the value of every point, point (i, j, k) at i + nx (j + ny k). The first point is at
    /// `origin`, with distance `spacing` between neighbours (m).
    ///
    /// # Panics
    /// If the number of values is not that of the points.
    pub fn new(size: [usize; 3], origin: [f64; 3], spacing: f64, values: Vec<f32>) -> Self {
        assert_eq!(values.len(), size.iter().product::<usize>());
        Self { size, origin, spacing, values }
    }

    /// The value of a point.
    pub fn at(&self, [i, j, k]: [usize; 3]) -> f32 {
        self.values[i + self.size[0] * (j + self.size[1] * k)]
    }

    /// The value at a position (m), trilinear between the eight points around it; outside the grid, that
    /// of the nearest position inside.
    pub fn sample(&self, at: [f64; 3]) -> f64 {
        let (corners, [x, y, z]) = self.cell(at);
        let along_x = |row: usize| mix(corners[row], corners[row + 1], x);
        let along_y = |plane: usize| mix(along_x(plane), along_x(plane + 2), y);
        mix(along_y(0), along_y(4), z)
    }

    /// Gradient of the value at a position: the derivative of [`Field::sample`].
    pub fn gradient(&self, at: [f64; 3]) -> [f64; 3] {
        let (corners, shares) = self.cell(at);
        [0, 1, 2].map(|axis| {
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            // Differences along the four edges of the axis, interpolated between them.
            let rise = |edge: usize| corners[edge | 1 << axis] - corners[edge];
            let between = |edge: usize| mix(rise(edge), rise(edge | 1 << u), shares[u]);
            mix(between(0), between(1 << v), shares[v]) / self.spacing
        })
    }

    /// The values of the eight points around a position, x fastest, and the position between the first
    /// and the last of them in each direction, from 0 to 1.
    fn cell(&self, at: [f64; 3]) -> ([f64; 8], [f64; 3]) {
        let mut share = [0.0; 3];
        let mut ends = [[0; 2]; 3];
        for axis in 0..3 {
            let last = self.size[axis] - 1;
            let place = ((at[axis] - self.origin[axis]) / self.spacing).clamp(0.0, last as f64);
            // NaN becomes the first point.
            let first = (place as usize).min(last.saturating_sub(1));
            share[axis] = place - first as f64;
            ends[axis] = [first, (first + 1).min(last)];
        }
        let corner = |number: usize| {
            let [i, j, k] = [0, 1, 2].map(|axis| ends[axis][number >> axis & 1]);
            f64::from(self.values[i + self.size[0] * (j + self.size[1] * k)])
        };
        (std::array::from_fn(corner), share)
    }
}

fn mix(first: f64, second: f64, share: f64) -> f64 {
    first + (second - first) * share
}
