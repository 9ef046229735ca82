//! The scene that stands in for the paper's, of which nothing is printed but that it took 51 solves: a
//! dam breaks in a box of 100³ cells (48³ and eight solves in quick mode). It was fixed before anything
//! was measured.

use crate::batty2003::LiquidError;
use crate::batty2003::liquid::{Liquid, Scene, Step};
use crate::batty2003::pressure::gpu::NORM_EVERY;
use crate::batty2003::pressure::{Extent, Preconditioner, PressureSolver, System, host_solver};
use crate::solver::Criteria;

/// Converged is 1e-4 of ‖b‖. The paper's tolerance is not printed; its 188 iterations fit 10⁶ cells and
/// 1e-3 to 1e-4.
pub const CRITERIA: Criteria = Criteria {
    rtol: 1e-4,
    atol: 0.0,
    max_iterations: 10_000,
    patience: 1000,
    norm_every: 1,
};

/// The same, the norm taken as often as the paper did.
pub const AS_OFTEN: Criteria = Criteria {
    norm_every: NORM_EVERY,
    ..CRITERIA
};

/// Cells a side.
pub const fn side(quick: bool) -> usize {
    if quick { 48 } else { 100 }
}

/// Solves of the scene: the paper's 51.
pub const fn solves(quick: bool) -> usize {
    if quick { 8 } else { 51 }
}

/// The scene, solved by `solver`: the liquid at the end, and what each step did.
pub fn run(
    quick: bool,
    solver: &mut dyn PressureSolver,
) -> Result<(Liquid, Vec<Step>), LiquidError> {
    let mut liquid = Liquid::new(Scene::dam(side(quick)))?;
    let steps = (0..solves(quick)).map(|_| liquid.step(solver, &CRITERIA));
    let steps = steps.collect::<Result<_, _>>()?;
    Ok((liquid, steps))
}

/// The first step's system, in a box of so many cells a side.
pub fn first_system(side: usize) -> Result<System<f64>, LiquidError> {
    let mut liquid = Liquid::new(Scene::dam(side))?;
    // It is there before anybody solves it, and what the step comes to does not matter: from zero,
    // no more than ‖b‖ is left.
    let unsolved = Criteria {
        rtol: 2.0,
        ..CRITERIA
    };
    let mut solver = host_solver::<f64>(Preconditioner::None, Extent::Liquid);
    liquid.step(&mut solver, &unsolved)?;
    Ok(liquid.system().clone())
}
