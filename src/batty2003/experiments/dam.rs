//! The scene that stands in for the paper's, of which nothing is printed but that it took 51 solves: a
//! dam breaks in a box of 100³ cells (48³ and eight solves in quick mode). It was fixed before anything
//! was measured.

use crate::batty2003::liquid::{Liquid, LiquidError, Scene};
use crate::batty2003::pressure::{PressureError, PressureSolver, System};
use crate::solver::{Criteria, Outcome};

/// Converged is 1e-4 of ‖b‖. The paper's tolerance is not printed; its 188 iterations fit 10⁶ cells and
/// 1e-3 to 1e-4.
pub const CRITERIA: Criteria = Criteria {
    rtol: 1e-4,
    atol: 0.0,
    max_iterations: 10_000,
    patience: 1000,
    norm_every: 1,
};

/// Cells a side.
pub const fn side(quick: bool) -> usize {
    if quick { 48 } else { 100 }
}

/// Solves of the scene: the paper's 51.
pub const fn solves(quick: bool) -> usize {
    if quick { 8 } else { 51 }
}

/// Solves every system in its own way.
struct Visitor<F>(F);

impl<F> PressureSolver for Visitor<F>
where
    F: FnMut(&System<f64>, &mut Vec<f64>, &Criteria) -> Result<Outcome, PressureError>,
{
    fn solve(
        &mut self,
        system: &System<f64>,
        pressure: &mut Vec<f64>,
        criteria: &Criteria,
    ) -> Result<Outcome, PressureError> {
        (self.0)(system, pressure, criteria)
    }
}

/// Lets the first steps of the scene be solved by `solve`, which is given each system and the pressure
/// of the step before.
pub fn steps(
    quick: bool,
    count: usize,
    solve: impl FnMut(&System<f64>, &mut Vec<f64>, &Criteria) -> Result<Outcome, PressureError>,
) -> Result<(), LiquidError> {
    let mut liquid = Liquid::new(Scene::dam(side(quick)))?;
    let mut visitor = Visitor(solve);
    for _ in 0..count {
        liquid.step(&mut visitor, &CRITERIA)?;
    }
    Ok(())
}

/// The systems of the first steps, solved by `solver`.
pub fn systems(
    quick: bool,
    count: usize,
    solver: &mut dyn PressureSolver,
) -> Result<Vec<System<f64>>, LiquidError> {
    let mut systems = Vec::new();
    steps(quick, count, |system, pressure, criteria| {
        systems.push(system.clone());
        solver.solve(system, pressure, criteria)
    })?;
    Ok(systems)
}
