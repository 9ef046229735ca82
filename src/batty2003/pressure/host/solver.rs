//! Conjugate gradients for the pressure on the CPU, with the preconditioner of one's choice.

use crate::batty2003::pressure::{PressureError, PressureSolver, System};
use crate::solver::{Criteria, LengthMismatch, LinearSystem, Operator, Outcome, Real, Workspace};

use super::incomplete_cholesky::{IncompleteCholesky, MODIFIED};
use super::space::{BoxSpace, Extent, InverseDiagonal, Matrix};

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
pub struct HostSolver<T: Real> {
    preconditioner: Preconditioner,
    extent: Extent,
    /// The vectors of the last solve.
    workspace: Option<([usize; 3], Workspace<BoxSpace<T>>)>,
}

impl<T: Real> HostSolver<T> {
    /// With these choices.
    pub fn new(preconditioner: Preconditioner, extent: Extent) -> Self {
        Self {
            preconditioner,
            extent,
            workspace: None,
        }
    }
}

impl<T: Real> PressureSolver for HostSolver<T> {
    fn solve(
        &mut self,
        system: &System<f64>,
        pressure: &mut Vec<f64>,
        criteria: &Criteria,
    ) -> Result<Outcome, PressureError> {
        LengthMismatch::check(system.cells(), pressure)?;
        system.confine(pressure);
        let rows = self.extent.rows(system);
        let space = BoxSpace::new(system.size, &rows);
        let matrix = Matrix::new(&space, system);
        let factored = |share| Box::new(IncompleteCholesky::<T>::new(system, share, rows.clone()));
        let preconditioner: Option<Box<dyn Operator<BoxSpace<T>>>> = match self.preconditioner {
            Preconditioner::None => None,
            Preconditioner::Diagonal => Some(Box::new(InverseDiagonal::new(&matrix))),
            Preconditioner::Ic => Some(factored(0.0)),
            Preconditioner::Mic => Some(factored(MODIFIED)),
        };
        let mut x = space.vector(pressure);
        let mut workspace = match self.workspace.take() {
            Some((size, workspace)) if size == system.size => workspace,
            _ => Workspace::new(&space)?,
        };
        let linear_system = LinearSystem {
            space: &space,
            operator: &matrix,
            preconditioner: preconditioner.as_deref(),
            b: &space.vector(&system.right_side),
        };
        let outcome = workspace.solve(&linear_system, &mut x, criteria, |_| {})?;
        self.workspace = Some((system.size, workspace));
        for (to, from) in pressure.iter_mut().zip(space.cells(&x)) {
            *to = from.to_f64();
        }
        Ok(outcome)
    }
}
