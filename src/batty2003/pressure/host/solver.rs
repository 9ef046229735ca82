//! Conjugate gradients for the pressure on the CPU, with the preconditioner of one's choice.

use crate::batty2003::pressure::{PressureError, PressureSolver, System};
use crate::solver::{Criteria, LengthMismatch, LinearSystem, Operator, Outcome, Real, Workspace};

use super::incomplete_cholesky::{IncompleteCholesky, MODIFIED};
use super::rows::Rows;
use super::space::{InverseDiagonal, Matrix, Padded, RowSpace};

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

/// Which cells are swept over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// The whole box, as the card does.
    Box,
    /// Of each row what lies in the liquid, and between.
    Liquid,
}

/// Solves on all cores, in the precision `T`.
pub struct HostSolver<T: Real> {
    preconditioner: Preconditioner,
    extent: Extent,
    /// The vectors of the last solve.
    workspace: Option<([usize; 3], Workspace<RowSpace<T>>)>,
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

    fn preconditioner(
        &self,
        system: &System<f64>,
        matrix: &Matrix<T>,
        rows: &Rows,
    ) -> Option<Box<dyn Operator<RowSpace<T>>>> {
        let factored = |share| Box::new(IncompleteCholesky::<T>::new(system, share, rows.clone()));
        match self.preconditioner {
            Preconditioner::None => None,
            Preconditioner::Diagonal => Some(Box::new(InverseDiagonal::new(matrix))),
            Preconditioner::Ic => Some(factored(0.0)),
            Preconditioner::Mic => Some(factored(MODIFIED)),
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
        let size = system.size;
        let rows = match self.extent {
            Extent::Box => Rows::whole(size),
            Extent::Liquid => Rows::of_liquid(system),
        };
        system.confine(pressure);
        let matrix = Matrix::new(system);
        let preconditioner = self.preconditioner(system, &matrix, &rows);
        let b = Padded::rounded(size, &system.right_side);
        let mut x = Padded::rounded(size, pressure);
        let space = RowSpace::new(rows);
        let mut workspace = match self.workspace.take() {
            Some((last, workspace)) if last == size => workspace,
            _ => Workspace::new(&space)?,
        };
        let system = LinearSystem {
            space: &space,
            operator: &matrix,
            preconditioner: preconditioner.as_deref(),
            b: &b,
        };
        let outcome = workspace.solve(&system, &mut x, criteria, |_| {})?;
        self.workspace = Some((size, workspace));
        for (to, from) in pressure.iter_mut().zip(x.cells()) {
            *to = from.to_f64();
        }
        Ok(outcome)
    }
}
