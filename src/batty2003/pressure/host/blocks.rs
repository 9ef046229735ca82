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

    /// Computes all rows of `x` from their neighbours before them: `compute` is given what a row
    /// needs, and its cells.
    pub fn forward<T: Real>(&self, x: &mut [T], compute: impl Fn(Row<'_, T>, &mut [T]) + Sync) {
        for wave in &self.waves {
            let Some(start) = wave.first().map(|block| block.start) else {
                continue;
            };
            let (done, rest) = x.split_at_mut(start * self.size[0]);
            self.of_wave(wave, rest)
                .into_par_iter()
                .for_each(|(block, cells)| {
                    for place in block.clone() {
                        let at = (place - block.start) * self.size[0];
                        let (earlier, rest) = cells.split_at_mut(at);
                        // What lies before: of this block, or of blocks of earlier waves.
                        let value = |neighbour: usize| match neighbour.checked_sub(block.start) {
                            Some(place) => &earlier[place * self.size[0]..][..self.size[0]],
                            None => &done[neighbour * self.size[0]..][..self.size[0]],
                        };
                        let neighbours = self.before(place).map(|n| n.map(|n| (n, value(n))));
                        compute(Row { place, neighbours }, &mut rest[..self.size[0]]);
                    }
                });
        }
    }

    /// The same from the last row to the first, from their neighbours after them.
    pub fn backward<T: Real>(&self, x: &mut [T], compute: impl Fn(Row<'_, T>, &mut [T]) + Sync) {
        for wave in self.waves.iter().rev() {
            let (Some(first), Some(last)) = (wave.first(), wave.last()) else {
                continue;
            };
            let (rest, done) = x.split_at_mut(last.end * self.size[0]);
            let rest = &mut rest[first.start * self.size[0]..];
            self.of_wave(wave, rest)
                .into_par_iter()
                .for_each(|(block, cells)| {
                    for place in block.clone().rev() {
                        let end = (place + 1 - block.start) * self.size[0];
                        let (rest, later) = cells.split_at_mut(end);
                        let value = |neighbour: usize| match neighbour.checked_sub(last.end) {
                            Some(place) => &done[place * self.size[0]..][..self.size[0]],
                            None => {
                                &later[(neighbour - place - 1) * self.size[0]..][..self.size[0]]
                            }
                        };
                        let neighbours = self.after(place).map(|n| n.map(|n| (n, value(n))));
                        compute(Row { place, neighbours }, &mut rest[end - self.size[0]..]);
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

    /// The places of the rows before a place's in y and z.
    fn before(&self, place: usize) -> [Option<usize>; 2] {
        let (row, y) = (self.rows[place], self.size[1]);
        let beside = (row % y > 0).then(|| row - 1);
        [beside, row.checked_sub(y)].map(|row| row.map(|row| self.places[row]))
    }

    /// The places of the rows after a place's in y and z.
    fn after(&self, place: usize) -> [Option<usize>; 2] {
        let (row, y) = (self.rows[place], self.size[1]);
        let beside = (row % y + 1 < y).then_some(row + 1);
        let above = (row + y < self.rows.len()).then_some(row + y);
        [beside, above].map(|row| row.map(|row| self.places[row]))
    }
}
