//! The cells of the box.

use crate::parallel::parts;

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
            before
                .into_iter()
                .chain(after)
                .map(move |next| (axis, next))
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
