//! `fragstream solve`: a linear system from Matrix Market files, solved in textures.

mod hint;

use clap::Args;

use crate::base::error::{ErrorKind, WithKind, counted};
use crate::io::matrix_market::{announced, write_vector};
use crate::layouts::ROWS;
use crate::picture::spy;
use crate::solve::files::{self, RightHandSide};
use crate::solve::{
    Attempts, Event, Method, Options, SAMPLE, Settings, Solution, SolveError, WorstRow, check_lines,
};
use crate::solver::{Csr, Cycle};

use super::arguments::check_sweeps;
use super::failure::{Failure, Status};
use super::outcome::Outcome;
use super::output::{Target, file, note, vector};
use super::session::{Progress, Session};
use super::task::Task;

/// Seconds from which on the time of LU is noted.
const NOTED: f64 = 4.0;

/// Solve A x = b in textures
///
/// Textures have single precision, so x is corrected: the residual |b - A x| is computed in double precision
/// from the matrix as given, and the method solves in textures for a correction, until that residual is at most
/// max(rtol |b|, atol). Only such a result is `converged`. With --refine 0 everything is in single precision,
/// as in the papers; the method's own residual (`recursive`) may then differ from the true one.
///
/// The default method is pcg for a symmetric matrix with a positive diagonal, minres for any other symmetric matrix, and
/// bicgstab for the rest. If it fails, other methods follow that may do better, then lu if its first columns forecast at
/// most 60 s, and the first method again with all its iterations; --method chooses one for any time. Rows and columns of
/// very different size are scaled by powers of two, and a row or column of zeros is named at once.
///
/// Any other result has exit code 3 and a reason: `max-iterations`, `stagnated` (this precision cannot reduce
/// the residual further), `indefinite` (the matrix is not positive definite), `indefinite-preconditioner` (its
/// diagonal is not positive), `breakdown` (a divisor of the method became zero), `diverged`,
/// `zero-pivot` (LU found no pivot in single precision), `singular` (the matrix is singular to double precision),
/// `incompatible` (the matrix is singular, and no x has a residual within the tolerance) or `not-finite`; the best x, if there is one
/// (after `max-iterations` the last), and the history are still written. `worst row` is the row with the largest backward
/// error, if that is above 1e-3; `condition iterated` is a lower bound, found by conjugate gradients, of the condition
/// number of the matrix that they iterate with.
///
/// For difficult matrices use a sparse direct solver in double precision, such as SciPy's spsolve.
#[derive(Args)]
pub struct Files {
    /// Write x, as a Matrix Market array or for NumPy
    #[arg(long, value_name = "FILE.mtx|npy", value_parser = vector, help_heading = "Output")]
    out: Option<Target>,

    /// Write the norm of the residual at the start and after every iteration
    #[arg(long, value_name = "FILE.csv", value_parser = file("csv"), help_heading = "Output")]
    history: Option<Target>,

    /// Draw the pattern of the matrix: positive entries blue, negative ones red
    #[arg(long, value_name = "FILE.png", value_parser = file("png"), help_heading = "Output")]
    png: Option<Target>,
}

impl Task for Files {
    type Settings = Settings;

    fn run(&self, settings: &Settings, session: &mut Session) -> Result<(), Failure> {
        let (Self { png, out, history }, matrix) = (self, &settings.matrix);
        let options = settings.options();
        check(settings, &options)?;
        check_rows(settings)?;
        let a = files::read_square(matrix)?;
        let solution = solve(settings, &options, &a, session)?;
        session.resolved("rtol", options.criteria.rtol);
        session.resolved("method", solution.method.to_string());
        session.resolved("layout", solution.layout.to_string());
        let outcome = Outcome {
            method: format!("{}: {}", matrix.display(), solution.method),
            reason: solution.reason,
            steps: counted(solution.iterations, "iteration"),
            norms: [solution.residual, solution.tolerance],
            suffices: false,
            hint: Some(hint::hint(&solution, &options, &|names| session.leave_out(names))),
        };
        let residuals = || solution.history.iter().copied().enumerate();
        outcome.end(
            &[
                (true, png.as_ref(), &|file| file.picture(&spy(&a))),
                (solution.has_x(), out.as_ref(), &|file| {
                    file.write(|path| write_vector(path, &solution.x))
                }),
                (true, history.as_ref(), &|file| file.history("iteration,residual", residuals())),
            ],
            session,
            &(),
            &solution,
        )
    }
}

/// Checks that the options are compatible.
fn check(settings: &Settings, options: &Options) -> Result<(), Failure> {
    let Options { method, layout, rectangle, levels, .. } = options;
    if let (&Some(method), &Some(layout)) = (method, layout)
        && !method.layouts().contains(&layout)
    {
        return Err(Failure::input(SolveError::Combination { method, layout }));
    }
    let own = method.map_or(ROWS, |m| m.layouts()[0]);
    let layout = layout.unwrap_or(own);
    if rectangle.is_some() && layout != ROWS {
        return Err(Failure::input(format_args!(
            "--rect applies to --layout rows, not to {layout}. Leave it out"
        )));
    }
    check_sweeps(Cycle::v(levels.before, levels.after))?;
    let is_multigrid = *method == Some(Method::Multigrid);
    if is_multigrid == settings.prolongation.is_none() {
        return Err(Failure::input(if is_multigrid {
            "--method multigrid needs --prolongation P1.mtx,P2.mtx,…, from the finest level on"
        } else {
            "--prolongation applies to --method multigrid. Leave it out"
        }));
    }
    Ok(())
}

/// Number of rows up to which an empty one is named.
const MANY: u64 = 1 << 20;

/// Checks, before memory is allocated for many rows, that each may have an entry. Only a file has zeros in b.
fn check_rows(settings: &Settings) -> Result<(), Failure> {
    let path = &settings.matrix;
    match announced(path) {
        Some([rows, columns, entries])
            if rows == columns
                && rows > MANY.max(entries)
                && !matches!(settings.rhs, RightHandSide::File(_)) =>
        {
            let what = format!(
                "{}: singular: {rows} rows, but at most {entries} entries. Give a nonsingular matrix.",
                path.display()
            );
            Err(Failure::new(Status::Unconverged, what))
        }
        _ => Ok(()),
    }
}

/// Solves by the chosen method, or by those that suit the matrix.
fn solve(
    settings: &Settings,
    options: &Options,
    a: &Csr<f64>,
    session: &Session,
) -> Result<Solution, Failure> {
    let path = &settings.matrix;
    let b = files::right_hand_side(&settings.rhs, path, a.rows())?;
    let x0 = settings.x0.as_ref().map(|x0| files::vector(x0, path, a.rows())).transpose()?;
    let mut options = options.clone();
    options.measures = !session.is_recorded();
    options.layout = options.layout.or(options.rectangle.map(|_| ROWS));
    options.levels.prolongations =
        files::read_prolongations(&settings.prolongations(), path, a.rows())?;
    let in_file = |error: SolveError| {
        let kind = error.error_kind();
        match kind {
            ErrorKind::Input => Failure::in_file(path, error),
            ErrorKind::Unconverged => {
                Failure::new(Status::Unconverged, format_args!("{}: {error}", path.display()))
            }
            // A failure of the driver, not of the file.
            _ => Failure::from(error),
        }
    };
    check_lines(a, &b).map_err(in_file)?;
    let attempts = Attempts::new(a, &options).map_err(in_file)?;
    let machine = session.machine_for(attempts.first().unknowns() / 4)?;
    let progress = Progress::of("");
    let mut shown = |event| {
        if let Event::Decomposed(SAMPLE, all, seconds) = event
            && seconds > NOTED
        {
            note(format_args!("lu: {all} dense columns take about {seconds:.0} s."));
        }
        progress.say(|| match event {
            Event::Decomposed(done, all, _) => format!("decomposed {done} of {all} columns"),
            Event::Iterated(iteration, residual, goal) => {
                format!("iteration {iteration}: {residual:.2e}, tolerance {goal:.2e}")
            }
        });
    };
    let solution = attempts.solve(&machine, &b, x0.as_deref(), &mut shown).map_err(in_file)?;
    drop(progress);
    if solution.reason.is_converged() && !solution.tried.is_empty() {
        let (tried, method) = (hint::tried(&solution), solution.method);
        note(format_args!("{tried}. {method} solved it."));
    }
    if let Some(WorstRow { row, backward_error }) = solution.worst_row
        && solution.reason.is_converged()
    {
        note(format_args!(
            "row {row} (counted from 1) does not hold, with a backward error of {backward_error:.1e}: its terms are \
                 too small for the norm of the residual. Scale the rows of A and b to one size, or try --method lu."
        ));
    }
    Ok(solution)
}
