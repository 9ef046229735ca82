//! Which cells are swept: of every row along x, those from the first to the last in the liquid.

use std::ops::Range;

use rayon::prelude::*;

use crate::batty2003::pressure::System;
use crate::solver::Real;

/// A range of cells in each row of a box.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    size: [usize; 3],
    /// Of row j + ny k, places in it.
    ranges: Vec<Range<usize>>,
}

impl Rows {
    /// The whole box, as the paper has it.
    pub fn whole(size: [usize; 3]) -> Self {
        let ranges = vec![0..size[0]; size[1] * size[2]];
        Self { size, ranges }
    }

    /// The liquid, and whatever lies between liquid of one row.
    pub fn of_liquid<T: Real>(system: &System<T>) -> Self {
        let range = |row: &[T]| {
            let unknown = |&a: &T| a != T::ZERO;
            let first = row.iter().position(unknown).unwrap_or(0);
            let end = row.iter().rposition(unknown).map_or(0, |last| last + 1);
            first..end
        };
        let rows = system.diagonal.chunks(system.size[0].max(1));
        Self {
            size: system.size,
            ranges: rows.map(range).collect(),
        }
    }

    /// nx, ny, nz
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// How many cells the box has.
    pub fn cells(&self) -> usize {
        self.size.iter().product()
    }

    /// The range of row j + ny k.
    pub fn range(&self, row: usize) -> Range<usize> {
        self.ranges[row].clone()
    }

    /// How many cells a layer of one z has.
    pub fn layer(&self) -> usize {
        self.size[0] * self.size[1]
    }

    /// Calls `sweep` for every row that is not empty, with its cells of `y` and their numbers, and
    /// adds up what it returns. The order of the sum does not depend on the number of threads.
    pub fn sweep<T: Real>(
        &self,
        y: &mut [T],
        sweep: impl Fn(&mut [T], Range<usize>) -> T + Sync,
    ) -> f64 {
        let layers = y.par_chunks_mut(self.layer()).enumerate();
        let sums = layers.map(|(k, y)| {
            let first = self.layer() * k;
            let row = |cells: Range<usize>| {
                sweep(&mut y[cells.start - first..cells.end - first], cells).to_f64()
            };
            self.of_layer(k).map(row).sum::<f64>()
        });
        sums.collect::<Vec<f64>>().iter().sum()
    }

    /// The sum of what `term` returns for the cells of every row that is not empty, in the order of
    /// [`Rows::sweep`].
    pub fn sum<T: Real>(&self, term: impl Fn(Range<usize>) -> T + Sync) -> f64 {
        let layers = (0..self.size[2]).into_par_iter();
        let sums = layers.map(|k| {
            self.of_layer(k)
                .map(|cells| term(cells).to_f64())
                .sum::<f64>()
        });
        sums.collect::<Vec<f64>>().iter().sum()
    }

    /// The numbers of the cells of each row of a layer that is not empty.
    fn of_layer(&self, k: usize) -> impl Iterator<Item = Range<usize>> {
        let [x, y, _] = self.size;
        let rows = y * k..y * (k + 1);
        let cells = rows.map(move |row| {
            let range = &self.ranges[row];
            x * row + range.start..x * row + range.end
        });
        cells.filter(|cells| !cells.is_empty())
    }
}
