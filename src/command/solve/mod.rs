//! `fragstream solve`: a linear system from Matrix Market files, solved in textures.

mod limit;
mod result;
pub(super) mod system;

use std::path::PathBuf;

use clap::Args;

use crate::error::{ErrorKind, WithKind};
use crate::io::matrix_market::write_vector;
use crate::layouts::solve::{Event, Levels, Method, Options, Prepared, Solution, Solver};
use crate::layouts::{Layout, LayoutsError, ROWS};
use crate::picture::spy;
use crate::solver::{Criteria, Csr, Reason};

use super::animation::write_png;
use super::arguments::{Rectangle, check_sweeps, not_negative, positive};
use super::failure::Failure;
use super::files::{check_targets, write_csv};
use super::session::{Session, Sign};
use limit::Most;
use system::RightHandSide;

/// The relative tolerance of single precision, which often reaches no less.
const SINGLE: f64 = 1e-5;

/// Rows up to which LU is tried where the default method fails. It takes a second.
const SMALL: usize = 256;

/// Solve A x = b in textures.
///
/// The machine has single precision, so x is corrected: the residual |b - A x| is computed in double
/// precision from the matrix as given, and the method solves in textures for a correction, until that
/// residual is at most max(rtol |b|, atol). Only that is `converged`. With --refine 0 everything is in
/// single precision, as in the papers; the method's own residual (`recursive`) may then differ from the
/// true one.
///
/// Any other end has exit code 3 and a reason: `max-iterations`, `stagnated` (the precision is
/// exhausted), `indefinite` (the matrix is not positive definite), `indefinite-preconditioner` (its
/// diagonal is not), `breakdown` (biconjugate gradients would divide by zero), `diverged`, `zero-pivot`
/// (the matrix is singular) or `not-finite`. x, if there is one, and the history are written even so.
#[derive(Args)]
pub struct Arguments {
    /// A square matrix in the Matrix Market format (coordinate; real, integer or pattern; general
    /// or symmetric), which may be compressed by gzip; or one that is bundled: airfoil, bcsstk01, knot,
    /// unit_cube
    #[arg(value_name = "A.mtx")]
    matrix: PathBuf,

    /// Layout of the matrix in textures [default: rows, or quarters where the diagonals are full enough;
    /// points for gauss-seidel, columns for lu, ellpack for multigrid]
    #[arg(long, value_enum)]
    layout: Option<Layout>,

    /// Method [default: pcg for symmetric matrices with a positive diagonal, bicgstab for others; lu if that
    /// one fails and there are at most 256 rows]
    #[arg(long, value_enum)]
    method: Option<Method>,

    /// Maximum number of corrections in double precision; 0: single precision throughout, as in the papers
    #[arg(long, value_name = "N", default_value_t = Options::default().corrections)]
    refine: usize,

    /// Converged is |r| <= max(rtol |b|, atol), r = b - A x [default: 1e-8; 1e-5 with --refine 0]
    #[arg(long, value_name = "NUMBER", value_parser = not_negative, allow_negative_numbers = true)]
    rtol: Option<f64>,

    /// Absolute tolerance, in the unit of b
    #[arg(long, value_name = "NUMBER", default_value = "0",
          value_parser = not_negative, allow_negative_numbers = true)]
    atol: f64,

    /// Maximum number of iterations, of all corrections together
    #[arg(long, value_name = "N", default_value_t = Options::default().criteria.max_iterations)]
    maxiter: usize,

    /// Refuse a solve that would take more memory or time, as in 2GB or 10min, by a rough estimate
    /// [default: the memory that is free]
    #[arg(long, value_name = "SIZE|TIME", value_delimiter = ',')]
    limit: Vec<Most>,

    /// Prolongations (with --method multigrid), from the finest level on: one to each level from the next
    /// coarser one, whose matrix is Pᵀ A P
    #[arg(long, value_name = "P1.mtx,P2.mtx,…", value_delimiter = ',')]
    prolongation: Vec<PathBuf>,

    /// Damping factor of a sweep (with --method multigrid)
    #[arg(long, value_name = "NUMBER", default_value_t = 0.7, value_parser = positive,
          allow_negative_numbers = true)]
    omega: f64,

    /// Sweeps before a coarser level is visited (with --method multigrid)
    #[arg(long, value_name = "N", default_value_t = 4)]
    pre: usize,

    /// Sweeps afterwards (with --method multigrid)
    #[arg(long, value_name = "N", default_value_t = 4)]
    post: usize,

    /// Width and height in texels of the rectangles of --layout rows [default: 26x18]
    #[arg(long, value_name = "WxH")]
    rect: Option<Rectangle>,

    /// Right-hand side: a Matrix Market vector (array or coordinate), `ones`, or `random:SEED`
    /// (uniform from -1 to 1)
    #[arg(long, value_name = "FILE|ones|random:SEED", default_value = "ones")]
    rhs: RightHandSide,

    /// Start, a Matrix Market vector [default: zero]
    #[arg(long, value_name = "FILE")]
    x0: Option<PathBuf>,

    /// Write x to this file, as a Matrix Market array
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the norm of the residual at the start and after every iteration to this file, as CSV
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,

    /// Draw the matrix's pattern into this PNG: positive entries blue, negative ones red
    #[arg(long, value_name = "FILE.png")]
    spy: Option<PathBuf>,

    /// Print one JSON object; residuals are norms in the unit of b, as `norm_b` and `tolerance` are
    #[arg(long)]
    json: bool,
}

/// Reads, solves, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    arguments.check()?;
    let a = system::read_square(&arguments.matrix)?;
    let solution = arguments.solve(&a, session)?;
    if let Some(path) = &arguments.spy {
        write_png(path, &spy(&a))?;
    }
    if let Some(path) = arguments.out.as_ref().filter(|_| solution.has_x()) {
        write_vector(path, &solution.x)?;
    }
    if let Some(path) = &arguments.history {
        let lines = solution.history.iter().enumerate();
        let lines = lines.map(|(iteration, residual)| format!("{iteration},{residual:e}"));
        write_csv(path, "iteration,residual", lines)?;
    }
    result::print(&solution, &a, arguments.json, &mut session.out)?;
    match solution.reason.is_converged() {
        true => Ok(()),
        false => Err(result::unconverged(&solution, arguments)),
    }
}

impl Arguments {
    /// That the arguments make sense together and results can be written.
    fn check(&self) -> Result<(), Failure> {
        if let (Some(method), Some(layout)) = (self.method, self.layout)
            && !method.layouts().contains(&layout)
        {
            return Err(Failure::input(LayoutsError::Combination { method, layout }));
        }
        let own = self.method.map_or(ROWS, |m| m.layouts()[0]);
        let layout = self.layout.unwrap_or(own);
        if self.rect.is_some() && layout != ROWS {
            return Err(Failure::input(format_args!(
                "--rect is for --layout rows, not for {layout}; leave it out"
            )));
        }
        check_sweeps(self.pre, self.post)?;
        let is_multigrid = self.method == Some(Method::Multigrid);
        if is_multigrid == self.prolongation.is_empty() {
            return Err(Failure::input(match is_multigrid {
                true => {
                    "--method multigrid needs --prolongation P1.mtx,P2.mtx,…, from the finest level on"
                }
                false => "--prolongation is for --method multigrid; leave it out",
            }));
        }
        check_targets([
            self.out.as_deref(),
            self.history.as_deref(),
            self.spy.as_deref(),
        ])
    }

    /// Solves by the method asked for, or by the one that suits the matrix, and a small matrix by LU where that one
    /// fails.
    fn solve(&self, a: &Csr<f64>, session: &Session) -> Result<Solution, Failure> {
        let solution = self.solve_by(self.method, a, session)?;
        let (reason, method) = (solution.reason, solution.method);
        let is_end = matches!(reason, Reason::Converged | Reason::MaximumIterations);
        let is_chosen = self.method.is_some() || self.layout.is_some() || self.rect.is_some();
        if is_end || is_chosen || a.rows() > SMALL {
            return Ok(solution);
        }
        let second = self.solve_by(Some(Method::Lu), a, session)?;
        if !second.reason.is_converged() {
            return Ok(solution);
        }
        let what = format!("{method} stopped as {reason}. The matrix is small, so lu solved it.");
        Sign::new().announce(&what);
        Ok(second)
    }

    /// Solves in textures, with signs of life.
    fn solve_by(
        &self,
        method: Option<Method>,
        a: &Csr<f64>,
        session: &Session,
    ) -> Result<Solution, Failure> {
        let path = &self.matrix;
        let in_file = |error: LayoutsError| match error.error_kind() {
            ErrorKind::Input => Failure::in_file(path, error),
            // It is the driver that fails, and not the file.
            _ => Failure::from(error),
        };
        let b = system::right_hand_side(&self.rhs, path, a.rows())?;
        let start = self.x0.as_ref();
        let start = start.map(|x0| system::vector(x0, path, a.rows()));
        let start = start.transpose()?;
        let prolongations = system::read_prolongations(&self.prolongation, path, a.rows())?;
        let mut options = Options {
            method,
            ..self.options(prolongations)
        };
        let system = Prepared::new(a, &options).map_err(in_file)?;
        let machine = session.machine_for(system.unknowns() / 4)?;
        let estimate = system.check(&machine, &options.limit).map_err(in_file)?;
        let (method, layout) = (system.method, system.layout);
        let sign = Sign::new();
        if estimate.is_notable() {
            sign.announce(&format!("{method} on {layout} takes {estimate}"));
        }
        if layout == ROWS {
            options.packing = self.rect.unwrap_or_default().packing(&machine);
        }
        let mut shown = |event| {
            sign.say(|| match event {
                Event::Decomposed(done, all) => format!("decomposed {done} of {all} columns"),
                Event::Iterated(iteration, residual, goal) => {
                    format!("iteration {iteration}: {residual:.2e}, goal {goal:.2e}")
                }
            });
        };
        let system = Solver::upload(&machine, system, &options, &mut shown).map_err(in_file)?;
        let solution = system.solve(&b, start.as_deref(), &mut shown);
        solution.map_err(in_file)
    }

    fn options(&self, prolongations: Vec<Csr<f64>>) -> Options {
        let defaults = Options::default();
        let own = match self.refine {
            0 => SINGLE,
            _ => defaults.criteria.rtol,
        };
        Options {
            layout: self.layout.or(self.rect.map(|_| ROWS)),
            criteria: Criteria {
                rtol: self.rtol.unwrap_or(own),
                atol: self.atol,
                max_iterations: self.maxiter,
                ..defaults.criteria
            },
            corrections: self.refine,
            limit: limit::limit(&self.limit),
            levels: Levels {
                prolongations,
                omega: self.omega,
                sweeps: [self.pre, self.post],
            },
            ..defaults
        }
    }
}
