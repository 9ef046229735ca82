//! Iterations with the diagonal and with incomplete Cholesky, counted over the systems of the dam.

use crate::batty2003::{Error, Preconditioner, PressureSolver, System, host_solver};
use crate::solver::{Criteria, Outcome};

/// Tolerances, relative to ‖b‖; the last is the dam's, whose iterations are judged.
const TOLERANCES: [f64; 3] = [1e-2, 1e-3, 1e-4];

const KINDS: [Preconditioner; 2] = [Preconditioner::Diagonal, Preconditioner::Ic];

/// Iterations over several systems: for each tolerance, with the diagonal and with IC(0).
#[derive(Default)]
pub struct Iterations(pub [[usize; 2]; 3]);

impl Iterations {
    /// Adds the iterations of a system, solved in double precision from zero.
    pub fn add(&mut self, system: &System<f64>, criteria: Criteria) -> Result<(), Error> {
        for (kind, preconditioner) in KINDS.into_iter().enumerate() {
            let mut solver = host_solver::<f64>(preconditioner);
            let mut pressure = vec![0.0; system.cells()];
            let outcome = solver.solve(system, &mut pressure, &criteria)?;
            for (sums, rtol) in self.0.iter_mut().zip(TOLERANCES) {
                sums[kind] += iterations_to(&outcome, rtol);
            }
        }
        Ok(())
    }
}

/// Iterations until the residual was this share of the first, which from zero is ‖b‖.
fn iterations_to(outcome: &Outcome, share: f64) -> usize {
    let target = outcome.history.first().map_or(0.0, |first| share * first);
    let reached = outcome.history.iter().position(|&norm| norm <= target);
    reached.unwrap_or(outcome.iterations)
}
