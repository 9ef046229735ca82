//! One system, one method, every layout.

use crate::base::error::BoxedError;
use crate::layouts::compare::products::{Problem, bytes_allowed};
use crate::layouts::compare::{Entrant, Line, Race, Raced};
use crate::layouts::{Layout, LayoutsError};
use crate::solver::{
    Criteria, Csr, DiagonalPreconditioner, HostSpace, LengthMismatch, Operator,
    conjugate_gradients, true_residual,
};
use crate::stream::Machine;
use crate::timing::Effort;
use crate::timing::rig::work;

use super::{Method, Options, Prepared, SolveError, Solver};

/// One line per layout, each a whole solve in single precision from zero, in random order; for conjugate
/// gradients also one of the CPU, in double precision. The error of a line is the true residual divided by |b|.
pub fn solves(
    machine: &Machine,
    matrix: &Csr<f64>,
    layouts: &[Layout],
    method: Method,
    effort: Effort,
) -> Result<Raced, BoxedError> {
    let problem = Problem::new(matrix)?;
    let b: Vec<f64> = problem.x.iter().map(|&b| f64::from(b)).collect();
    let mut race = Race::new(machine, Effort { chain: 1, ..effort });
    while race.is_open() {
        let mut entrants = Vec::new();
        for &layout in layouts {
            entrants.push(entrant(machine, &problem.matrix, &b, layout, method)?);
        }
        if method.is_conjugate_gradients() {
            entrants.push(on_cpu(&problem.matrix, &b, method)?);
        }
        race.run(entrants)?;
    }
    Ok(race.raced())
}

/// A layout with a method. If its first solve fails, it is refused.
fn entrant<'a>(
    machine: &Machine,
    matrix: &Csr<f64>,
    b: &'a [f64],
    layout: Layout,
    method: Method,
) -> Result<Entrant<'a>, BoxedError> {
    let mut line = Line::new(layout.name, layout.source);
    let options = Options {
        method: Some(method),
        layout: Some(layout),
        criteria: Criteria::default(),
        corrections: 0,
        limit: Some(bytes_allowed()),
        ..Options::default()
    };
    let solver = || -> Result<_, SolveError> {
        let system = Prepared::new(matrix, &options)?;
        let bytes = system.check(machine, options.limit)?;
        Ok((bytes, Solver::upload(machine, system, &options, &mut |_| ())?))
    };
    let (bytes, solver) = match solver() {
        Ok(solver) => solver,
        Err(
            error @ (SolveError::Combination { .. }
            | SolveError::TooLarge { .. }
            | SolveError::Layouts(LayoutsError::Unsuited(_))
            | SolveError::NoBarrier { .. }),
        ) => {
            line.refused = Some(error.to_string());
            return Ok(Entrant::of(line));
        }
        Err(error) => return Err(error.into()),
    };
    let solution = solver.solve(b, None, &mut |_| ())?;
    if !solution.reason.is_converged() {
        let (reason, iterations) = (*solution.reason, solution.iterations);
        line.refused = Some(format!("{reason} after {iterations} iterations"));
        return Ok(Entrant::of(line));
    }
    line.iterations = Some(solution.iterations);
    line.memory.bytes = bytes;
    Ok(Entrant {
        work: Some(work(move |_| solver.solve(b, None, &mut |_| ()).map(|_| ()))),
        error: Some(solution.residual / solution.norm_of_b),
        is_of_2003: layout.is_of_2003,
        ..Entrant::of(line)
    })
}

/// Conjugate gradients in compressed rows in double precision, on all cores.
fn on_cpu<'a>(
    matrix: &'a Csr<f64>,
    b: &'a [f64],
    method: Method,
) -> Result<Entrant<'a>, BoxedError> {
    let inverse = match method {
        Method::Pcg => Some(DiagonalPreconditioner::new(matrix)?),
        _ => None,
    };
    let (space, b) = (HostSpace::new(b.len()), b.to_vec());
    let solve = move || {
        let mut x = vec![0.0; b.len()];
        let inverse = inverse.as_ref().map(|inverse| inverse as &dyn Operator<_>);
        let done =
            conjugate_gradients(&space, matrix, inverse, &b, &mut x, &Criteria::default(), |_| ())?;
        let residual = true_residual(matrix, &b, &x)?.relative;
        Ok::<_, LengthMismatch>((done.iterations, residual))
    };
    let (iterations, residual) = solve()?;
    let (rows, entries) = (matrix.rows() as u64, matrix.entries() as u64);
    let bytes = 12 * entries + 8 * (rows + 1);
    // The matrix once per iteration, and a vector twelve times.
    let moved = iterations as u64 * (bytes + 12 * 8 * rows);
    let solve = work(move |_| solve().map(|_| ()));
    let mut entrant = Entrant::on_cpu("CSR, all cores", bytes, moved, Some(residual), solve);
    entrant.line.iterations = Some(iterations);
    Ok(entrant)
}
