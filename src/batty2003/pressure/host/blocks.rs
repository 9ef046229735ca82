//! The order of a triangular solve on several cores.
//!
//! A cell needs the cells before it in x, y and z. Rows along x are swept as they lie; rows are put
//! together to blocks of a few in y and z, and blocks whose numbers (J, K) have one sum, a *wave*, do
//! not need each other. Vectors are kept wave by wave, so that all that is finished is one piece
//! of memory, which everybody may read, and what is being written are other pieces.

use std::ops::Range;

use rayon::prelude::*;

use crate::solver::Real;

/// Rows of a block in y and in z: enough to outweigh what a wave costs, and for some thirty blocks in
/// the longest wave of 256 rows.
const SIDE: usize = 8;

/// The rows of a box, wave by wave and block by block.
#[derive(Debug, Clone, PartialEq)]
pub struct Blocks {
    /// nx, ny, nz
    size: [usize; 3],
    /// In their order: j + ny k of each.
    rows: Vec<usize>,
    /// Where in that order row j + ny k is.
    places: Vec<usize>,
    /// Of each wave, the places of its blocks' rows.
    waves: Vec<Vec<Range<usize>>>,
}

/// Where a sweep goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From the first row to the last.
    Forward,
    /// From the last row to the first.
    Backward,
}

/// A row that is to be computed, and what it needs.
pub struct Row<'a, T> {
    /// Where it is in the order.
    pub place: usize,
    /// The places of its neighbours in y and z, if it has any, and their values.
    pub neighbours: [Option<(usize, &'a [T])>; 2],
}

impl Blocks {
    /// Of a box.
    pub fn new(size: [usize; 3]) -> Self {
        let [_, y, z] = size;
        let (across, deep) = (y.div_ceil(SIDE), z.div_ceil(SIDE));
        let mut blocks = Self {
            size,
            rows: Vec::with_capacity(y * z),
            places: vec![0; y * z],
            waves: Vec::new(),
        };
        for wave in 0..(across + deep).saturating_sub(1) {
            let numbers = (0..across).filter(|&j| j <= wave && wave - j < deep);
            let wave = numbers.map(|j| blocks.append(j, wave - j)).collect();
            blocks.waves.push(wave);
        }
        blocks
    }

    /// Appends the rows of a block, and returns their places.
    fn append(&mut self, block_y: usize, block_z: usize) -> Range<usize> {
        let [_, y, z] = self.size;
        let start = self.rows.len();
        for k in SIDE * block_z..z.min(SIDE * (block_z + 1)) {
            for j in SIDE * block_y..y.min(SIDE * (block_y + 1)) {
                self.places[j + y * k] = self.rows.len();
                self.rows.push(j + y * k);
            }
        }
        start..self.rows.len()
    }

    /// The row j + ny k of a place.
    pub fn row(&self, place: usize) -> usize {
        self.rows[place]
    }

    /// The place of row j + ny k.
    pub fn place(&self, row: usize) -> usize {
        self.places[row]
    }

    /// Computes all rows of `x`, each from its neighbours before it, or, backwards, after it: `compute`
    /// is given what a row needs, and its cells.
    pub fn sweep<T: Real>(
        &self,
        way: Way,
        x: &mut [T],
        compute: impl Fn(Row<'_, T>, &mut [T]) + Sync,
    ) {
        let n = self.size[0];
        for number in 0..self.waves.len() {
            let wave = match way {
                Way::Forward => &self.waves[number],
                Way::Backward => &self.waves[self.waves.len() - 1 - number],
            };
            let (Some(first), Some(last)) = (wave.first(), wave.last()) else {
                continue;
            };
            let (before, rest) = x.split_at_mut(first.start * n);
            let (cells, after) = rest.split_at_mut((last.end - first.start) * n);
            // What other waves have finished, and the place at which that starts.
            let finished = match way {
                Way::Forward => (&*before, 0),
                Way::Backward => (&*after, last.end),
            };
            let blocks = self.of_wave(wave, cells).into_par_iter();
            blocks.for_each(|(block, cells)| {
                for step in 0..block.len() {
                    let place = match way {
                        Way::Forward => block.start + step,
                        Way::Backward => block.end - 1 - step,
                    };
                    let (before, rest) = cells.split_at_mut((place - block.start) * n);
                    let (row, after) = rest.split_at_mut(n);
                    let own = match way {
                        Way::Forward => (&*before, block.start),
                        Way::Backward => (&*after, place + 1),
                    };
                    let neighbours = self.neighbours(way, place).map(|neighbour| {
                        let place = neighbour?;
                        let is_own = block.contains(&place);
                        let (values, first) = if is_own { own } else { finished };
                        Some((place, &values[(place - first) * n..][..n]))
                    });
                    compute(Row { place, neighbours }, row);
                }
            });
        }
    }

    /// The cells of each block of a wave, which are the first of `cells`.
    fn of_wave<'a, T>(
        &self,
        wave: &[Range<usize>],
        mut cells: &'a mut [T],
    ) -> Vec<(Range<usize>, &'a mut [T])> {
        let piece = |block: &Range<usize>| {
            let (piece, rest) = std::mem::take(&mut cells).split_at_mut(block.len() * self.size[0]);
            cells = rest;
            (block.clone(), piece)
        };
        wave.iter().map(piece).collect()
    }

    /// The places of the rows before or after a place's in y and z.
    fn neighbours(&self, way: Way, place: usize) -> [Option<usize>; 2] {
        let (row, y) = (self.rows[place], self.size[1]);
        let rows = match way {
            Way::Forward => [(row % y > 0).then(|| row - 1), row.checked_sub(y)],
            Way::Backward => [
                (row % y + 1 < y).then_some(row + 1),
                (row + y < self.rows.len()).then_some(row + y),
            ],
        };
        rows.map(|row| row.map(|row| self.places[row]))
    }
}
