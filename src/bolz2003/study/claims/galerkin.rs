//! §4.2: the stencils of coarser grids, compared with the product of the sparse matrices that they represent,
//! A_2h = P A_h S.

use crate::base::error::BoxedError;
use crate::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::level::GridLevel;
use crate::bolz2003::grid::stencil::{OFFSETS, Stencils, neighbour};
use crate::bolz2003::solves::POISSON;
use crate::bolz2003::solves::poisson::Settings;
use crate::claim::worst;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::settings::GridSize;
use crate::solver::{Csr, Hierarchy};

use super::problems::{DIRICHLET, NEUMANN, variable};

/// Composed stencils and the exact product.
pub static GALERKIN: Study = Study::measuring(
    "bolz2003/galerkin",
    "Stencils that are composed on the GPU, compared with the product of sparse matrices in double precision",
    Takes::of(&POISSON, "paper", "size"),
    &[
        ("difference", "", "largest difference, relative to the largest entry of its row"),
        ("beyond", "", "entries outside the nine of a stencil"),
        ("outside", "", "entries that point out of the grid"),
    ],
    composed,
);

fn composed(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let Settings { size, .. } = experiment.typed()?;
    let [columns, rows] = size.map_or([513, 129], GridSize::sides);
    // Every combination of conditions on the four sides.
    let small = (0..16).map(|bits| {
        let kinds = [Boundary::Dirichlet, Boundary::Neumann];
        let sides = [0, 1, 2, 3].map(|side| kinds[bits >> side & 1]);
        Grid::new(33, 17, Sides::new(sides))
    });
    let large = [DIRICHLET, NEUMANN].map(|sides| Grid::new(columns, rows, sides));
    let (mut largest, mut beyond, mut outside) = (0.0, 0, 0);
    for grid in small.chain(large) {
        let (grid, paper) = (grid?, HierarchyOptions::default());
        let gpu = GridHierarchy::stored(place.machine, &variable(grid), paper)?;
        let (mut fine, mut exact) = (grid, variable::<f64>(grid).matrix()?);
        for level in 1..gpu.levels() {
            let composed = downloaded(gpu.level(level))?;
            let s = interpolation(&composed.grid, &fine)?;
            let p = s.transpose().map(|entry| entry / 4.0);
            exact = exact.triple_product(&p, &s)?;
            fine = composed.grid;
            let found = composed.matrix()?;
            for row in 0..found.rows() {
                let scale = worst(exact.row(row).map(|(_, entry)| entry.abs()));
                let differences = (found.row(row))
                    .map(|(column, entry)| (exact.get(row, column) - entry).abs() / scale);
                largest = worst(differences.chain([largest]));
            }
            let is_held = |row, column| found.row(row).any(|(other, _)| other == column);
            let products = exact.triplets();
            beyond += products.filter(|&(i, j, _)| !is_held(i, j)).count();
            outside += entries_outside(&composed);
        }
    }
    let mut record = Record::new();
    record.one("difference", largest);
    record.one("beyond", beyond as f64);
    record.one("outside", outside as f64);
    Ok(record)
}

/// The composed stencils of a level.
fn downloaded(level: &GridLevel) -> Result<Stencils<f64>, BoxedError> {
    let grid = *level.grid().grid();
    let mut entries = vec![[0.0; 9]; grid.nodes()];
    for (d, stored) in level.stored().into_iter().flatten().enumerate() {
        for (entries, entry) in entries.iter_mut().zip(level.grid().download(stored)?) {
            entries[d] = f64::from(entry);
        }
    }
    Ok(Stencils { grid, entries })
}

/// Number of non-zero entries of stencils that point out of the grid.
fn entries_outside(stencils: &Stencils<f64>) -> usize {
    let grid = &stencils.grid;
    let places = (0..grid.nodes()).flat_map(|place| (0..9).map(move |d| (place, d)));
    let is_outside = |&(place, d): &(usize, usize)| {
        let [i, j] = grid.node(place);
        let points_out = neighbour(grid, [i, j], OFFSETS[d]).is_none();
        points_out && grid.is_computed(i, j) && stencils.entries[place][d] != 0.0
    };
    places.filter(is_outside).count()
}

/// S between the unknowns of two grids: a fine node is the mean of the coarse nodes nearest to it.
fn interpolation(coarse: &Grid, fine: &Grid) -> Result<Csr<f64>, BoxedError> {
    // An even node coincides with a coarse one; an odd one is halfway between two.
    let nearest = |n: usize| [n / 2, n.div_ceil(2)];
    let triplets = (0..fine.nodes()).flat_map(|place| {
        let [k, l] = fine.node(place);
        let coarse_nodes = nearest(k).map(|i| nearest(l).map(|j| [i, j]));
        let nodes = coarse_nodes.into_iter().flatten();
        let unknowns =
            nodes.filter(move |&[i, j]| fine.is_computed(k, l) && coarse.is_computed(i, j));
        unknowns.map(move |[i, j]| (place, coarse.place(i, j), 0.25))
    });
    Ok(Csr::from_triplets(fine.nodes(), coarse.nodes(), triplets)?)
}
