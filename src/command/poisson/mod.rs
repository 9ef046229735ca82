//! `fragstream poisson`: Poisson's and Helmholtz' equation on a rectangle, by multigrid in textures
//! (bolz2003, section 4).

mod domain;
mod named;
mod result;
mod right_side;

use clap::Args;

use crate::arguments::{GridSize, finite};
use crate::bolz2003::Error;
use crate::bolz2003::grid::poisson::{
    Coefficient, Equation, Options, PoissonSolver, RightSide, Solution,
};
use crate::error::counted;
use crate::io::raw::write_floats;
use crate::picture::colour::map::SEQUENTIAL;
use crate::picture::plot::{Field, field};
use crate::solver::{Criteria, Reason, multigrid};
use crate::stream::Machine;

use super::arguments::{check_limit, check_sweeps};
use super::failure::Failure;
use super::output::{Target, csv, floats, png};
use super::session::{Session, cycles_shown};
use domain::Conditions;
use result::{Solved, settings};
use right_side::{Problem, Source};

/// Solve -lap u + sigma u = g on a rectangle by multigrid, in textures (bolz2003, section 4)
///
/// The rectangle has height 1 and square cells. u is zero on Dirichlet sides, its normal derivative on
/// Neumann sides; periodic sides share their nodes. A pure Neumann or periodic problem with sigma 0 needs a g
/// with mean zero, and its u has mean zero. Residuals are in the unit of g, as 2-norms over the nodes.
///
/// Right-hand sides: `sine` (the solution is known, and the error is printed), `ones`, `point` (a source of
/// strength 1 in the middle), `dipole` (a source and a sink), `checker`, `random:SEED` (uniform from -1 to
/// 1); a formula in x, from 0 at the left, and y, from 0 at the bottom, such as `sin(pi*x)*y^2`; a picture,
/// whose luminance from 0 to 1 is g; or a file of little-endian 32-bit floats, one per node, row by row from
/// the bottom.
///
/// Single precision alone is not enough: with random g on 1025x1025 the relative residual stagnates near 1e-5,
/// with smooth g earlier, although u is correct to about six digits. Therefore the residual is computed in
/// double precision on the CPU every few cycles, unless --refine 0 is given.
///
/// Exit code 3 means that the solver did not converge. The history is still written, and so is u unless the
/// solver diverged.
#[derive(Args)]
#[command(mut_arg("max_iterations", |arg| arg.help("Maximum number of cycles")))]
pub struct Arguments {
    /// Number of nodes: on each side a small number of cells, doubled several times, plus 1 [default:
    /// 257x257, or the size of the picture]
    #[arg(long, value_name = "WxH")]
    size: Option<GridSize>,

    /// dirichlet, neumann or periodic on all sides, or a list: left,right,bottom,top
    #[arg(long, value_name = "SIDES", default_value_t = Conditions::default())]
    boundary: Conditions,

    /// Factor of u
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0, value_parser = finite)]
    sigma: f64,

    /// Right-hand side g: a name or formula (see above), a picture (.png, .gif, .hdr, .exr) or numbers (.f32)
    #[arg(
        long,
        value_name = "NAME|FORMULA|FILE",
        default_value = "sine",
        allow_hyphen_values = true
    )]
    rhs: Source,

    /// Resample the picture to --size, or to a larger size of nearly its shape that can be coarsened
    #[arg(long)]
    fit: bool,

    #[command(flatten, next_help_heading = "Solver")]
    options: Options,

    /// Write u as little-endian 32-bit floats, in the order of the nodes
    #[arg(long, value_name = "FILE.f32", value_parser = floats, help_heading = "Output")]
    out: Option<Target>,

    /// Draw u, with lines of equal values and a scale
    #[arg(long, value_name = "FILE.png", value_parser = png, help_heading = "Output")]
    png: Option<Target>,

    /// Write the residual at the start and after the cycles
    #[arg(long, value_name = "FILE.csv", value_parser = csv, help_heading = "Output")]
    history: Option<Target>,
}

/// Reads, solves, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    check_sweeps(arguments.options.cycle)?;
    let problem = Problem::read(arguments)?;
    let [columns, rows] = [problem.grid.columns(), problem.grid.rows()].map(|side| side as u32);
    // A cycle takes the same time with and without the rasteriser's threads on 641², and recording takes less
    // without.
    let machine = session.machine_for(problem.grid.nodes() / 18)?;
    check_limit(&machine, GridSize::new(columns, rows))?;
    let equation = Equation {
        sigma: Coefficient::Constant(arguments.sigma),
        ..Equation::poisson(problem.grid, problem.spacing)
    };
    let options = arguments.options(problem.spacing);
    let solution = solve(&machine, options, &equation, &problem.g)?;
    let solved = Solved::new(arguments, &options, (&equation, problem.exact), solution);
    write(arguments, &solved)?;
    session.print(&settings(arguments, &options, &equation), &solved)?;
    match solved.reason {
        Reason::Converged => Ok(()),
        _ => Err(unconverged(arguments, &options, &solved)),
    }
}

impl Arguments {
    /// The library's options, for nodes at distance `spacing`. The library integrates g over the control
    /// volumes, which reduces its norms by h².
    fn options(&self, spacing: f64) -> Options {
        let mut options = self.options;
        options.refine = options.refine.filter(|&cycles| cycles > 0);
        let before = options.cycles_before();
        options.criteria = Criteria {
            atol: options.criteria.atol * spacing * spacing,
            max_iterations: options.criteria.max_iterations.saturating_sub(before),
            ..options.criteria
        };
        options.criteria.patience = multigrid::default_criteria().patience;
        options
    }
}

fn solve(
    machine: &Machine,
    options: Options,
    equation: &Equation,
    g: &[f32],
) -> Result<Solution, Failure> {
    let solver = PoissonSolver::new(machine, equation.clone(), options).map_err(failure)?;
    let unit = equation.spacing * equation.spacing;
    let mut shown = cycles_shown();
    let observer = move |step, residual| shown(step + options.cycles_before(), residual / unit);
    let solution = solver.solve(&RightSide::new(g), observer);
    solution.map_err(failure)
}

/// The library's errors, with the remedies of the command.
fn failure(error: Error) -> Failure {
    match error {
        Error::Incompatible(share) => Failure::input(format_args!(
            "a pure Neumann or periodic problem with sigma 0 has a solution only if g has mean zero, but its \
             sum is {share:.1e} of the sum of its magnitudes. Subtract the mean by --remove-mean, make a side \
             dirichlet, or give a --sigma above 0"
        )),
        error => error.into(),
    }
}

/// Writes the requested files.
fn write(arguments: &Arguments, solved: &Solved) -> Result<(), Failure> {
    if let Some(file) = &arguments.history {
        let lines = solved.history.iter();
        let lines = lines.map(|(cycle, residual)| format!("{cycle},{residual:e}"));
        file.lines("cycle,residual", lines)?;
    }
    for file in arguments.out.iter().chain(&arguments.png) {
        if !solved.is_usable() {
            file.leave();
        }
    }
    if let Some(file) = arguments.out.as_ref().filter(|_| solved.is_usable()) {
        file.write(|path| write_floats(path, solved.u.iter().map(|&value| value as f32)))?;
    }
    if let Some(file) = arguments.png.as_ref().filter(|_| solved.is_usable()) {
        let [columns, rows] = solved.size;
        let picture = field(&Field {
            title: format!("u, g = {}", arguments.rhs),
            note: format!("{columns} × {rows} nodes, {}", counted(solved.cycles, "cycle")),
            columns,
            values: &solved.u,
            extent: [solved.width, 1.0],
            colours: &SEQUENTIAL,
        });
        file.bytes(&picture.map_err(|error| Failure::in_file(file.path(), error))?)?;
    }
    Ok(())
}

/// The failure of a solve that did not converge.
fn unconverged(arguments: &Arguments, options: &Options, solved: &Solved) -> Failure {
    let better = match (solved.reason, solved.rounding) {
        (Reason::MaximumIterations, _) => None,
        _ if arguments.sigma < 0.0 => {
            Some("--sigma is negative, and multigrid needs a positive definite equation".to_owned())
        }
        (Reason::Stagnated, _) if options.refine.is_none() => Some(
            "Single precision is exhausted: leave out --refine 0, or choose a larger --rtol"
                .to_owned(),
        ),
        (Reason::Stagnated, Some(rounding)) => Some(format!(
            "Rounding u to double precision alone leaves a residual of up to {rounding:.1e}, {:.1e} of |b|: \
             choose a larger --rtol",
            rounding / solved.norm_b
        )),
        _ => None,
    };
    let (cycles, norms) = (solved.cycles, [solved.residual_true, solved.tolerance]);
    Failure::unconverged("multigrid", solved.reason, counted(cycles, "cycle"), norms, better)
}
