//! A liquid, and its steps.

use crate::batty2003::pressure::{PressureSolver, System};
use crate::simulation::Setting;
use crate::solver::{Criteria, Outcome, Reason};

use super::error::LiquidError;
use super::field::Field;
use super::particles::Particle;
use super::scene::Scene;
use super::shape::Shape;

/// A liquid in a box.
#[derive(Debug)]
pub struct Liquid {
    scene: Scene,
    particles: Vec<Particle>,
    level_set: Field,
    surface: Field,
    system: System<f64>,
    pressure: Vec<f64>,
    steps: usize,
}

/// What a step did.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What the solver of the pressure did.
    pub outcome: Outcome,
    /// How much liquid there is after it (m³).
    pub volume: f64,
    /// How many cells had an unknown pressure.
    pub unknowns: usize,
    /// ‖b‖: the norm of the divergence before the projection, in the system's scaling.
    pub divergence_before: f64,
    /// The same after it, from the new velocities.
    pub divergence_after: f64,
    /// Parts of the liquid that no air touches.
    pub closed_pockets: usize,
    /// Where the time went.
    pub times: Times,
}

/// Seconds of a step's parts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Times {
    /// Particles move, and come in.
    pub advect: f64,
    /// Their velocities go to the grid.
    pub transfer: f64,
    /// The surface is found.
    pub level_set: f64,
    /// The system of the pressure is made.
    pub assemble: f64,
    /// It is solved.
    pub solve: f64,
    /// Velocities are projected and continued into air and solids.
    pub extrapolate: f64,
    /// The grid's change of velocity goes to the particles.
    pub update: f64,
}

impl Times {
    /// The parts by name, in the order of a step.
    pub fn parts(&self) -> [(&'static str, f64); 7] {
        [
            ("advect", self.advect),
            ("transfer", self.transfer),
            ("level set", self.level_set),
            ("assemble", self.assemble),
            ("solve", self.solve),
            ("extrapolate", self.extrapolate),
            ("update", self.update),
        ]
    }

    /// All of it.
    pub fn total(&self) -> f64 {
        self.parts().iter().map(|part| part.1).sum()
    }
}

impl Liquid {
    /// The scene at its start.
    pub fn new(scene: Scene) -> Result<Self, LiquidError> {
        scene.check()?;
        let (size, spacing) = (scene.size, scene.spacing);
        let field = Field::constant(size, [0.5 * spacing; 3], spacing, spacing as f32);
        Ok(Self {
            particles: Vec::new(),
            level_set: field.clone(),
            surface: field,
            system: System::zeros(size),
            pressure: vec![0.0; size.iter().product()],
            steps: 0,
            scene,
        })
    }

    /// One step of the scene's length.
    pub fn step(
        &mut self,
        solver: &mut dyn PressureSolver,
        criteria: &Criteria,
    ) -> Result<Step, LiquidError> {
        let outcome = solver.solve(&self.system, &mut self.pressure, criteria)?;
        self.steps += 1;
        if outcome.reason == Reason::NotFinite {
            return Err(LiquidError::Unconverged {
                step: self.steps,
                iterations: outcome.iterations,
                reason: outcome.reason,
            });
        }
        Ok(Step {
            outcome,
            volume: self.volume(),
            unknowns: self.system.unknowns(),
            divergence_before: 0.0,
            divergence_after: 0.0,
            closed_pockets: 0,
            times: Times::default(),
        })
    }

    /// What is simulated.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Steps done.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The particles, in the order of the cells they were in at the start of the last step.
    pub fn particles(&self) -> &[Particle] {
        &self.particles
    }

    /// φ at the cells' centres (m), as the pressure sees it: negative in the liquid. Its surface goes
    /// round every particle at the same distance, and so encloses more than the liquid.
    pub fn level_set(&self) -> &Field {
        &self.level_set
    }

    /// The signed distance (m) at the cells' centres from the surface that encloses the liquid's
    /// volume, negative inside, for a few cells on either side: what is to be drawn.
    pub fn surface(&self) -> &Field {
        &self.surface
    }

    /// The last step's system.
    pub fn system(&self) -> &System<f64> {
        &self.system
    }

    /// The last step's pressure (Pa), zero outside the liquid.
    pub fn pressure(&self) -> &[f64] {
        &self.pressure
    }

    /// How much liquid there is (m³).
    pub fn volume(&self) -> f64 {
        0.0
    }

    /// Makes the liquid within `radius` of a place faster (m/s), most in the middle.
    pub fn push(&mut self, at: [f64; 3], velocity: [f64; 3], radius: f64) {
        let _ = (at, velocity, radius);
    }

    /// Fills a shape with liquid of a velocity (m/s), where there is none.
    pub fn pour(&mut self, shape: &Shape, velocity: [f64; 3]) -> Result<(), Setting> {
        shape.check()?;
        super::scene::vector("a component of the velocity", &velocity)
    }
}
