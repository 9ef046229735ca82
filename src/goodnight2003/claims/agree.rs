//! §5.1: the solver on the GPU compared with the same algorithm on the CPU.

use crate::claim::{Checked, Claim, Found, Run, worst};
use crate::goodnight2003::manufactured::{Coordinates, Kind, Manufactured};
use crate::goodnight2003::{Error, Grid, Problem, Reference, Settings, Solver};
use crate::solver::Real;
use crate::stream::Machine;

/// Numbers of cycles after which solutions are compared.
const CYCLES: [usize; 4] = [1, 2, 4, 10];

/// Largest difference from double precision, relative to that of single precision on the CPU: both round as often,
/// in another order.
const LIKE_SINGLE: f64 = 4.0;

/// Compares cycles with the paper's settings.
pub(super) fn paper(run: &mut Run<'_>, _: &Claim) -> Checked {
    let mut all = Vec::new();
    for stated in problems() {
        for side in run.sizes(&[33_u32, 50], &[33, 50, 129]) {
            // A period has an odd number of nodes.
            if let Ok((problem, _)) = stated.problem(side, side) {
                all.extend(differences(run.machine, &problem)?);
            }
        }
    }
    let times = worst(all.iter().map(|[gpu, cpu]| gpu / cpu));
    let name = "times the difference of single precision on the CPU from double precision";
    Ok(Found::new()
        .at_most(name, times, LIKE_SINGLE)
        .shows(
            "largest difference, relative to the largest value",
            worst(all.iter().map(|[gpu, _]| *gpu)),
        )
        .at_least("comparisons", all.len() as f64, 1.0)
        .because("Both round as often, but not in the same order."))
}

/// All kinds of sides and coordinates.
fn problems() -> [Manufactured; 10] {
    use Coordinates::{Cartesian, Conductive, Polar, Square};
    let [d, n, m] = Kind::ALL.map(Some);
    let all = [
        (Cartesian, [d; 4]),
        (Cartesian, [n; 4]),
        (Cartesian, [m; 4]),
        (Cartesian, [d, n, m, n]),
        (Cartesian, [None, None, d, m]),
        (Cartesian, [n, m, None, None]),
        (Cartesian, [None; 4]),
        (Conductive, [m, d, n, m]),
        (Polar, [d, n, d, m]),
        (Square, [n, d, m, n]),
    ];
    all.map(|(coordinates, kinds)| Manufactured { coordinates, kinds })
}

/// The root mean square of the differences of the GPU, and of the CPU in single precision, from the CPU in double
/// precision, relative to the largest value, after each number of cycles. All begin with the same random start and
/// have the GPU's maps and source.
fn differences(machine: &Machine, problem: &Problem) -> Result<Vec<[f64; 2]>, Error> {
    let settings = Settings::paper_2003();
    let mut gpu = Solver::new(machine, problem, &settings)?;
    let (mut single, mut double) = (
        reference::<f32>(&gpu, &settings)?,
        reference::<f64>(&gpu, &settings)?,
    );
    let mut u = start(&problem.grid);
    gpu.set_solution(&u)?;
    let mut v: Vec<f64> = u.iter().map(|u| f64::from(*u)).collect();
    let (mut done, mut all) = (0, Vec::new());
    for cycles in CYCLES {
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

/// The same solver on the CPU, with the maps and the source of the GPU.
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
