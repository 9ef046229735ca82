//! `fragstream solve`: a linear system from Matrix Market files, solved in textures.

mod system;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use serde::Serialize;

use fragstream::bolz2003::matrix::{SparseRows, pack_matrix};
use fragstream::bolz2003::preconditioner::DiagonalPreconditioner;
use fragstream::bolz2003::spmv::SparseMatrix;
use fragstream::io::matrix_market::write_vector;
use fragstream::io::write_atomically;
use fragstream::solver::{
    Operator, Outcome, Reason, TextureSpace, VectorSpace, conjugate_gradients, true_residual,
};
use fragstream::stream::{Edges, Format, Machine};

use super::arguments::{Method, Solver};
use super::failure::{Failure, Status};
use super::paths::check_folder_of;
use super::session::{Output, Session, spinner};
use system::{RightHandSide, System};

/// A solve that the GPU calls converged is one if b − A x, computed anew in double precision from
/// the matrix as given, is at most so many times the tolerance: the room for the rounding of A, x
/// and that residual to single precision.
const ROUNDING: f64 = 2.0;

/// Solve A x = b by conjugate gradients, in textures.
///
/// Single precision is all the machine has, so two residuals are printed: the one that the method
/// carried along, and the true one, |b - A x| in double precision from the matrix as given. A
/// solve counts as converged if the true one is within twice the tolerance.
///
/// Ends with exit code 3 and a reason other than `converged`: `max-iterations`, `stagnated` (single
/// precision leads no closer), `indefinite` (the matrix is not positive definite) or `not-finite`.
/// x and the history are written all the same.
#[derive(Args)]
pub struct Arguments {
    /// A symmetric positive definite matrix in the Matrix Market format (coordinate; real, integer
    /// or pattern; general or symmetric)
    #[arg(value_name = "A.mtx")]
    matrix: PathBuf,

    /// How the matrix lies in textures: `rows` packs rows of like length into rectangles
    /// (bolz2003, section 3.2)
    #[arg(long, value_enum, default_value_t = Layout::Rows)]
    layout: Layout,

    #[command(flatten)]
    solver: Solver,

    /// The right-hand side: a Matrix Market vector, `ones`, or `random:SEED` (uniform from -1 to 1)
    #[arg(long, value_name = "FILE|ones|random:SEED", default_value = "ones")]
    rhs: RightHandSide,

    /// Write x to this file, as a Matrix Market array
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the norm of the residual at the start and after every iteration to this file, as CSV
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,

    /// Print one JSON object; residuals are norms in the unit of b, as `norm_b` and `tolerance` are
    #[arg(long)]
    json: bool,
}

/// How a matrix lies in textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Layout {
    Rows,
}

impl Layout {
    fn name(self) -> &'static str {
        match self {
            Layout::Rows => "rows",
        }
    }
}

/// What came out, in the units of the system as it was given.
struct Solution {
    x: Vec<f64>,
    reason: Reason,
    iterations: usize,
    /// The residual's norm as the recursion had it.
    recursive: f64,
    /// ‖b − A x‖ in double precision.
    true_residual: f64,
    /// ‖b‖
    norm_of_b: f64,
    tolerance: f64,
    history: Vec<f64>,
    /// Width and height of the rectangles that rows were packed into.
    rectangle: [u32; 2],
    seconds: Seconds,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Printed<'a> {
    layout: &'a str,
    method: &'a str,
    reason: String,
    iterations: usize,
    residual_recursive: f64,
    residual_true: f64,
    norm_b: f64,
    tolerance: f64,
    seconds: &'a Seconds,
}

/// Where the time went.
#[derive(Default, Serialize)]
struct Seconds {
    pack: f64,
    upload: f64,
    compute: f64,
    read_back: f64,
}

/// Reads, solves, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    for path in arguments.out.iter().chain(&arguments.history) {
        check_folder_of(path)?;
    }
    if let Some(path) = arguments
        .out
        .as_ref()
        .filter(|_| arguments.out == arguments.history)
    {
        let what = "named for both --out and --history; name two files";
        return Err(Failure::in_file(path, what));
    }
    let system = System::read(&arguments.matrix, &arguments.rhs)?;
    let solution = solve(&session.machine()?, &system, &arguments.solver)?;
    let x_is_finite = solution.x.iter().all(|value| value.is_finite());
    if let Some(path) = arguments.out.as_ref().filter(|_| x_is_finite) {
        write_vector(path, &solution.x).map_err(Failure::input)?;
    }
    if let Some(path) = &arguments.history {
        write_history(path, &solution.history)?;
    }
    print(arguments, &system, &solution, &mut session.out)?;
    if solution.reason.is_converged() {
        return Ok(());
    }
    Err(unconverged(arguments, &solution, x_is_finite))
}

/// Packs, uploads, solves on the GPU and reads back.
fn solve(machine: &Machine, system: &System, solver: &Solver) -> Result<Solution, Failure> {
    let options = solver.packing(machine)?;
    let mut seconds = Seconds::default();
    let mut clock = Instant::now();
    let mut lap = |machine: &Machine| {
        machine.finish();
        std::mem::replace(&mut clock, Instant::now())
            .elapsed()
            .as_secs_f64()
    };
    let rows = SparseRows::try_from(&system.a).map_err(Failure::input)?;
    let (packing, images) = pack_matrix::<f32>(rows, &options).map_err(Failure::input)?;
    seconds.pack = lap(machine);

    let size = (packing.size[0], packing.size[1]);
    let space = TextureSpace::new(machine, size, Format::R32F, Edges::Padded)?;
    let matrix = SparseMatrix::upload(machine, &packing, &images, Format::R32F)?;
    let b: Vec<f32> = system.b.iter().map(|&value| value as f32).collect();
    let b = space.upload("b", &packing.scatter(&b))?;
    let mut x = space.zeros()?;
    let diagonal = DiagonalPreconditioner::new(machine, &matrix.diagonal)?;
    seconds.upload = lap(machine);

    let preconditioner: Option<&dyn Operator<TextureSpace>> = match solver.method {
        Method::Cg => None,
        Method::Pcg => Some(&diagonal),
    };
    let criteria = solver.criteria(system.scale);
    let bar = spinner();
    let outcome = conjugate_gradients(
        &space,
        &matrix,
        preconditioner,
        &b,
        &mut x,
        &criteria,
        |progress| {
            if !bar.is_hidden() {
                let (iteration, residual) = (progress.iteration, progress.residual);
                let goal = progress.tolerance;
                bar.set_message(format!(
                    "iteration {iteration}: {residual:.2e}, goal {goal:.2e}"
                ));
            }
        },
    )?;
    bar.finish_and_clear();
    seconds.compute = lap(machine);
    let x = packing.gather(&x.read()?);
    seconds.read_back = lap(machine);
    judge(system, solver, &x, outcome, options.rectangle, seconds)
}

/// Holds the outcome against the true residual, and scales everything back.
fn judge(
    system: &System,
    solver: &Solver,
    x: &[f32],
    outcome: Outcome,
    rectangle: [u32; 2],
    seconds: Seconds,
) -> Result<Solution, Failure> {
    let residual = true_residual(&system.a, &system.b, x)
        .map_err(Failure::input)?
        .norm;
    let norm_of_b = system.b.iter().map(|b| b * b).sum::<f64>().sqrt();
    let tolerance = solver.criteria(system.scale).tolerance(norm_of_b);
    // NaN is not within the tolerance either.
    let within = residual <= ROUNDING * tolerance;
    let reason = match outcome.reason {
        Reason::Converged if !within => Reason::Stagnated,
        reason => reason,
    };
    let unscaled = |value: f64| value / system.scale;
    Ok(Solution {
        x: system.unscale(x),
        reason,
        iterations: outcome.iterations,
        recursive: unscaled(outcome.residual),
        true_residual: unscaled(residual),
        norm_of_b: unscaled(norm_of_b),
        tolerance: unscaled(tolerance),
        history: outcome.history.into_iter().map(unscaled).collect(),
        rectangle,
        seconds,
    })
}

fn print(
    arguments: &Arguments,
    system: &System,
    solution: &Solution,
    out: &mut Output,
) -> Result<(), Failure> {
    let solver = &arguments.solver;
    let (layout, method) = (arguments.layout.name(), solver.method.name());
    let seconds = &solution.seconds;
    if arguments.json {
        return out.json(&Printed {
            layout,
            method,
            reason: solution.reason.to_string(),
            iterations: solution.iterations,
            residual_recursive: solution.recursive,
            residual_true: solution.true_residual,
            norm_b: solution.norm_of_b,
            tolerance: solution.tolerance,
            seconds,
        });
    }
    let (rows, entries) = (system.a.rows(), system.a.entries());
    let [width, height] = solution.rectangle;
    let relative = |norm: f64| match norm {
        0.0 => 0.0,
        norm => norm / solution.norm_of_b,
    };
    let [recursive, truth] = [solution.recursive, solution.true_residual];
    writeln!(out, "matrix      {rows} rows, {entries} entries")?;
    writeln!(out, "layout      {layout}, rectangles of {width}x{height}")?;
    writeln!(out, "method      {method}")?;
    writeln!(out, "reason      {}", solution.reason)?;
    writeln!(out, "iterations  {}", solution.iterations)?;
    writeln!(
        out,
        "residual    recursive {recursive:.3e}, true {truth:.3e}"
    )?;
    let (recursive, truth) = (relative(recursive), relative(truth));
    writeln!(
        out,
        "  of |b|    recursive {recursive:.3e}, true {truth:.3e}"
    )?;
    writeln!(
        out,
        "seconds     pack {:.4}, upload {:.4}, compute {:.4}, read-back {:.4}",
        seconds.pack, seconds.upload, seconds.compute, seconds.read_back
    )?;
    Ok(())
}

fn write_history(path: &Path, history: &[f64]) -> Result<(), Failure> {
    write_atomically(path, |out| {
        writeln!(out, "iteration,residual")?;
        let mut rows = history.iter().enumerate();
        rows.try_for_each(|(iteration, residual)| writeln!(out, "{iteration},{residual:e}"))
    })
    .map_err(Failure::input)
}

/// Why there is no solution, and what may help.
fn unconverged(arguments: &Arguments, solution: &Solution, x_is_finite: bool) -> Failure {
    let remedy = match (solution.reason, arguments.solver.method) {
        (Reason::Stagnated, Method::Cg) => {
            "single precision leads no closer: try --method pcg or a larger --rtol"
        }
        (Reason::Stagnated, Method::Pcg) => "single precision leads no closer: try a larger --rtol",
        (Reason::MaximumIterations, _) => "allow more with --maxiter, or a larger --rtol",
        (Reason::Indefinite, _) => "the matrix is not positive definite, or as good as singular",
        _ => "numbers left the range of single precision",
    };
    let message = format!(
        "{}: {} stopped as {} after {} iterations at the residual {:.3e} (goal {:.3e}); {remedy}{}",
        arguments.matrix.display(),
        arguments.solver.method.name(),
        solution.reason,
        solution.iterations,
        solution.true_residual,
        solution.tolerance,
        match (&arguments.out, x_is_finite) {
            (Some(path), false) => format!("; {} was not written", path.display()),
            _ => String::new(),
        }
    );
    Failure::new(Status::Unconverged, message)
}
