//! A liquid, and its steps.

use web_time::Instant;

use crate::base::parallel::parts;
use crate::batty2003::Error;
use crate::batty2003::system::{PressureSolver, System};
use crate::scene::{NotFinite, Setting};
use crate::solver::host::tree_dot;
use crate::solver::{Criteria, Ending, Outcome};

use super::grid::{Faces, Field};
use super::level_set::{level_set, surface, under_pressure, volume};
use super::particles::{PER_CELL, Particle, Particles, advect, to_grid, to_particles};
use super::projection::{
    Projection, closed_pockets, constrain, extrapolate, release_spray, remove_means,
};
use super::scene::{Inflow, Scene, Shape};
use super::solids::{Entering, Regions, Solids};

/// Number of steps in which the divergence offset compensates for a difference.
const RECOVERY: f64 = 4.0;

/// Largest growth or shrinkage per step due to the offset, relative.
const MOST_GROWTH: f64 = 0.01;

/// Maximum extrapolation depth in cells; anything faster moves ballistically.
const MOST_LAYERS: f64 = 30.0;

/// Largest distance, in layers, of faces of cells with φ < 0 from those that particles reach.
const BESIDE_PARTICLES: u8 = 2;

/// A liquid in a box.
#[derive(Debug)]
pub struct Liquid {
    scene: Scene,
    solids: Solids,
    regions: Regions,
    particles: Particles,
    /// Divergence-free, and extrapolated into air.
    velocity: Faces,
    level_set: Field,
    surface: Field,
    volume: f64,
    system: System<f64>,
    pressure: Vec<f64>,
    steps: usize,
}

/// Record of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Outcome of the pressure's solve.
    pub outcome: Outcome,
    /// Volume of the liquid after it (m³).
    pub volume: f64,
    /// Volume of the particles in each part of the box that solids separate (m³); it changes only by inflows, unless
    /// a solid leaks. Empty if there is one part.
    pub regions: Vec<f64>,
    /// Number of cells with unknown pressure.
    pub unknowns: usize,
    /// The lowest and the highest pressure (Pa).
    pub pressure: [f64; 2],
    /// ‖b‖: the norm of the divergence before the projection, in the system's scaling.
    pub divergence_before: f64,
    /// Divergence after it, from the new velocities.
    pub divergence_after: f64,
    /// Number of parts of the liquid without contact to air.
    pub closed_pockets: usize,
    /// Seconds of the solve.
    pub solve_seconds: f64,
    /// Seconds of all parts of the step.
    pub seconds: f64,
}

impl Liquid {
    /// Creates the scene at its start.
    pub fn new(scene: Scene) -> Result<Self, Error> {
        scene.check()?;
        let grid = scene.grid();
        let solids = Solids::new(grid, &scene.solids);
        let mut particles = Particles::new(grid, scene.seed);
        for body in &scene.liquids {
            particles.fill(&body.shape, &solids, body.velocity);
        }
        for inflow in &scene.inflows {
            particles.fill(&inflow.shape, &solids, inflow.velocity);
        }
        let level_set = level_set(&particles, &solids, grid);
        let surface = surface(&level_set, grid);
        let (mut velocity, mut known) = to_grid(&particles, grid);
        let layers = layers(&velocity, scene.time_step, 0)?;
        extrapolate(&mut velocity, &mut known, layers);
        constrain(&mut velocity, &solids);
        Ok(Self {
            volume: volume(&surface, &solids, grid),
            system: System::zeros(scene.size),
            pressure: vec![0.0; grid.cells()],
            steps: 0,
            scene,
            regions: Regions::new(&solids.open),
            solids,
            particles,
            velocity,
            level_set,
            surface,
        })
    }

    /// Advances by one step of the scene's length.
    pub fn step(
        &mut self,
        solver: &mut dyn PressureSolver,
        criteria: &Criteria,
    ) -> Result<Step, Error> {
        let (grid, time_step) = (self.scene.grid(), self.scene.time_step);
        let start = Instant::now();
        advect(&mut self.particles, &self.velocity, &self.solids, time_step);
        self.particles.sort();
        self.apply_inflows();

        let (mut velocity, mut known) = to_grid(&self.particles, grid);
        let layers = layers(&velocity, time_step, self.steps)?;
        extrapolate(&mut velocity, &mut known, BESIDE_PARTICLES);

        self.level_set = level_set(&self.particles, &self.solids, grid);
        self.surface = surface(&self.level_set, grid);
        self.volume = volume(&self.surface, &self.solids, grid);

        let regions = self.volumes_of_regions();
        let before = velocity.clone();
        accelerate(&mut velocity, self.scene.gravity, time_step);
        let liquid = under_pressure(&self.surface, &self.level_set, &self.solids, grid);
        let projection = Projection {
            level_set: &liquid,
            open: &self.solids.open,
            time_step,
            density: self.scene.density,
        };
        let offset = self.divergence_offset();
        let entering = Entering::new(&self.solids, self.inflows());
        let wanted = |cell| {
            let entering = entering.as_ref().map_or(0.0, |entering| entering.divergence(cell));
            offset * self.solids.openness(cell) - entering
        };
        self.system = projection.matrix();
        let pockets = closed_pockets(&self.system);
        let right_side = |system: &System<f64>, velocity: &Faces| {
            let mut right_side = projection.right_side(system, velocity, wanted);
            remove_means(&mut right_side, &pockets);
            right_side
        };
        self.system.right_side = right_side(&self.system, &velocity);
        let divergence_before = norm(&self.system.right_side);

        let solving = Instant::now();
        let outcome = solver.solve(&self.system, &mut self.pressure, criteria)?;
        let solve_seconds = solving.elapsed().as_secs_f64();
        let (left, tolerance) =
            (self.system.residual(&self.pressure), criteria.tolerance(divergence_before));
        let ending = Ending::judge(outcome.reason, &left, norm, tolerance);
        if !ending.is_converged() {
            let (step, iterations) = (self.steps + 1, outcome.iterations);
            return Err(Error::Unconverged { step, iterations, reason: ending });
        }

        let mut known = projection.project(&mut velocity, &self.pressure);
        release_spray(&mut known, &self.level_set, &liquid, grid);
        let divergence_after = norm(&right_side(&self.system, &velocity));
        extrapolate(&mut velocity, &mut known, layers);
        constrain(&mut velocity, &self.solids);
        if let Some(entering) = &entering {
            entering.constrain(&mut velocity, &self.solids);
        }

        let flip = self.scene.flip;
        to_particles(&mut self.particles, &blend(&velocity, before, flip), flip);
        self.velocity = velocity;
        self.steps += 1;
        let range = |[low, high]: [f64; 2], &p: &f64| [low.min(p), high.max(p)];
        Ok(Step {
            pressure: self.pressure.iter().fold([0.0; 2], range),
            outcome,
            volume: self.volume,
            regions,
            unknowns: self.system.unknowns(),
            divergence_before,
            divergence_after,
            closed_pockets: pockets.len(),
            solve_seconds,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Volume of the particles in each region, if there are several.
    fn volumes_of_regions(&self) -> Vec<f64> {
        let Regions { of, count } = &self.regions;
        if *count < 2 {
            return Vec::new();
        }
        let mut particles = vec![0; *count];
        for (cell, region) in of.iter().enumerate() {
            if let Some(region) = *region {
                particles[region] += self.particles.within(cell, cell).len();
            }
        }
        let each = self.scene.spacing.powi(3) / PER_CELL as f64;
        particles.into_iter().map(|count| count as f64 * each).collect()
    }

    /// The inflows that have not ended.
    fn inflows(&self) -> impl Iterator<Item = &Inflow> {
        let time = self.steps as f64 * self.scene.time_step;
        let open = move |inflow: &&Inflow| inflow.until.is_none_or(|until| time < until);
        self.scene.inflows.iter().filter(open)
    }

    /// Applies the inflows during a step.
    fn apply_inflows(&mut self) {
        let inflows: Vec<Inflow> = self.inflows().cloned().collect();
        let time = self.scene.time_step;
        for Inflow { shape, velocity, .. } in &inflows {
            self.particles.set_velocity(shape, *velocity);
            self.particles.refill(shape, &self.solids, *velocity, time);
        }
    }

    /// The divergence (1/s) that compensates for lost or gained volume, if the scene asks for it. The
    /// right volume is given by the number of particles.
    fn divergence_offset(&self) -> f64 {
        if !self.scene.keep_volume || self.volume == 0.0 {
            return 0.0;
        }
        let cell = self.scene.spacing.powi(3);
        let wanted = self.particles.all().len() as f64 * cell / PER_CELL as f64;
        let growth = (wanted - self.volume) / self.volume / RECOVERY;
        growth.clamp(-MOST_GROWTH, MOST_GROWTH) / self.scene.time_step
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Number of steps done.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The particles, in the order of the cells they were in at the start of the last step.
    pub fn particles(&self) -> &[Particle] {
        self.particles.all()
    }

    /// The signed distance (m) at the cells' centres from the surface that encloses the liquid's
    /// volume, negative inside, for a few cells on either side: the surface to be drawn.
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

    /// Volume of the liquid at the last step (m³): the volume inside [`Liquid::surface`].
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// Accelerates the liquid within `radius` of a position (m) by up to `velocity` (m/s), most in
    /// the middle.
    pub fn push(&mut self, at: [f64; 3], velocity: [f64; 3], radius: f64) {
        let (at, velocity) = (at.map(|x| x as f32), velocity.map(|v| v as f32));
        let per_radius = 1.0 / radius as f32;
        self.particles.update(|particle| {
            let away = [0, 1, 2].map(|d| (particle.position[d] - at[d]) * per_radius);
            let near = 1.0 - away.iter().map(|a| a * a).sum::<f32>();
            if near > 0.0 {
                for (own, change) in particle.velocity.iter_mut().zip(velocity) {
                    *own += near * near * change;
                }
            }
        });
    }

    /// Fills the empty part of a shape with liquid of a velocity (m/s).
    pub fn pour(&mut self, shape: &Shape, velocity: [f64; 3]) -> Result<(), Setting> {
        shape.check()?;
        Setting::vector("a component of the velocity", &velocity)?;
        self.particles.fill(shape, &self.solids, velocity);
        Ok(())
    }
}

/// u ← u + Δt g
fn accelerate(velocity: &mut Faces, gravity: [f64; 3], time_step: f64) {
    for (axis, gravity) in gravity.into_iter().enumerate() {
        parts(&mut velocity.across[axis], 1 << 12, &|_, faces| {
            faces.iter_mut().for_each(|u| *u += time_step * gravity);
        });
    }
}

/// u − flip u_before: the input of [`to_particles`].
fn blend(now: &Faces, mut before: Faces, flip: f64) -> Faces {
    for axis in 0..3 {
        parts(&mut before.across[axis], 1 << 12, &|first, before| {
            for (before, now) in before.iter_mut().zip(&now.across[axis][first..]) {
                *before = now - flip * *before;
            }
        });
    }
    before
}

/// Number of layers of air that particles may reach in a step, plus two. Fails, naming the number of steps,
/// if the velocity is not finite.
fn layers(velocity: &Faces, time_step: f64, steps: usize) -> Result<u8, NotFinite> {
    let fastest =
        velocity.across.iter().flatten().fold(0.0, |fastest: f64, u| {
            if u.is_nan() { f64::INFINITY } else { fastest.max(u.abs()) }
        });
    let cells = fastest * time_step / velocity.grid.spacing;
    if cells.is_finite() {
        Ok(cells.ceil().min(MOST_LAYERS) as u8 + 2)
    } else {
        Err(NotFinite { what: "the liquid's velocity", steps, remedy: "take a shorter time step" })
    }
}

fn norm(vector: &[f64]) -> f64 {
    tree_dot(vector, vector).sqrt()
}
