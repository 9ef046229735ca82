//! Matrices that are computed from a name: families, finite elements and bands.

use crate::base::error::BoxedError;
use crate::base::random::SplitMix64;
use crate::geveler2011::{Element, Numbering, Setup, Space};
use crate::mesh::generate::torus;
use crate::mesh::{Connectivity, assembly};
use crate::solver::{Csr, CsrError};

named! {
    /// A kind of matrix, in any size.
    Family {
        /// Seven points on a box of cells.
        Box = "box",
        /// Five points on a square grid.
        Grid = "grid",
        /// The flow of a triangle mesh (bolz2003 §3.1.2) with rows of 5 to 9 entries, its vertices numbered at random.
        Mesh = "mesh",
        /// Quadratic finite elements on the mesh of geveler2011, numbered after Cuthill and McKee.
        Elements = "elements",
        /// The Laplacian of a graph whose vertices prefer neighbours with many edges: few very long rows.
        Graph = "graph",
        /// All entries.
        Dense = "dense",
    }
}

/// Rows of the largest dense matrix: a million entries.
const MOST_DENSE: usize = 1000;
/// Refinements of the elements' mesh with more than a million unknowns.
const MOST_LEVELS: usize = 8;
/// Edges added with each vertex of a graph.
const EDGES: usize = 3;
/// Most rows of a matrix by name.
const MOST_ROWS: usize = 4_000_000;
/// Most diagonals of a band.
const MOST_DIAGONALS: usize = 101;

/// The names of matrices that are computed, for help and messages.
pub const NAMES: &str = "box:ROWS, grid:ROWS, mesh:ROWS, elements:ROWS, graph:ROWS or powerlaw:ROWS, dense:ROWS, fem:q1|q2:levelK, \
                         banded:ROWS:DIAGONALS";

/// A matrix by its name, as in `mesh:10000`. `None` if it does not begin as one.
///
/// # Errors
/// The reason why there is no such matrix.
pub fn computed(name: &str) -> Option<Result<Csr<f64>, BoxedError>> {
    let (kind, size) = name.split_once(':')?;
    let kind = if kind == "powerlaw" { "graph" } else { kind };
    let family = Family::ALL.into_iter().find(|family| family.name() == kind);
    if family.is_none() && !["fem", "banded"].contains(&kind) {
        return None;
    }
    let size: Vec<&str> = size.split(':').collect();
    let number = |text: &str, most: usize| text.parse().ok().filter(|n| (1..=most).contains(n));
    let made = match (family, &size[..]) {
        (Some(Family::Dense), &[rows]) => {
            number(rows, MOST_DENSE).map(|rows| Family::Dense.matrix(rows * rows))
        }
        (Some(family), &[rows]) => number(rows, MOST_ROWS).map(|rows| family.matrix(rows)),
        (None, &[element @ ("q1" | "q2"), level]) if kind == "fem" => {
            let element = if element == "q1" { Element::Q1 } else { Element::Q2 };
            let level = level.strip_prefix("level").and_then(|level| number(level, MOST_LEVELS));
            level.map(|levels| elements(element, levels))
        }
        (None, &[rows, diagonals]) if kind == "banded" => number(rows, MOST_ROWS)
            .zip(number(diagonals, MOST_DIAGONALS))
            .map(|(rows, diagonals)| banded(rows, diagonals / 2)),
        _ => None,
    };
    Some(made.unwrap_or_else(|| {
        let limits = format!("{MOST_ROWS} rows (dense: {MOST_DENSE}), {MOST_LEVELS} levels and {MOST_DIAGONALS} diagonals");
        Err(format!("{name}: there is no such matrix. Choose one of {NAMES}, with at most {limits}.").into())
    }))
}

/// This number of diagonals on either side of the main one; each row sums to one.
fn banded(rows: usize, side: usize) -> Result<Csr<f64>, BoxedError> {
    let of_row = |row: usize| {
        let others =
            (row.saturating_sub(side)..rows.min(row + side + 1)).filter(move |k| *k != row);
        let count = others.clone().count();
        others.map(move |k| (row, k, -1.0)).chain([(row, row, 1.0 + count as f64)])
    };
    Ok(Csr::from_triplets(rows, rows, (0..rows).flat_map(of_row))?)
}

/// Finite elements on the finest of these levels, numbered after Cuthill and McKee.
fn elements(element: Element, levels: usize) -> Result<Csr<f64>, BoxedError> {
    let meshes = Setup::Circle.meshes(levels);
    let finest = &meshes[meshes.len() - 1..];
    let mut levels = Setup::Circle.discretise(finest, element, Numbering::CuthillMcKee)?;
    Ok(levels.matrices.swap_remove(0))
}

impl Family {
    /// A matrix with about this number of rows; for a dense one, with about this number of entries.
    pub fn matrix(self, rows: usize) -> Result<Csr<f64>, BoxedError> {
        let side = |power: f64| (rows as f64).powf(power).round().max(2.0) as usize;
        Ok(match self {
            Self::Box => difference(side(1.0 / 3.0), 3)?,
            Self::Grid => difference(side(0.5), 2)?,
            Self::Mesh => {
                let mesh = torus(rows, 1);
                let connectivity = Connectivity::new(&mesh)?;
                let flow = assembly::System::of_flow(&mesh, &connectivity, 1.0)?.matrix;
                let mut order: Vec<u32> = (0..flow.rows() as u32).collect();
                SplitMix64::new(2).shuffle(&mut order);
                flow.permuted(&order, &order)
            }
            Self::Elements => {
                // Each refinement has four times the unknowns of the previous one: the first with more than
                // half is taken.
                let element = Element::Q2;
                let unknowns = |levels| {
                    let meshes = Setup::Circle.meshes(levels);
                    Space::new(&meshes[levels - 1], element).dimension()
                };
                let levels = (1..MOST_LEVELS).find(|&levels| 2 * unknowns(levels) > rows);
                elements(element, levels.unwrap_or(MOST_LEVELS))?
            }
            Self::Graph => graph(rows)?,
            Self::Dense => {
                let n = side(0.5).min(MOST_DENSE);
                let mut random = SplitMix64::new(3);
                let entries = (0..n * n).map(|k| (k / n, k % n, random.signed()));
                Csr::from_triplets(n, n, entries)?
            }
        })
    }
}

/// I plus the Laplacian of a graph after Barabási and Albert: each new vertex is joined to ends of edges drawn
/// at random, so the number of neighbours follows a power law.
fn graph(rows: usize) -> Result<Csr<f64>, CsrError> {
    let (mut random, mut ends) = (SplitMix64::new(4), vec![0]);
    let mut entries = vec![(0, 0, 1.0)];
    for vertex in 1..rows {
        entries.push((vertex, vertex, 1.0));
        let before = ends.len();
        for _ in 0..EDGES {
            let other = ends[random.below(before)];
            ends.extend([vertex, other]);
            for (a, b) in [(vertex, other), (other, vertex)] {
                entries.extend([(a, b, -1.0), (a, a, 1.0)]);
            }
        }
    }
    Csr::from_triplets(rows, rows, entries)
}

/// The five-point stencil on n² cells or the seven-point stencil on n³ cells, with zeros outside, as a matrix.
pub fn difference(n: usize, dimensions: u32) -> Result<Csr<f64>, BoxedError> {
    let cells = n.pow(dimensions);
    let entries = (0..cells).flat_map(|cell| {
        let neighbours = (0..dimensions).flat_map(move |axis| {
            let stride = n.pow(axis);
            let place = cell / stride % n;
            let before = (place > 0).then(|| cell - stride);
            let after = (place + 1 < n).then(|| cell + stride);
            [before, after].into_iter().flatten()
        });
        let neighbours = neighbours.map(move |other| (cell, other, -1.0));
        neighbours.chain([(cell, cell, f64::from(2 * dimensions))])
    });
    Ok(Csr::from_triplets(cells, cells, entries)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_the_rows_asked_for_and_the_lengths_that_they_are_named_for()
    -> Result<(), BoxedError> {
        let lengths = |matrix: &Csr<f64>| {
            let lengths = (0..matrix.rows()).map(|row| matrix.row_length(row));
            [lengths.clone().min(), lengths.max()].map(Option::unwrap_or_default)
        };
        for (family, expected) in [
            (Family::Box, [4, 7]),
            (Family::Grid, [3, 5]),
            (Family::Mesh, [5, 9]),
            (Family::Dense, [32, 32]),
        ] {
            let matrix = family.matrix(1000)?;
            let rows = if family == Family::Dense { 32.0 } else { 1000.0 };
            assert!((matrix.rows() as f64 / rows - 1.0).abs() < 0.05, "{}", family.name());
            assert_eq!(lengths(&matrix), expected, "{}", family.name());
        }
        // Inner nodes of quadratic elements have at least 9 (in a cell), 15 (on an edge) or 25 (at a vertex)
        // neighbours.
        assert!(lengths(&Family::Elements.matrix(1000)?)[1] >= 25);
        Ok(())
    }

    #[test]
    fn a_graph_s_matrix_is_one_plus_a_laplacian_with_few_long_rows() -> Result<(), BoxedError> {
        let graph = Family::Graph.matrix(3000)?;
        for row in 0..graph.rows() {
            let sum: f64 = graph.row(row).map(|(_, value)| value).sum();
            assert_eq!(sum, 1.0);
        }
        assert_eq!(graph.first_asymmetry(0.0), None);
        let mut lengths: Vec<usize> = (0..graph.rows()).map(|row| graph.row_length(row)).collect();
        lengths.sort_unstable();
        assert!(lengths[1500] <= 6 && lengths[2999] >= 50, "{:?}", &lengths[2990..]);
        Ok(())
    }

    #[test]
    fn matrices_have_names_with_sizes_within_limits() {
        let size =
            |name: &str| computed(name).map(|made| made.ok().map(|a| (a.rows(), a.entries())));
        assert_eq!(size("banded:100:5"), Some(Some((100, 494))));
        assert_eq!(size("grid:100"), Some(Some((100, 460))));
        assert_eq!(size("dense:30"), Some(Some((30, 900))));
        assert_eq!(size("powerlaw:50"), size("graph:50"));
        assert!(
            size("fem:q2:level2").unwrap().unwrap().0 > size("fem:q1:level2").unwrap().unwrap().0
        );
        for refused in
            ["mesh:", "grid:0", "fem:q3:level2", "fem:q2:level99", "banded:9", "dense:1001"]
        {
            assert_eq!(size(refused), Some(None), "{refused}");
        }
        assert!([size("airfoil"), size("C:\\a.mtx"), size("ring:7")].iter().all(Option::is_none));
    }
}
