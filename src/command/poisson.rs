//! `fragstream poisson`: Poisson's and Helmholtz' equation on a rectangle, by multigrid in textures
//! (bolz2003, section 4).

use clap::Args;
use serde::Serialize;
use serde_json::json;

use crate::base::error::counted;
use crate::base::formula;
use crate::bolz2003::Error;
use crate::bolz2003::grid::Boundary;
use crate::bolz2003::scenes::poisson::{Coefficient, Equation, PoissonSolver, RightSide, Solution};
use crate::bolz2003::solves::Problem;
use crate::bolz2003::solves::poisson::Settings;
use crate::io::raw::write_floats;
use crate::picture::colour::map::SEQUENTIAL;
use crate::picture::plot::{Field, field};
use crate::settings::GridSize;
use crate::solver::{Reason, multigrid};

use super::arguments::{check_limit, check_sweeps};
use super::failure::Failure;
use super::outcome::Outcome;
use super::output::{Target, file};
use super::session::{Session, cycles_shown};
use super::task::Task;

/// Solve -lap u + sigma u = g on a rectangle by multigrid, in textures (bolz2003, section 4)
///
/// The rectangle has height 1 and square cells. u is zero on Dirichlet sides, its normal derivative on
/// Neumann sides; periodic sides share their nodes. A pure Neumann or periodic problem with sigma 0 needs a g
/// with mean zero, and its u has mean zero. Residuals are in the unit of g, as 2-norms over the nodes.
///
/// Right-hand sides: `sine` (the solution is known, and the error is printed), `ones`, `point` (a source of
/// strength 1 in the middle), `dipole` (a source and a sink), `checker`, `random:SEED` (uniform from -1 to
/// 1); a formula in x, from 0 at the left, and y, from 0 at the bottom, such as `sin(pi*x)*y^2` (see below); a
/// picture, whose luminance from 0 to 1 is g; or a file of little-endian 32-bit floats, one per node, row by row
/// from the bottom. g is not used where u is prescribed.
///
/// Single precision alone is not enough: with random g on 1025x1025 the relative residual stagnates near 1e-5,
/// with smooth g earlier, although u is correct to about six digits. Therefore the residual is computed in
/// double precision on the CPU every few cycles, unless --refine 0 is given. On a GPU it is computed there in
/// pairs of floats, and in double precision at the end.
///
/// Exit code 3 means that the solver did not converge. The history is still written, and so is u unless the
/// solver diverged.
#[derive(Args)]
#[command(after_long_help = formula::help())]
pub struct Files {
    /// Write u as little-endian 32-bit floats, in the order of the nodes
    #[arg(long, value_name = "FILE.f32", value_parser = file("f32"), help_heading = "Output")]
    out: Option<Target>,

    /// Draw u, with lines of equal values and a scale
    #[arg(long, value_name = "FILE.png", value_parser = file("png"), help_heading = "Output")]
    png: Option<Target>,

    /// Write the residual at the start and after the cycles
    #[arg(long, value_name = "FILE.csv", value_parser = file("csv"), help_heading = "Output")]
    history: Option<Target>,
}

/// The result in the output.
#[derive(Serialize)]
struct Solved {
    size: [usize; 2],
    boundary: [Boundary; 4],
    rhs: String,
    #[serde(flatten)]
    solution: Solution,
}

impl Task for Files {
    type Settings = Settings;

    fn run(&self, settings: &Settings, session: &mut Session) -> Result<(), Failure> {
        let Self { out, png, history } = self;
        let Settings { sigma, rhs, options, .. } = settings;
        let mut options = *options;
        options.criteria.patience = multigrid::default_criteria().patience;
        check_sweeps(options.cycle)?;
        let Problem { grid, spacing, g, exact } = Problem::read(settings)?;
        let size @ [columns, rows] = [grid.columns(), grid.rows()];
        session.resolved("size", format!("{columns}x{rows}"));
        // A cycle takes the same time with and without the rasteriser's threads on 641², and recording takes less
        // without.
        let machine = session.machine_for(grid.nodes() / 18)?;
        check_limit(&machine, GridSize::new(columns as u32, rows as u32))?;
        let sigma_of = Coefficient::Constant(*sigma);
        let equation = Equation { sigma: sigma_of, ..Equation::poisson(grid, spacing) };
        let solver = PoissonSolver::new(&machine, equation, options).map_err(failure)?;
        let mut solution = solver.solve(&RightSide::new(&g), cycles_shown()).map_err(failure)?;
        exact.iter().for_each(|exact| solution.compare(exact));

        let cycles = counted(solution.cycles, "cycle");
        let norms = [solution.true_residual, solution.tolerance];
        let hint = hint(settings, &solution, session);
        let outcome =
            Outcome { hint, ..Outcome::of_cycles(solution.reason, solution.cycles, norms) };
        let solved =
            Solved { size, boundary: settings.boundary.each(), rhs: rhs.to_string(), solution };
        let Solution { u, history: residuals, .. } = &solved.solution;
        let picture = || {
            field(&Field {
                title: format!("u, g = {rhs}"),
                note: format!("{columns} × {rows} nodes, {cycles}"),
                columns,
                values: u,
                extent: [grid.cells[0] as f64 * spacing, 1.0],
                colours: &SEQUENTIAL,
            })
        };
        let is_usable = solved.solution.is_usable();
        outcome.end(
            &[
                (true, history.as_ref(), &|file| {
                    file.history("cycle,residual", residuals.iter().copied())
                }),
                (is_usable, out.as_ref(), &|file| {
                    check_floats(u)?;
                    file.write(|path| write_floats(path, u.iter().map(|&value| value as f32)))
                }),
                (is_usable, png.as_ref(), &|file| file.encoded(picture())),
            ],
            session,
            &json!({ "spacing": spacing }),
            &solved,
        )
    }
}

/// Checks that numbers can be written as 32-bit floats.
fn check_floats(u: &[f64]) -> Result<(), Failure> {
    let largest = u.iter().fold(0.0, |largest: f64, u| largest.max(u.abs()));
    if largest == 0.0 || (largest as f32).is_normal() {
        return Ok(());
    }
    Err(Failure::input(format_args!(
        "|u| is up to {largest:.3e}, and 32-bit floats hold 1.2e-38 to 3.4e38. Scale --rhs, to which u is proportional"
    )))
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

/// Hint for this equation, if the solve did not converge.
fn hint(settings: &Settings, solution: &Solution, session: &Session) -> Option<String> {
    let Settings { sigma, options, .. } = settings;
    match (*solution.reason, solution.rounding) {
            (Reason::MaximumIterations, _)
                if options.refine == 0 && *sigma > 0.0 && settings.boundary.none_known() =>
            {
                let why = "Sweeps hardly change the mean of u, which sigma alone determines";
                Some(format!("{why}: {}", session.leave_out(&["--refine"])))
            }
            (Reason::MaximumIterations, _) => None,
            _ if *sigma < 0.0 => Some(
                "--sigma is negative, and multigrid needs a positive definite equation: choose --sigma 0 or more"
                    .to_owned(),
            ),
            (Reason::Stagnated, _) if options.refine == 0 => Some(format!(
                "Single precision is exhausted: {}, or choose a larger --rtol",
                session.leave_out(&["--refine"])
            )),
            (Reason::Stagnated, Some(rounding)) => Some(format!(
                "Rounding u to double precision alone leaves a residual of up to {rounding:.1e}, {:.1e} of |b|: \
                 choose a larger --rtol",
                rounding / solution.norm_of_b
            )),
            _ => None,
        }
}
