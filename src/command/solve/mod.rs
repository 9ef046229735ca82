//! `fragstream solve`: a linear system from Matrix Market files, solved in textures.

mod algebra;
mod ellpack;
mod method;
mod rows;
mod solution;
mod system;

use std::path::PathBuf;

use clap::Args;

use fragstream::io::matrix_market::write_vector;
use fragstream::kruger2003::AlgebraError;
use fragstream::stream::Machine;
use fragstream::stream::{LayoutError, StreamError};

use super::arguments::{Rectangle, Stopping, name_of, positive, sweeps};
use super::failure::Failure;
use super::files::check_targets;
use super::session::{Session, spinner};
use method::{Layout, Method};
use solution::{Solution, Solved};
use system::{RightHandSide, System};

/// Solve A x = b in textures.
///
/// Single precision is all the machine has (multigrid takes its residuals in pairs of floats), so two
/// residuals are printed: the one that the method carried along, and the true one, |b - A x| in double
/// precision from the matrix as given. A solve counts as converged if the true one is within twice
/// the tolerance.
///
/// Ends with exit code 3 and a reason other than `converged`: `max-iterations`, `stagnated` (single
/// precision leads no closer), `indefinite` (the matrix is not positive definite), `diverged`,
/// `zero-pivot` (the matrix is singular) or `not-finite`. x and the history are written all the
/// same, where there is an x.
#[derive(Args)]
pub struct Arguments {
    /// A square matrix in the Matrix Market format (coordinate; real, integer or pattern; general
    /// or symmetric)
    #[arg(value_name = "A.mtx")]
    matrix: PathBuf,

    /// How the matrix lies in textures [default: rows; points for gauss-seidel, columns for lu,
    /// ellpack for multigrid]
    #[arg(long, value_enum)]
    layout: Option<Layout>,

    /// How to solve
    #[arg(long, value_enum, default_value_t = Method::Cg)]
    method: Method,

    #[command(flatten)]
    stopping: Stopping,

    /// Of --method multigrid, the prolongations, from the finest level's on: one to each level from the
    /// next coarser one, whose matrix is Pᵀ A P
    #[arg(long, value_name = "P1.mtx,P2.mtx,…", value_delimiter = ',')]
    prolongation: Vec<PathBuf>,

    /// Of --method multigrid, the part of the way that a sweep goes
    #[arg(long, value_name = "NUMBER", default_value_t = 0.7, value_parser = positive,
          allow_negative_numbers = true)]
    omega: f64,

    /// Of --method multigrid, sweeps before and after the coarser level
    #[arg(long, value_name = "N,N", default_value = "4,4", value_parser = sweeps)]
    steps: [usize; 2],

    /// Width and height in texels of the rectangles of --layout rows; `auto` measures which suit
    /// this machine [default: 26x18]
    #[arg(long, value_name = "WxH|auto")]
    rect: Option<Rectangle>,

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

/// Reads, solves, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let method = arguments.method;
    let layout = arguments.check()?;
    let system = System::read(&arguments.matrix, &arguments.rhs, method)?;
    let solved = solve(&session.machine()?, &system, layout, arguments)?;
    let tolerance = arguments
        .stopping
        .criteria(system.scale)
        .tolerance(system.norm_of_b());
    let solution = Solution::of(&system, tolerance, solved)?;
    if let Some(path) = arguments.out.as_ref().filter(|_| solution.has_x()) {
        write_vector(path, &solution.x)?;
    }
    if let Some(path) = &arguments.history {
        solution.write_history(path)?;
    }
    solution.print(&system, (layout, method), arguments.json, &mut session.out)?;
    match solution.reason.is_converged() {
        true => Ok(()),
        false => Err(solution.unconverged(arguments, method)),
    }
}

impl Arguments {
    /// The layout, if the arguments make sense together and results can be written.
    fn check(&self) -> Result<Layout, Failure> {
        let layout = self.method.on(self.layout)?;
        if self.rect.is_some() && layout != Layout::Rows {
            return Err(Failure::input(format_args!(
                "--rect is for --layout rows, not for {}; leave it out",
                name_of(layout)
            )));
        }
        let is_multigrid = self.method == Method::Multigrid;
        if is_multigrid == self.prolongation.is_empty() {
            return Err(Failure::input(match is_multigrid {
                true => {
                    "--method multigrid needs --prolongation P1.mtx,P2.mtx,…, from the finest level on"
                }
                false => "--prolongation is for --method multigrid; leave it out",
            }));
        }
        check_targets(&[
            ("--out", self.out.as_deref()),
            ("--history", self.history.as_deref()),
        ])?;
        Ok(layout)
    }
}

/// Solves on the GPU, with a sign of life on a terminal.
fn solve(
    machine: &Machine,
    system: &System,
    layout: Layout,
    arguments: &Arguments,
) -> Result<Solved, Failure> {
    let (method, criteria) = (arguments.method, arguments.stopping.criteria(system.scale));
    let bar = spinner();
    let mut observer = |iteration: usize, residual: f64, goal: f64| {
        bar.set_message(format!(
            "iteration {iteration}: {residual:.2e}, goal {goal:.2e}"
        ));
    };
    let preconditioned = method == Method::Pcg;
    let solved = match (layout.row_format(), method) {
        (Some(row_format), Method::Multigrid) => {
            let (paths, rows) = (&arguments.prolongation, system.a.rows());
            let prolongations = ellpack::read_prolongations(paths, &arguments.matrix, rows)?;
            let relaxation = ellpack::Relaxation {
                omega: arguments.omega,
                steps: arguments.steps,
            };
            ellpack::multigrid(
                machine,
                system,
                row_format,
                prolongations,
                &relaxation,
                &criteria,
            )
        }
        (Some(row_format), _) => ellpack::conjugate(
            machine,
            system,
            row_format,
            preconditioned,
            &criteria,
            &mut observer,
        ),
        (None, _) if layout == Layout::Rows => {
            let options = arguments.rect.unwrap_or_default().packing(machine)?;
            rows::solve(
                machine,
                system,
                &options,
                preconditioned,
                &criteria,
                &mut observer,
            )
        }
        _ => algebra::solve(machine, system, (layout, method), &criteria, &mut observer)
            .map_err(|error| refused(arguments, error)),
    };
    bar.finish_and_clear();
    solved
}

/// What a layout of kruger2003 cannot hold, with the layouts of this command that can.
fn refused(arguments: &Arguments, error: AlgebraError) -> Failure {
    let elsewhere = match arguments.method.is_conjugate_gradients() {
        true => "--layout points or rows holds it",
        false => "--method gauss-seidel on --layout points holds it",
    };
    let error = match error {
        AlgebraError::Stream(StreamError::Layout(LayoutError::TooLarge {
            what,
            width,
            height,
            limit,
            remedy,
        })) => AlgebraError::from(LayoutError::TooLarge {
            // Where a vector does not fit, no layout of the matrix helps.
            remedy: if what.contains("matrix") {
                elsewhere.into()
            } else {
                remedy
            },
            what,
            width,
            height,
            limit,
        }),
        AlgebraError::Stream(error) => return error.into(),
        AlgebraError::TooMuchMemory {
            what, bytes, most, ..
        } => AlgebraError::TooMuchMemory {
            what,
            bytes,
            most,
            remedy: elsewhere.into(),
        },
        error => error,
    };
    Failure::in_file(&arguments.matrix, error)
}
