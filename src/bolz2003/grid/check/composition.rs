//! Differences between stencils composed on the GPU and the product of the sparse matrices that they represent,
//! A_2h = P A_h S (Bolz et al. 2003, section 4.2).

use std::collections::BTreeMap;

use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::hierarchy::GridHierarchy;
use crate::bolz2003::grid::stencil::{OFFSETS, neighbour};
use crate::claim::BoxedError;
use crate::solver::{Csr, Hierarchy};

/// The differences of composed stencils from the products in double precision.
#[derive(Clone, Debug, Default)]
pub struct Composition {
    /// The largest by level (from 1) and by position of the node: inside, on a side, in a corner.
    /// Relative to the largest entry of the row, since entries cancel if nothing is added to the
    /// diagonal.
    pub by_level: Vec<[f64; 3]>,
    /// Entries compared.
    pub entries: usize,
    /// Entries of the explicit product that do not fit in a stencil of nine.
    pub beyond: usize,
    /// Non-zero entries of stencils that point out of the grid.
    pub outside: usize,
}

impl Composition {
    /// Compares all levels below the finest, whose matrix is given.
    pub fn compare(&mut self, gpu: &GridHierarchy, finest: Csr<f64>) -> Result<(), BoxedError> {
        let mut exact = finest;
        for level in 1..gpu.levels() {
            let [fine, coarse] = [level - 1, level].map(|level| gpu.level(level).grid());
            exact = galerkin_product(&exact, coarse.grid(), fine.grid())?;
            let stored = gpu.level(level).stored().into_iter().flatten();
            let stencils: Vec<_> = stored
                .map(|entry| coarse.download(entry))
                .collect::<Result<_, _>>()?;
            self.compare_level(level, coarse.grid(), &exact, &stencils);
        }
        Ok(())
    }

    /// The largest difference.
    pub fn largest(&self) -> f64 {
        let all = self.by_level.as_flattened().iter();
        all.copied().fold(0.0, f64::max)
    }

    fn compare_level(
        &mut self,
        level: usize,
        grid: &Grid,
        exact: &Csr<f64>,
        stencils: &[Vec<f32>],
    ) {
        if self.by_level.len() < level {
            self.by_level.resize(level, [0.0; 3]);
        }
        for place in 0..grid.nodes() {
            let [i, j] = grid.node(place);
            if !grid.is_computed(i, j) {
                continue;
            }
            let scale = exact.row(place).map(|(_, entry)| entry.abs());
            let scale = scale.fold(f64::MIN_POSITIVE, f64::max);
            let ends = |n: usize, cells: usize| usize::from(n == 0 || n == cells);
            let kind = ends(i, grid.cells[0]) + ends(j, grid.cells[1]);
            let mut entries: BTreeMap<usize, f64> = BTreeMap::new();
            for (d, stencil) in OFFSETS.iter().zip(stencils) {
                let found = f64::from(stencil[place]);
                let Some([k, l]) = neighbour(grid, [i, j], *d) else {
                    self.outside += usize::from(found != 0.0);
                    continue;
                };
                if grid.is_computed(k, l) {
                    // Both neighbours on a period of two are the same.
                    *entries.entry(grid.place(k, l)).or_default() += found;
                }
            }
            let mut matched = 0;
            for (neighbour, found) in entries {
                matched += exact.row(place).filter(|(n, _)| *n == neighbour).count();
                let difference = (exact.get(place, neighbour) - found).abs() / scale;
                let largest = &mut self.by_level[level - 1][kind];
                // NaN is kept.
                *largest = if difference <= *largest {
                    *largest
                } else {
                    difference
                };
                self.entries += 1;
            }
            self.beyond += exact.row(place).count() - matched;
        }
    }
}

/// P A S with P = 1/4 Sᵀ.
fn galerkin_product(a: &Csr<f64>, coarse: &Grid, fine: &Grid) -> Result<Csr<f64>, BoxedError> {
    let s = interpolation(coarse, fine)?;
    let p = s.transpose().map(|entry| entry / 4.0);
    Ok(a.triple_product(&p, &s)?)
}

/// S between the unknowns of two grids: a fine node is the mean of the coarse nodes nearest to it.
fn interpolation(coarse: &Grid, fine: &Grid) -> Result<Csr<f64>, BoxedError> {
    // An even node coincides with a coarse one; an odd one is halfway between two.
    let nearest = |n: usize| [n / 2, n.div_ceil(2)];
    let mut triplets = Vec::new();
    for place in 0..fine.nodes() {
        let [k, l] = fine.node(place);
        if !fine.is_computed(k, l) {
            continue;
        }
        for i in nearest(k) {
            for j in nearest(l) {
                if let Some([i, j]) = neighbour(coarse, [i, j], [0, 0])
                    && coarse.is_computed(i, j)
                {
                    triplets.push((place, coarse.place(i, j), 0.25));
                }
            }
        }
    }
    Ok(Csr::from_triplets(fine.nodes(), coarse.nodes(), triplets)?)
}
