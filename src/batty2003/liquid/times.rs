//! Times of the parts of a step.

use web_time::Instant;

/// Seconds of a step's parts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Times {
    /// Motion and inflow of particles.
    pub advect: f64,
    /// Transfer of their velocities to the grid.
    pub transfer: f64,
    /// Computation of the surface.
    pub level_set: f64,
    /// Assembly of the system of the pressure.
    pub assemble: f64,
    /// Its solution.
    pub solve: f64,
    /// Projection and extrapolation of velocities.
    pub extrapolate: f64,
    /// Transfer of the grid's change of velocity to the particles.
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

    /// Their sum.
    pub fn total(&self) -> f64 {
        self.parts().iter().map(|part| part.1).sum()
    }
}

/// Stopwatch for the parts of a step.
pub(super) struct Clock(Instant);

impl Clock {
    /// Starts it.
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    /// Seconds since the last call.
    pub(super) fn lap(&mut self) -> f64 {
        let now = Instant::now();
        (now - std::mem::replace(&mut self.0, now)).as_secs_f64()
    }
}
