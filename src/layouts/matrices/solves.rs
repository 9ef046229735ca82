//! One system, one method, every layout that a solver takes.

use crate::layouts::race::{Entrant, Line, race};
use crate::solver::{
    Criteria, Csr, DiagonalPreconditioner, HostSpace, LengthMismatch, Operator,
    conjugate_gradients, true_residual,
};
use crate::stream::Machine;
use crate::system::{self, Estimate, Limit, Method, Options, Solution, Solver, SystemError};
use crate::timing::rig::work;
use crate::timing::{Effort, TimingError};

use super::compare::{Problem, limits};
use super::layout::MatrixLayout;

/// When all of them stop, in single precision as in the papers: at 1e-5 of the right side.
const CRITERIA: Criteria = Criteria {
    rtol: 1e-5,
    atol: 0.0,
    max_iterations: 10_000,
    patience: 1000,
    norm_every: 1,
};

impl MatrixLayout {
    /// What a solver of systems calls this layout, if one takes it.
    fn of_systems(self) -> Option<system::Layout> {
        match self {
            Self::Rows => Some(system::Layout::Rows),
            Self::Diagonals => Some(system::Layout::Diagonals),
            Self::Quarters => Some(system::Layout::Quarters),
            Self::Columns => Some(system::Layout::Columns),
            Self::Points => Some(system::Layout::Points),
            Self::Ellpack => Some(system::Layout::Ellpack),
            Self::EllpackR => Some(system::Layout::EllpackR),
            Self::DiagonalsRgba | Self::Wrapped | Self::OneTexture | Self::Slices => None,
        }
    }
}

/// One line a layout, each a whole solve in single precision from zero, timed alternately; and of conjugate
/// gradients one of the CPU, in double precision. The error of a line is the true residual, by |b|.
///
/// # Errors
/// A matrix that no system has; those of the machine.
pub fn solves(
    machine: &Machine,
    matrix: &Csr<f64>,
    layouts: &[MatrixLayout],
    method: Method,
    effort: Effort,
) -> Result<Vec<Line>, TimingError> {
    let problem = Problem::new(matrix)?;
    let b: Vec<f64> = problem.x.iter().map(|&b| f64::from(b)).collect();
    let effort = Effort { chain: 1, ..effort };
    let mut entrants = Vec::new();
    for &layout in layouts {
        entrants.push(entrant(machine, &problem.matrix, &b, layout, method)?);
    }
    if matches!(method, Method::Cg | Method::Pcg) {
        entrants.push(on_cpu(&problem.matrix, &b, method)?);
    }
    race(machine, effort, entrants)
}

/// A layout with a method, which has solved once: else it is refused.
fn entrant<'a>(
    machine: &Machine,
    matrix: &Csr<f64>,
    b: &'a [f64],
    layout: MatrixLayout,
    method: Method,
) -> Result<Entrant<'a>, TimingError> {
    let mut line = Line {
        layout: layout.name().to_owned(),
        from: layout.from().to_owned(),
        ..Line::default()
    };
    let refused = |line, why: String| {
        Ok(Entrant::of(Line {
            refused: Some(why),
            ..line
        }))
    };
    let Some(of_systems) = layout.of_systems() else {
        return refused(line, "laid out for products alone".to_owned());
    };
    let options = Options {
        method: Some(method),
        layout: Some(of_systems),
        criteria: CRITERIA,
        corrections: 0,
        limit: Limit {
            bytes: Some(limits(machine).bytes),
            seconds: None,
        },
        ..Options::default()
    };
    let solver = match Solver::new(machine, matrix, &options, &mut |_| ()) {
        Ok(solver) => solver,
        Err(
            error @ (SystemError::Combination { .. }
            | SystemError::Limit { .. }
            | SystemError::NoBarrier { .. }),
        ) => {
            return refused(line, error.to_string());
        }
        Err(error) => return Err(case(error)),
    };
    let solution = solver.solve(b, None, &mut |_| ()).map_err(case)?;
    if !solution.reason.is_converged() {
        let Solution {
            reason, iterations, ..
        } = solution;
        return refused(line, format!("{reason} after {iterations} iterations"));
    }
    line.iterations = Some(solution.iterations);
    line.memory.bytes = Estimate::new(matrix, method, of_systems, options.corrections).bytes;
    Ok(Entrant {
        work: Some(Box::new(move |_| {
            solver.solve(b, None, &mut |_| ()).map_err(case)?;
            Ok(())
        })),
        error: Some(solution.residual / solution.norm_of_b),
        is_of_2003: layout.is_of_2003(),
        ..Entrant::of(line)
    })
}

/// Conjugate gradients in compressed rows in double precision, on all cores.
fn on_cpu<'a>(
    matrix: &'a Csr<f64>,
    b: &'a [f64],
    method: Method,
) -> Result<Entrant<'a>, TimingError> {
    let inverse = match method {
        Method::Pcg => Some(DiagonalPreconditioner::new(matrix).map_err(case)?),
        _ => None,
    };
    let (space, b) = (HostSpace::new(b.len()), b.to_vec());
    let solve = move || {
        let mut x = vec![0.0; b.len()];
        let inverse = inverse.as_ref().map(|inverse| inverse as &dyn Operator<_>);
        let done = conjugate_gradients(&space, matrix, inverse, &b, &mut x, &CRITERIA, |_| ())?;
        let residual = true_residual(matrix, &b, &x)?.relative;
        Ok::<_, LengthMismatch>((done.iterations, residual))
    };
    let (iterations, residual) = solve()?;
    let (rows, entries) = (matrix.rows() as u64, matrix.entries() as u64);
    let bytes = 12 * entries + 8 * (rows + 1);
    // The matrix once an iteration, and twelve times a vector.
    let moved = iterations as u64 * (bytes + 12 * 8 * rows);
    let solve = work(move |_| solve().map(|_| ()));
    let mut entrant = Entrant::on_cpu("CSR, all cores", bytes, moved, Some(residual), solve);
    entrant.line.iterations = Some(iterations);
    Ok(entrant)
}

fn case(error: impl std::error::Error + Send + Sync + 'static) -> TimingError {
    TimingError::Case(error.into())
}
