//! The interface between a liquid and its pressure solver, on the GPU or on the CPU.

use crate::batty2003::LiquidError;
use crate::solver::{Criteria, Outcome};

use super::system::System;

/// Solves A p = b repeatedly for systems of one size.
pub trait PressureSolver {
    /// Computes the pressure of every cell, starting from `pressure`: the previous step's (Appendix C,
    /// step 4). It is zero in cells outside the liquid. A system that cannot be solved is not an error
    /// but a reason in the outcome; `pressure` is then the best one found.
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
