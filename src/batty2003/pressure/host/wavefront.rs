//! The order of a triangular solve on several cores.
//!
//! A cell depends on the cells before it in x, y and z. Rows along x are swept in order; rows are combined
//! to blocks of a few in y and z, and blocks whose numbers (J, K) have the same sum, a *wave*, are
//! independent of each other.

use crate::parallel::each;
use crate::solver::Real;

/// Rows of a block in y and in z: enough to outweigh the cost of a wave, and few enough for some thirty blocks in
/// the longest wave of 256 rows.
const SIDE: usize = 8;

/// Direction of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From the first row to the last.
    Forward,
    /// From the last row to the first.
    Backward,
}

/// The rows of a block still to be computed, and the finished ones, with their numbers.
type Block<'a, T> = (Vec<(usize, &'a mut [T])>, Vec<(usize, &'a [T])>);

/// Computes all rows of the cells `x` of a box nx, ny, nz, each from its neighbours before it in y and z,
/// or, backwards, after it: `compute` receives the row's number j + ny k, these neighbours (empty if
/// there are none), and the row.
pub fn sweep<T: Real>(
    [nx, ny, nz]: [usize; 3],
    way: Way,
    x: &mut [T],
    compute: impl Fn(usize, [&[T]; 2], &mut [T]) + Sync,
) {
    let mut rows: Vec<&mut [T]> = x.chunks_mut(nx.max(1)).collect();
    let last = rows.len().saturating_sub(1);
    // Backwards the last row is the first one; everything else is the same.
    if way == Way::Backward {
        rows.reverse();
    }
    let number = |row: usize| match way {
        Way::Forward => row,
        Way::Backward => last - row,
    };
    let mut finished: Vec<&[T]> = vec![&[]; rows.len()];
    let [across, deep] = [ny, nz].map(|rows| rows.div_ceil(SIDE));
    for wave in 0..(across + deep).saturating_sub(1) {
        let numbers = (0..across).filter(|&j| j <= wave && wave - j < deep);
        let blocks = numbers.map(|j| {
            let [y, z] = [(j, ny), (wave - j, nz)]
                .map(|(block, count)| SIDE * block..count.min(SIDE * (block + 1)));
            let rows_of_block = z.flat_map(move |k| y.clone().map(move |j| j + ny * k));
            let taken = rows_of_block.map(|row| (row, std::mem::take(&mut rows[row])));
            (taken.collect(), Vec::new())
        });
        let mut blocks: Vec<Block<'_, T>> = blocks.collect();
        each(&mut blocks, &|_, (block, own)| {
            own.reserve(block.len());
            for (row, cells) in block.drain(..) {
                // From this block, or from blocks of earlier waves.
                let find = |before: usize| {
                    let own = own.iter().rev().find(|(row, _)| *row == before);
                    own.map_or(finished[before], |(_, cells)| *cells)
                };
                let below = (row % ny > 0).then(|| row - 1);
                let neighbours = [below, row.checked_sub(ny)];
                let neighbours = neighbours.map(|before| before.map_or(&[][..], find));
                compute(number(row), neighbours, cells);
                own.push((row, cells));
            }
        });
        for (row, cells) in blocks.into_iter().flat_map(|(_, own)| own) {
            finished[row] = cells;
        }
    }
}
