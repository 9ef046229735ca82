//! §4.2: the coarser grids' stencils, composed on the GPU, against the product of sparse matrices.

use crate::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::level::GridLevel;
use crate::bolz2003::grid::stencil::OFFSETS;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::solver::{Csr, Hierarchy};
use crate::stream::Machine;

use super::grid_problem::{download, size, variable};

const CLAIM: Claim = Claim {
    id: "bolz2003/galerkin",
    class: Class::Tolerance,
    section: "§4.2",
    statement: "The coarser grid's stencils A_2h = P A_h S are composed on the GPU, boundaries \
                included, where an access beyond the grid or the stencil S counts as zero.",
    paper: "A_2h = P A_h S",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/composition-of-stencils",
    section: "§4.2",
    title: "The coarser stencils against the product of sparse matrices",
    claims: &[CLAIM],
    run,
};

/// The largest difference allowed, relative to the largest entry of the row.
const TOLERANCE: f64 = 1e-5;

/// A node inside, on a side, in a corner.
const PLACES: [&str; 3] = ["inside", "on a side", "in a corner"];

/// The largest differences by level (from 1) and kind of node.
#[derive(Default)]
struct Differences {
    by_level: Vec<[f64; 3]>,
    entries: usize,
    /// Entries of the explicit product that no stencil of nine has a place for.
    beyond: usize,
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let mut found = Differences::default();
    for sides in all_sides() {
        found.compare(machine, Grid::new(33, 17, sides)?)?;
    }
    let (columns, rows) = if options.quick { (129, 33) } else { (513, 129) };
    for side in [Boundary::Dirichlet, Boundary::Neumann] {
        found.compare(machine, Grid::new(columns, rows, Sides::all(side))?)?;
    }
    let all = found.by_level.as_flattened().iter();
    let largest = all.copied().fold(0.0, f64::max);
    let measured = format!("within {largest:.1e} of the product in double precision");
    let why = format!(
        "{} entries at every node of every level below 33×17 with each of the 16 combinations of \
         Dirichlet and Neumann sides, and below {}; a and σ vary from node to node. Relative to the \
         row's largest entry, since with σ = 0 and elsewhere entries cancel. The explicit product \
         has {} entries beyond the nine of a stencil.",
        found.entries,
        size(columns, rows),
        found.beyond,
    );
    let finding = match largest <= TOLERANCE && found.beyond == 0 {
        true => CLAIM.reproduced(measured).because(why),
        false => CLAIM.not_reproduced(measured, why),
    };
    Ok(vec![finding.with_figure(
        "bolz2003/galerkin.png",
        "Largest difference of the stencils composed on the GPU from P A S as a product of sparse \
         matrices in double precision, by level and by where the node lies. The bound is 1e-5.",
        draw(&found)?,
    )])
}

/// Every combination of conditions on the four sides.
fn all_sides() -> impl Iterator<Item = Sides> {
    (0..16).map(|bits| {
        let side = |bit| match bits >> bit & 1 {
            0 => Boundary::Dirichlet,
            _ => Boundary::Neumann,
        };
        Sides {
            left: side(0),
            right: side(1),
            bottom: side(2),
            top: side(3),
        }
    })
}

impl Differences {
    /// Compares all levels below this grid.
    fn compare(&mut self, machine: &Machine, grid: Grid) -> Result<(), BoxedError> {
        let options = HierarchyOptions::paper();
        let gpu = GridHierarchy::stored(machine, &variable(grid), options)?;
        let mut exact = variable::<f64>(grid).matrix()?;
        for level in 1..gpu.levels() {
            let [fine, coarse] = [level - 1, level].map(|level| *gpu.level(level).grid().grid());
            let s = interpolation(&coarse, &fine)?;
            exact = triple_product(&exact, &s)?;
            let stencils = read_stencils(gpu.level(level))?;
            self.compare_level(level, &coarse, &exact, &stencils);
        }
        Ok(())
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
            let [i, j] = [place % grid.columns(), place / grid.columns()];
            if !grid.is_computed(i, j) {
                continue;
            }
            let scale = exact.row(place).map(|(_, entry)| entry.abs());
            let scale = scale.fold(f64::MIN_POSITIVE, f64::max);
            let ends = |n: usize, cells: usize| usize::from(n == 0 || n == cells);
            let kind = ends(i, grid.cells[0]) + ends(j, grid.cells[1]);
            let mut matched = 0;
            for (d, stencil) in OFFSETS.iter().zip(stencils) {
                let Some(neighbour) = unknown(grid, [i, j], *d) else {
                    continue;
                };
                matched += exact.row(place).filter(|(n, _)| *n == neighbour).count();
                let difference = exact.get(place, neighbour) - f64::from(stencil[place]);
                let largest = &mut self.by_level[level - 1][kind];
                *largest = largest.max(difference.abs() / scale);
                self.entries += 1;
            }
            self.beyond += exact.row(place).count() - matched;
        }
    }
}

/// The place of a node's neighbour, if it is an unknown.
fn unknown(grid: &Grid, [i, j]: [usize; 2], [x, y]: [isize; 2]) -> Option<usize> {
    let (k, l) = (i.checked_add_signed(x)?, j.checked_add_signed(y)?);
    let inside = k <= grid.cells[0] && l <= grid.cells[1];
    (inside && grid.is_computed(k, l)).then(|| grid.place(k, l))
}

/// S between the unknowns of two grids: a fine node is the mean of the coarse nodes nearest to it.
fn interpolation(coarse: &Grid, fine: &Grid) -> Result<Csr<f64>, BoxedError> {
    // An even node lies on a coarse one; an odd one halfway between two.
    let nearest = |n: usize| [n / 2, n.div_ceil(2)];
    let mut triplets = Vec::new();
    for place in 0..fine.nodes() {
        let (k, l) = (place % fine.columns(), place / fine.columns());
        if !fine.is_computed(k, l) {
            continue;
        }
        for i in nearest(k) {
            for j in nearest(l) {
                if coarse.is_computed(i, j) {
                    triplets.push((place, coarse.place(i, j), 0.25));
                }
            }
        }
    }
    Ok(Csr::from_triplets(fine.nodes(), coarse.nodes(), triplets)?)
}

/// P A S = 1/4 Sᵀ A S, entry by entry.
fn triple_product(a: &Csr<f64>, s: &Csr<f64>) -> Result<Csr<f64>, BoxedError> {
    let triplets = a.triplets().flat_map(|(k, l, entry)| {
        s.row(k).flat_map(move |(i, left)| {
            s.row(l)
                .map(move |(j, right)| (i, j, 0.25 * left * entry * right))
        })
    });
    Ok(Csr::from_triplets(s.columns(), s.columns(), triplets)?)
}

/// A^d of every node, read back from the GPU.
fn read_stencils(level: &GridLevel) -> Result<Vec<Vec<f32>>, BoxedError> {
    let entries = level.stored().into_iter().flatten();
    entries.map(|entry| download(level.grid(), entry)).collect()
}

fn draw(found: &Differences) -> Result<Vec<u8>, BoxedError> {
    let series = PLACES.iter().enumerate().map(|(kind, name)| {
        let levels = found.by_level.iter().enumerate();
        let points = levels.map(|(level, largest)| ((level + 1) as f64, largest[kind]));
        Series::new(*name, Style::LinePoints, points)
    });
    let last = found.by_level.len() as f64;
    let bound = Series::new("bound", Style::Line, [(1.0, TOLERANCE), (last, TOLERANCE)]);
    Ok(chart(&Chart {
        title: "Coarser stencils: the GPU against double precision".into(),
        x: Axis::linear("level (0 is the finest)").with_range(0.5, last + 0.5),
        y: Axis::logarithmic("largest difference, relative to the row"),
        series: series.chain([bound]).collect(),
        marks: Vec::new(),
    })?)
}
