//! Conjugate gradients for the pressure on the CPU, with the preconditioner of one's choice.

use crate::batty2003::pressure::system::convert;
use crate::batty2003::pressure::{PressureSolver, System};
use crate::solver::{Criteria, LengthMismatch, Operator, Real, conjugate_gradients};

use super::incomplete_cholesky::{IncompleteCholesky, MODIFIED};
use super::space::{BoxSpace, Extent, InverseDiagonal};

/// What brings conjugate gradients closer in fewer iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Preconditioner {
    /// Nothing.
    None,
    /// The inverse diagonal: what the paper runs on the card.
    Diagonal,
    /// Incomplete Cholesky, on the CPU alone.
    Ic,
    /// Modified incomplete Cholesky, on the CPU alone.
    Mic,
}

/// Solves on all cores, in the precision `T`.
pub fn host_solver<T: Real>(kind: Preconditioner, extent: Extent) -> impl PressureSolver {
    move |system: &System<f64>, pressure: &mut Vec<f64>, criteria: &Criteria| {
        LengthMismatch::check(system.cells(), pressure)?;
        system.confine(pressure);
        let rows = extent.rows(system);
        let space = BoxSpace::new(system.size, &rows);
        let matrix = system.map(|entry| T::from_f64(entry));
        let factored = |share| Box::new(IncompleteCholesky::<T>::new(system, share, rows.clone()));
        let preconditioner: Option<Box<dyn Operator<BoxSpace<T>>>> = match kind {
            Preconditioner::None => None,
            Preconditioner::Diagonal => Some(Box::new(InverseDiagonal(matrix.inverse_diagonal()))),
            Preconditioner::Ic => Some(factored(0.0)),
            Preconditioner::Mic => Some(factored(MODIFIED)),
        };
        let mut x = convert(pressure);
        let preconditioner = preconditioner.as_deref();
        let outcome = conjugate_gradients(
            &space,
            &matrix,
            preconditioner,
            &matrix.right_side,
            &mut x,
            criteria,
            |_| {},
        )?;
        *pressure = convert(&x);
        Ok(outcome)
    }
}
