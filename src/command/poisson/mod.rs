//! `fragstream poisson`: Poisson's and Helmholtz' equation on a rectangle, by multigrid in textures
//! (bolz2003, section 4).

mod domain;
mod luminance;
mod method;
mod named;
mod picture;
mod result;
mod right_side;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;

use crate::bolz2003::grid::poisson::{
    Coefficient, Equation, PoissonError, PoissonSolver, RightSide as Given, Solution,
};
use crate::io::raw::write_floats;
use crate::solver::Reason;
use crate::stream::Machine;

use super::animation::write_png;
use super::arguments::finite;
use super::arguments::size::{GridSize, check_limit};
use super::failure::{Failure, OUT_OF_RANGE};
use super::files::{check_targets, extension, write_csv};
use super::session::{Session, cycles_shown};
use domain::Conditions;
use method::Method;
use picture::{Scale, picture_of};
use result::Solved;
use right_side::{Problem, RightSide, Source};

/// Solve -lap u + sigma u = g on a rectangle by multigrid, in textures.
///
/// The rectangle has height 1 and square cells; u is zero on Dirichlet sides, its normal derivative
/// on Neumann sides; periodic sides are the same nodes. Where no side holds a value and sigma is 0 the
/// mean of u is zero, and that of g has to be. Residuals are in the unit of g, as 2-norms over the nodes.
///
/// Right sides: `sine` (the solution is known, and the error printed), `ones`, `point` (a source of
/// strength one in the middle), `dipole` (a source and a sink), `checker`, `random:SEED` (uniform
/// from -1 to 1); a formula in x, from 0 at the left, and y, from 0 at the bottom, as in
/// `sin(pi*x)*y^2`; a picture, whose luminance from 0 to 1 is g; or a file of little-endian 32-bit
/// floats, one a node, row by row from the bottom.
///
/// Single precision alone does not lead far: with random g on 1025x1025 the relative residual stays
/// near 1e-5, with smooth g it stays higher, though u is right to six digits or so. So the residual
/// is computed in double precision on the CPU every few cycles, unless --refine says otherwise.
///
/// Ends with exit code 3 and a reason other than `converged`: `max-iterations`, `stagnated` (the
/// precision leads no closer), `diverged` or `not-finite`. The history is written all the same, and
/// so is u unless it diverged.
#[derive(Args)]
pub struct Arguments {
    /// Columns and rows of nodes, each a small number of cells, doubled some times, plus 1 [default:
    /// 257x257, or the size of the picture]
    #[arg(long, value_name = "WxH")]
    size: Option<GridSize>,

    /// dirichlet, neumann or periodic on all sides, or a list: left,right,bottom,top
    #[arg(long, value_name = "SIDES", default_value_t = Conditions::default())]
    boundary: Conditions,

    /// The factor of u
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, value_parser = finite,
          allow_negative_numbers = true)]
    sigma: f64,

    /// The right side g: a name or formula (see above), a picture (.png, .gif, .hdr, .exr) or numbers
    /// (.f32)
    #[arg(
        long,
        value_name = "NAME|FORMULA|FILE",
        default_value = "sine",
        allow_hyphen_values = true
    )]
    rhs: Source,

    /// Resample the picture to --size, or to the next size that can be coarsened
    #[arg(long)]
    fit: bool,

    /// Take off g what keeps a solution from existing, where no side holds a value and sigma is 0
    #[arg(long)]
    remove_mean: bool,

    #[command(flatten)]
    method: Method,

    /// Write u to this file: a picture (.png) or little-endian 32-bit floats (.f32), in the order
    /// of the nodes
    #[arg(long, value_name = "FILE")]
    out: Option<Target>,

    /// Write the residual at the start and after the cycles to this file, as CSV
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A file for u.
#[derive(Clone, Debug)]
enum Target {
    Picture(PathBuf),
    Raw(PathBuf),
}

impl Target {
    fn path(&self) -> &Path {
        match self {
            Target::Picture(path) | Target::Raw(path) => path,
        }
    }
}

impl FromStr for Target {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match extension(text).as_str() {
            "png" => Ok(Target::Picture(text.into())),
            "f32" => Ok(Target::Raw(text.into())),
            _ => Err("give a name that ends in .png or .f32"),
        }
    }
}

/// Bytes of memory per node.
const NODE: u64 = 130;

/// Reads, solves, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let Arguments { method, sigma, .. } = arguments;
    check_targets([
        arguments.out.as_ref().map(Target::path),
        arguments.history.as_deref(),
    ])?;
    method.check()?;
    let (size, boundary) = (arguments.size, arguments.boundary);
    let problem = Problem::read(&arguments.rhs, size, boundary, arguments.fit)?;
    let [columns, rows] = [problem.grid.columns(), problem.grid.rows()];
    let sides = [columns, rows].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    let [columns, rows] = sides;
    GridSize { columns, rows }.check_memory(NODE)?;
    // A cycle takes as long with the rasteriser's threads as without on 641², and recording it less without.
    let machine = session.machine_for(problem.grid.nodes() / 18)?;
    check_limit(&machine, columns, rows)?;
    let equation = Equation {
        sigma: Coefficient::Constant(*sigma),
        ..Equation::poisson(problem.grid, 1.0 / problem.grid.cells[1] as f64)
    };
    let right_side = problem.right_side(equation.spacing, *sigma)?;
    let solution = solve(&machine, arguments, &equation, &right_side)?;
    let solved = Solved::new(method, &equation, &right_side, solution);

    let scale = write(arguments, &solved)?;
    if arguments.json {
        session.out.json(&result::json(arguments, &solved))?;
    } else {
        result::print(arguments, &solved, &mut session.out)?;
        if let (Some(target), Some(scale)) = (&arguments.out, scale) {
            let (name, colours) = (target.path().display(), scale.name());
            let (low, high) = (scale.low, scale.high);
            writeln!(session.out, "{name}: {colours} is {low:.4e} to {high:.4e}")?;
        }
    }
    match solved.reason {
        Reason::Converged => Ok(()),
        _ => Err(unconverged(arguments, &solved)),
    }
}

fn solve(
    machine: &Machine,
    arguments: &Arguments,
    equation: &Equation,
    right_side: &RightSide,
) -> Result<Solution, Failure> {
    let method = &arguments.method;
    let options = method.options(equation.spacing, arguments.remove_mean);
    let solver = PoissonSolver::new(machine, equation.clone(), options).map_err(failure)?;
    let unit = equation.spacing * equation.spacing;
    let mut shown = cycles_shown();
    let observer = move |step, residual| shown(step + method.cycles_before(), residual / unit);
    let solution = solver.solve(&Given::new(&right_side.g), observer);
    solution.map_err(failure)
}

/// The library's errors, with the remedies that the command has.
fn failure(error: PoissonError) -> Failure {
    match error {
        PoissonError::Incompatible(share) => Failure::input(format_args!(
            "where no side holds a value and sigma is 0 there is a solution only if g has mean zero, but \
             its sum is {share:.1e} of the sum of its magnitudes; take the mean off by \
             --remove-mean, or give a side dirichlet or a --sigma above 0"
        )),
        error => error.into(),
    }
}

/// Writes what was asked for; returns what the colours of a picture mean.
fn write(arguments: &Arguments, solved: &Solved) -> Result<Option<Scale>, Failure> {
    let mut scale = None;
    match &arguments.out {
        Some(Target::Picture(path)) if solved.is_usable() => {
            let scale = scale.insert(Scale::of(&solved.u));
            write_png(path, &picture_of(solved.grid.columns(), &solved.u, scale))?;
        }
        Some(Target::Raw(path)) if solved.is_usable() => {
            write_floats(path, solved.u.iter().map(|&value| value as f32))?;
        }
        _ => {}
    }
    if let Some(path) = &arguments.history {
        let lines = solved.history.iter();
        let lines = lines.map(|(cycle, residual)| format!("{cycle},{residual:e}"));
        write_csv(path, "cycle,residual", lines)?;
    }
    Ok(scale)
}

/// Why there is no solution, and what may help.
fn unconverged(arguments: &Arguments, solved: &Solved) -> Failure {
    let method = &arguments.method;
    let remedy = match solved.reason {
        Reason::MaximumIterations => "allow more with --maxiter, or choose a larger --rtol",
        _ if arguments.sigma < 0.0 => {
            "--sigma is negative, and multigrid needs a positive definite equation"
        }
        Reason::Stagnated if method.refine == 0 => {
            "single precision leads no closer: compute the residual in double precision by --refine, \
             or choose a larger --rtol"
        }
        Reason::Stagnated => match solved.rounding {
            Some(rounding) => &format!(
                "rounding u to double precision alone leaves a residual of up to {rounding:.1e}, {:.1e} of |b|: \
                 choose a larger --rtol",
                rounding / solved.norm_of_b
            ),
            None => "further cycles lead no closer: choose a larger --rtol",
        },
        Reason::Diverged => "choose a smaller --omega, or more sweeps (--pre, --post)",
        _ => OUT_OF_RANGE,
    };
    let unwritten = match &arguments.out {
        Some(target) if !solved.is_usable() => {
            format!("; {} was not written", target.path().display())
        }
        _ => String::new(),
    };
    Failure::unconverged(
        "multigrid",
        solved.reason,
        format_args!("{} cycles", solved.cycles),
        [solved.true_residual, solved.tolerance],
        format_args!("{remedy}{unwritten}"),
    )
}
