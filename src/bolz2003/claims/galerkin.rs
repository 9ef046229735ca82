//! §4.2: the stencils of coarser grids, compared with the product of the sparse matrices that they represent,
//! A_2h = P A_h S.

use std::collections::BTreeMap;

use crate::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::stencil::{OFFSETS, neighbour};
use crate::claim::{BoxedError, Checked, Claim, Found, Run, worst};
use crate::solver::{Csr, Hierarchy};

use super::problems::{DIRICHLET, NEUMANN, variable};

/// Largest difference of a composed entry, relative to the largest entry of its row: with σ = 0 entries cancel.
const COMPOSED: f64 = 1e-5;

/// `galerkin`
pub fn galerkin(run: &mut Run<'_>, _: &Claim) -> Checked {
    let usual = run.pick([129, 33], [513, 129]);
    let [columns, rows] = run.given.size.unwrap_or(usual);
    // Every combination of conditions on the four sides.
    let small = (0..16).map(|bits| {
        let side = |side: u32| match bits >> side & 1 {
            0 => Boundary::Dirichlet,
            _ => Boundary::Neumann,
        };
        Grid::new(33, 17, Sides::new([0, 1, 2, 3].map(side)))
    });
    let large = [DIRICHLET, NEUMANN].map(|sides| Grid::new(columns, rows, sides));
    let mut found = Composition::default();
    for grid in small.chain(large) {
        let grid = grid?;
        let paper = HierarchyOptions::paper_2003();
        let gpu = GridHierarchy::stored(run.machine, &variable(grid), paper)?;
        found.compare(&gpu, variable::<f64>(grid).matrix()?)?;
    }
    let Composition {
        largest,
        entries,
        beyond,
        outside,
    } = found;
    Ok(Found::new()
        .at_most(
            "largest difference from double precision",
            largest,
            COMPOSED,
        )
        .equal("entries outside the nine of a stencil", beyond as f64, 0.0)
        .equal("entries that point out of the grid", outside as f64, 0.0)
        .shows("entries compared", entries as f64))
}

/// The differences of composed stencils from the products in double precision.
#[derive(Default)]
struct Composition {
    /// The largest, relative to the largest entry of the row.
    largest: f64,
    /// Entries compared.
    entries: usize,
    /// Entries of the explicit product that do not fit in a stencil of nine.
    beyond: usize,
    /// Non-zero entries of stencils that point out of the grid.
    outside: usize,
}

impl Composition {
    /// Compares all levels below the finest, whose matrix is given.
    fn compare(&mut self, gpu: &GridHierarchy, finest: Csr<f64>) -> Result<(), BoxedError> {
        let mut exact = finest;
        for level in 1..gpu.levels() {
            let [fine, coarse] = [level - 1, level].map(|level| gpu.level(level).grid());
            exact = galerkin_product(&exact, coarse.grid(), fine.grid())?;
            let stored = gpu.level(level).stored().into_iter().flatten();
            let stencils: Vec<_> = stored
                .map(|entry| coarse.download(entry))
                .collect::<Result<_, _>>()?;
            self.compare_level(coarse.grid(), &exact, &stencils);
        }
        Ok(())
    }

    fn compare_level(&mut self, grid: &Grid, exact: &Csr<f64>, stencils: &[Vec<f32>]) {
        for place in 0..grid.nodes() {
            let [i, j] = grid.node(place);
            if !grid.is_computed(i, j) {
                continue;
            }
            let scale = worst(exact.row(place).map(|(_, entry)| entry.abs()));
            let mut found: BTreeMap<usize, f64> = BTreeMap::new();
            for (d, stencil) in OFFSETS.iter().zip(stencils) {
                let entry = f64::from(stencil[place]);
                let Some([k, l]) = neighbour(grid, [i, j], *d) else {
                    self.outside += usize::from(entry != 0.0);
                    continue;
                };
                if grid.is_computed(k, l) {
                    // Both neighbours on a period of two are the same.
                    *found.entry(grid.place(k, l)).or_default() += entry;
                }
            }
            let beyond = exact
                .row(place)
                .filter(|(column, _)| !found.contains_key(column));
            self.beyond += beyond.count();
            self.entries += found.len();
            let differences = (found.iter())
                .map(|(&column, entry)| (exact.get(place, column) - entry).abs() / scale);
            self.largest = worst(differences.chain([self.largest]));
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
