//! §4.2: full multigrid with a known solution.

use crate::base::error::BoxedError;
use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::hierarchy::GridHierarchy;
use crate::bolz2003::scenes::poisson::Options;
use crate::bolz2003::solves::POISSON;
use crate::bolz2003::solves::poisson::Settings;
use crate::bolz2003::study::reference::Reference;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::solver::{Cycle, Hierarchy, Multigrid, Real, Start};
use crate::stream::Machine;

use super::grids::OF_CYCLES;
use super::problems::poisson;

/// Single precision follows double precision while their errors differ by less than this share.
const FOLLOWS: f64 = 0.1;

/// f and f'' of the solution u(x, y) = f(x) f(y) on the unit square, which is zero on all sides: x (1 - x) exp x.
fn f(x: f64) -> [f64; 2] {
    [x * (1.0 - x) * x.exp(), -x * (x + 3.0) * x.exp()]
}

/// Errors on one size, in the L² norm relative to the solution's: of one pass on the GPU with stored stencils, of one
/// in double precision, and of many cycles in double precision (the discretisation error).
fn errors(machine: &Machine, n: usize, settings: &Settings) -> Result<[f64; 3], BoxedError> {
    let grid = Grid::new(n, n, settings.boundary)?;
    // The coarsest grid has 17² nodes: there one pass begins with the solution.
    let Options { hierarchy: options, cycle, .. } = settings.options;
    let b = right_side(&grid);
    let rounded: Vec<f32> = b.iter().map(|&b| b as f32).collect();
    let gpu = GridHierarchy::stored(machine, &poisson(grid), options)?;
    let u = one_pass(&gpu, cycle, &gpu.grid().upload(&rounded)?)?;
    let single = error(&grid, &gpu.grid().download(&u)?);
    let cpu = Reference::<f64>::new(poisson(grid), &options);
    let mut u = one_pass(&cpu, cycle, &b)?;
    let double = error(&grid, &u);
    let mut multigrid = Multigrid::new(&cpu, cycle)?;
    (0..8).try_for_each(|_| multigrid.cycle(Start::Given, &b, &mut u))?;
    Ok([single, double, error(&grid, &u)])
}

/// h² g; zero at prescribed nodes.
fn right_side(grid: &Grid) -> Vec<f64> {
    let h = 1.0 / grid.cells[0] as f64;
    grid.map(0.0, |i, j| {
        let [x, y] = [i, j].map(|n| f(n as f64 * h));
        -h * h * (x[1] * y[0] + x[0] * y[1])
    })
}

/// ‖u − exact‖ / ‖exact‖.
fn error<T: Real>(grid: &Grid, u: &[T]) -> f64 {
    let h = 1.0 / grid.cells[0] as f64;
    let squares = u.iter().enumerate().map(|(place, u)| {
        let [x, y] = grid.node(place).map(|n| f(n as f64 * h)[0]);
        [(u.to_f64() - x * y).powi(2), (x * y).powi(2)]
    });
    let [error, exact] = squares.fold([0.0, 0.0], |sum, term| [0, 1].map(|k| sum[k] + term[k]));
    (error / exact).sqrt()
}

/// Runs one pass of full multigrid.
fn one_pass<H: Hierarchy>(
    hierarchy: &H,
    cycle: Cycle,
    b: &H::Vector,
) -> Result<H::Vector, H::Error> {
    let mut u = hierarchy.zeros(0)?;
    Multigrid::new(hierarchy, cycle)?.full(1, b, &mut u)?;
    Ok(u)
}

/// Factors by which an error falls from size to size.
fn falls(errors: &[f64]) -> impl Iterator<Item = f64> {
    errors.windows(2).map(|pair| pair[0] / pair[1])
}

/// One pass of full multigrid, on square grids up to `size`.
pub static FULL: Study = Study::measuring(
    "bolz2003/full-multigrid",
    "Error of one pass of full multigrid for a known solution, on square grids up to --size",
    Takes::of(&POISSON, "fmg", OF_CYCLES),
    &[
        ("sizes", "nodes", "sides of the grids"),
        ("single", "", "error on the GPU in the L² norm, relative to the solution's, of each grid"),
        ("double", "", "the same in double precision on the CPU"),
        ("limit", "", "the same after many cycles: the discretisation error"),
        (
            "follows",
            "",
            "sizes up to which single precision follows double precision within a tenth",
        ),
        (
            "falls.{single|double}",
            "",
            "factors by which the error falls from size to size; on the GPU, of those sizes",
        ),
    ],
    measured,
);

fn measured(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: Settings = experiment.typed()?;
    let largest = settings.size.map_or(257, |size| size.columns as usize);
    // Each size has twice the cells of the one before. On 17², the coarsest, only the discretisation error is left.
    let smaller = [33, 65, 129, 257, 513].into_iter().filter(|&n| n < largest);
    let sizes: Vec<usize> = smaller.chain([largest]).collect();
    let all = sizes.iter().map(|&n| errors(place.machine, n, &settings));
    let all: Vec<[f64; 3]> = all.collect::<Result<_, _>>()?;
    let of = |place: usize| all.iter().map(|errors| errors[place]).collect::<Vec<f64>>();
    let [single, double, limit] = [0, 1, 2].map(of);
    let follows = |(single, double): &(&f64, &f64)| (*single / *double - 1.0).abs() <= FOLLOWS;
    let count = single.iter().zip(&double).take_while(follows).count();
    let mut record = Record::new();
    record.each("sizes", sizes.into_iter().map(|n| n as f64));
    record.one("follows", count as f64);
    record.each("falls.single", falls(&single[..count]));
    record.each("falls.double", falls(&double));
    for (name, errors) in [("single", single), ("double", double), ("limit", limit)] {
        record.each(name, errors);
    }
    Ok(record)
}
