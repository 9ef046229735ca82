//! Multigrid on the CPU, with matrices in ELLPACK-R and in double precision: reference and CPU baseline
//! (geveler2011 §3.2.2).

use crate::solver::multigrid::matrix_hierarchy::{MatrixLevel, Transfer};
use crate::solver::{
    Csr, CsrError, DiagonalPreconditioner, Hierarchy, HostSpace, MatrixHierarchy, Multigrid,
    Operator, Outcome,
};

use super::discretisation::Discretisation;
use super::ellpack::Ellpack;
use super::settings::{Settings, Smoother};
use super::spai::approximate_inverse;

/// The smoother's M⁻¹ for a matrix.
fn smoother(
    matrix: &Csr<f64>,
    smoother: Smoother,
) -> Result<Box<dyn Operator<HostSpace<f64>>>, CsrError> {
    Ok(match smoother {
        // §2.1, Jacobi: x ← x + ω D⁻¹ (b − A x)
        Smoother::Jacobi => Box::new(DiagonalPreconditioner::new(matrix)?),
        Smoother::Spai => Box::new(Ellpack::new(&approximate_inverse(matrix)?)),
    })
}

/// The hierarchy of a discretisation in main memory.
pub fn hierarchy(
    discretisation: &Discretisation,
    settings: &Settings,
) -> Result<MatrixHierarchy<HostSpace<f64>>, CsrError> {
    let coarsest = discretisation.matrices.len() - 1;
    let level = |(level, matrix): (usize, &Csr<f64>)| {
        Ok(MatrixLevel {
            space: HostSpace::new(matrix.rows()),
            matrix: Box::new(Ellpack::new(matrix)),
            preconditioner: smoother(matrix, settings.smoother_on(level, coarsest))?,
        })
    };
    let levels = discretisation.matrices.iter().enumerate().map(level);
    let levels = levels.collect::<Result<_, CsrError>>()?;
    let transfer = |(r, p): (&Csr<f64>, &Csr<f64>)| Transfer {
        restriction: Box::new(Ellpack::new(r)),
        prolongation: Box::new(Ellpack::new(p)),
    };
    let pairs = discretisation.restrictions.iter();
    let pairs = pairs.zip(&discretisation.prolongations);
    let (transfers, coarsest) = (pairs.map(transfer).collect(), settings.coarsest());
    Ok(MatrixHierarchy::new(levels, transfers, coarsest, settings.omega)?)
}

/// Solves a discretisation on the CPU: u, and the outcome. Iterations are cycles.
pub fn solve(
    discretisation: &Discretisation,
    settings: &Settings,
) -> Result<(Vec<f64>, Outcome), CsrError> {
    let hierarchy = hierarchy(discretisation, settings)?;
    let (b, mut u) = (&discretisation.right_side, discretisation.start.clone());
    let criteria = settings.criteria(hierarchy.residual_norm(b, &u)?);
    let mut multigrid = Multigrid::new(&hierarchy, settings.cycle)?;
    let outcome = multigrid.solve(b, &mut u, &criteria, |_, _| ())?;
    Ok((u, outcome))
}
