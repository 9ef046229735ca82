//! Conjugate gradients for the pressure on the CPU, with a choice of preconditioners.

use std::ops::Range;

use crate::batty2003::pressure::system::convert;
use crate::batty2003::pressure::{PressureSolver, System};
use crate::solver::{
    Criteria, DiagonalPreconditioner, HostSpace, LengthMismatch, Operator, Real,
    conjugate_gradients,
};

use super::incomplete_cholesky::{IncompleteCholesky, MODIFIED};

/// Cells of a factorisation's sweeps. Vectors always cover the whole box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// The whole box, as on the GPU.
    Box,
    /// In each row along x, the cells from the first to the last in the liquid.
    Liquid,
}

impl Extent {
    /// The cells of each row j + ny k.
    pub fn rows<T: Real>(self, system: &System<T>) -> Vec<Range<usize>> {
        let range = |row: &[T]| {
            let is_swept = |&a: &T| self == Self::Box || a != T::ZERO;
            let first = row.iter().position(is_swept).unwrap_or(0);
            first..row.iter().rposition(is_swept).map_or(0, |last| last + 1)
        };
        let rows = system.diagonal.chunks(system.size[0].max(1));
        rows.map(range).collect()
    }
}

/// Preconditioner of conjugate gradients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Preconditioner {
    /// No preconditioner.
    None,
    /// The inverse diagonal, as on the paper's GPU.
    Diagonal,
    /// Incomplete Cholesky, only on the CPU.
    Ic,
    /// Modified incomplete Cholesky, only on the CPU.
    Mic,
}

/// Creates a solver on all cores, in the precision `T`.
pub fn host_solver<T: Real>(kind: Preconditioner, extent: Extent) -> impl PressureSolver {
    move |system: &System<f64>, pressure: &mut Vec<f64>, criteria: &Criteria| {
        LengthMismatch::check(system.cells(), pressure)?;
        system.confine(pressure);
        let space = HostSpace::new(system.cells());
        let matrix = system.map(|entry| T::from_f64(entry));
        let factored = |share| {
            let rows = extent.rows(system);
            Box::new(IncompleteCholesky::<T>::new(system, share, rows))
        };
        let diagonal = || DiagonalPreconditioner::of_diagonal(&matrix.diagonal);
        let preconditioner: Option<Box<dyn Operator<HostSpace<T>>>> = match kind {
            Preconditioner::None => None,
            Preconditioner::Diagonal => Some(Box::new(diagonal())),
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
