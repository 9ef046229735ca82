//! What a liquid asks of whoever solves for its pressure, on the card or on the CPU.

use crate::batty2003::LiquidError;
use crate::solver::{Criteria, Outcome};

use super::system::System;

/// Solves A p = b, again and again for systems of one size.
pub trait PressureSolver {
    /// The pressure of every cell, starting from what `pressure` holds: the last step's (Appendix C,
    /// step 4). Cells outside the liquid come out as zero. A system that cannot be solved is no error
    /// but a reason in the outcome; `pressure` is then the best that was found.
    fn solve(
        &mut self,
        system: &System<f64>,
        pressure: &mut Vec<f64>,
        criteria: &Criteria,
    ) -> Result<Outcome, LiquidError>;
}

impl<F> PressureSolver for F
where
    F: FnMut(&System<f64>, &mut Vec<f64>, &Criteria) -> Result<Outcome, LiquidError>,
{
    fn solve(
        &mut self,
        system: &System<f64>,
        pressure: &mut Vec<f64>,
        criteria: &Criteria,
    ) -> Result<Outcome, LiquidError> {
        self(system, pressure, criteria)
    }
}
