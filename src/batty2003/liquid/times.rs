//! Where the time of a step goes.

use std::time::Instant;

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

/// What the parts of a step take.
pub(super) struct Clock(Instant);

impl Clock {
    /// From now on.
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    /// Seconds since the last call.
    pub(super) fn lap(&mut self) -> f64 {
        let now = Instant::now();
        (now - std::mem::replace(&mut self.0, now)).as_secs_f64()
    }
}
