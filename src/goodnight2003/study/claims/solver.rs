//! §5.1: the same algorithm on the CPU.

use crate::base::error::BoxedError;
use crate::experiment::{Record, Study, Takes};
use crate::goodnight2003::scenes::heat::Stated;
use crate::goodnight2003::solves::{HEAT, heat};
use crate::goodnight2003::study::manufactured::Coordinates::{self, Conductive, Polar, Square};
use crate::goodnight2003::{Error, Grid, Problem, Reference, Settings, Solver};
use crate::solver::Real;
use crate::stream::Machine;

/// Coordinates and sides of several kinds.
#[rustfmt::skip]
const PROBLEMS: [(Option<Coordinates>, &str); 10] = [
    (None, "dirichlet"),
    (None, "neumann"),
    (None, "mixed"),
    (None, "dirichlet,neumann,mixed,neumann"),
    (None, "periodic,periodic,dirichlet,mixed"),
    (None, "neumann,mixed,periodic,periodic"),
    (None, "periodic"),
    (Some(Conductive), "mixed,dirichlet,neumann,mixed"),
    (Some(Polar), "dirichlet,neumann,dirichlet,mixed"),
    (Some(Square), "neumann,dirichlet,mixed,neumann"),
];

/// The manufactured problem of the settings, or ten of several kinds if they name neither coordinates nor sides.
pub(super) fn problems(one: &heat::Settings) -> Result<Vec<heat::Settings>, BoxedError> {
    let one = heat::Settings { problem: Some(Stated::Manufactured), ..one.clone() };
    if one.coordinates.is_some() || one.boundary.is_some() {
        return Ok(vec![one]);
    }
    let of = |(coordinates, sides): (_, &str)| {
        Ok(heat::Settings { coordinates, boundary: Some(sides.parse()?), ..one.clone() })
    };
    PROBLEMS.into_iter().map(of).collect()
}

/// The GPU next to the CPU.
pub static DIFFERENCES: Study = Study::measuring(
    "goodnight2003/differences",
    "Differences of the GPU and of single precision on the CPU from double precision, cycle by cycle, for the given \
     kind of problem or for ten",
    Takes::of(
        &HEAT,
        "paper",
        "coordinates boundary size pre post cycle smoother coarsest_sweeps levels \
        programs precision maxiter",
    ),
    &[
        ("gpu", "", "root mean square of the GPU's differences, relative to the largest value"),
        ("cpu", "", "the same of single precision on the CPU"),
    ],
    |experiment, place| {
        let (one, mut pairs): (heat::Settings, _) = (experiment.typed()?, Vec::new());
        for one in problems(&one)? {
            let (columns, rows) = one.scene()?.nodes();
            let smaller = [33, 50].into_iter().filter(|&n| n < columns.min(rows)).map(|n| (n, n));
            // A period has an odd number of nodes.
            for size in smaller.chain([(columns, rows)]) {
                if let Ok((problem, _)) = one.manufactured().problem(size.0, size.1) {
                    pairs.extend(differences(place.machine, &problem, &one)?);
                }
            }
        }
        let mut record = Record::new();
        record.each("gpu", pairs.iter().map(|[gpu, _]| *gpu));
        record.each("cpu", pairs.iter().map(|[_, cpu]| *cpu));
        Ok(record)
    },
);

/// The root mean square of the differences of the GPU, and of the CPU in single precision, from the CPU in double
/// precision, relative to the largest value, after each number of cycles. All begin with the same random start and
/// have the GPU's maps and source.
fn differences(
    machine: &Machine,
    problem: &Problem,
    of: &heat::Settings,
) -> Result<Vec<[f64; 2]>, Error> {
    let (settings, most) = (of.method.settings(), of.method.criteria.max_iterations);
    let mut gpu = Solver::new(machine, problem, &settings)?;
    let (mut single, mut double) =
        (reference::<f32>(&gpu, &settings)?, reference::<f64>(&gpu, &settings)?);
    let mut u = start(&problem.grid);
    gpu.set_solution(&u)?;
    let mut v: Vec<f64> = u.iter().map(|u| f64::from(*u)).collect();
    let (mut done, mut all) = (0, Vec::new());
    for cycles in [1, 2, 4].into_iter().filter(|&n| n < most).chain([most]) {
        for _ in done..cycles {
            gpu.cycle()?;
        }
        single.cycles(cycles - done, settings.cycle, &mut u);
        double.cycles(cycles - done, settings.cycle, &mut v);
        done = cycles;
        let (mut u, mut v) = (u.clone(), v.clone());
        single.remove_mean(&mut u);
        double.remove_mean(&mut v);
        let largest = v.iter().fold(1.0, |a: f64, b| a.max(b.abs()));
        let off = |u: &[f32]| {
            let square = |node: usize| (f64::from(u[node]) - v[node]).powi(2);
            problem.grid.mean(square).sqrt() / largest
        };
        all.push([off(&gpu.solution()?), off(&u)]);
    }
    Ok(all)
}

/// The solver on the CPU, with the maps and the source of the GPU.
pub(super) fn reference<T: Real>(
    solver: &Solver,
    settings: &Settings,
) -> Result<Reference<T>, Error> {
    let (maps, problem) = (solver.maps(), solver.problem());
    let levels = (0..maps.atlas.places.len()).map(|level| maps.level(&problem.grid, level));
    let levels = levels.collect::<Result<_, _>>()?;
    let source = solver.source()?.into_iter().map(f64::from).collect();
    Reference::with_levels(levels, source, problem.is_singular(), settings)
}

/// Fixed pseudo-random numbers between -1 and 1; a replica has its original's.
fn start(grid: &Grid) -> Vec<f32> {
    let (columns, _) = grid.size(0);
    let value = |(column, row)| {
        let node = f64::from(grid.y.original(0, row) * columns + grid.x.original(0, column));
        ((node * 0.7).sin() * (node * node * 0.013).cos()) as f32
    };
    grid.places(0).map(value).collect()
}
