//! The fluid on the CPU: the same step over [formulas](super::formulas) and over grids in main
//! memory, in single or double precision (Bolz et al. 2003, section 4.1).

use fragstream::bolz2003::Error;
use fragstream::bolz2003::fluid::Settings;
use fragstream::bolz2003::fluid::domain::{conditions, viscous_problems};
use fragstream::bolz2003::grid::geometry::Grid;
use fragstream::bolz2003::grid::reference::Reference;
use fragstream::bolz2003::grid::stencil::Stencils;
use fragstream::solver::{Hierarchy, Multigrid, Real};

use super::formulas as twin;

/// The velocity of a fluid, and what a step needs.
pub struct FluidTwin<T> {
    settings: Settings,
    grid: Grid,
    pressure: Reference<T>,
    viscous: Option<[Reference<T>; 2]>,
    sides: Vec<[T; 4]>,
    force: Option<Vec<[T; 2]>>,
    velocity: Vec<[T; 2]>,
}

impl<T: Real> FluidTwin<T> {
    /// A fluid at rest.
    pub fn at_rest(settings: Settings) -> Result<Self, Error> {
        let grid = settings.check()?;
        let operator = |grid, sigma| {
            let stencils = Stencils::helmholtz(grid, |_, _| 1.0, |_, _| sigma);
            Reference::new(stencils, &settings.hierarchy)
        };
        let viscous = viscous_problems(&grid, &settings)
            .map(|(grids, sigma)| grids.map(|grid| operator(grid, sigma)));
        let sides = conditions(&grid, &settings);
        Ok(Self {
            pressure: operator(grid, 0.0),
            viscous,
            sides: from_single(&sides),
            force: None,
            velocity: vec![[T::ZERO; 2]; grid.nodes()],
            settings,
            grid,
        })
    }

    /// The velocity of every node, in grid spaces a unit of time.
    pub fn velocity(&self) -> &[[T; 2]] {
        &self.velocity
    }

    /// Sets the velocity of every node; there must be as many as nodes.
    pub fn set_velocity(&mut self, velocity: &[[f32; 2]]) {
        self.velocity = from_single(velocity);
    }

    /// Sets the body force of every node, a mass, from the next step on; as many as nodes.
    pub fn set_force(&mut self, force: &[[f32; 2]]) {
        self.force = Some(from_single(force));
    }

    /// One step.
    pub fn step(&mut self) {
        let dt = T::from_f64(self.settings.dt);
        let mut moved = twin::advect(&self.grid, &self.velocity, &self.velocity, dt);
        if let Some(force) = &self.force {
            moved = twin::add_force(&moved, force, dt);
        }
        let correction = self.outflow_correction(&moved);
        let mut components = twin::impose_sides(&self.grid, &moved, &self.sides, correction);
        self.diffuse(&mut components);
        self.project(&components);
    }

    /// What balances inflow and outflow; nothing where no side is open.
    fn outflow_correction(&self, velocity: &[[T; 2]]) -> T {
        self.settings.inlet.map_or(T::ZERO, |inlet| {
            let strips = twin::outflow_strips(&self.grid, velocity);
            twin::outflow_correction(&self.grid, &strips, T::from_f64(inlet.flux()))
        })
    }

    /// (1 − ν Δt ∇²) u* = u for each component, solved for what is to be added to u.
    fn diffuse(&self, components: &mut [Vec<T>; 2]) {
        let zero = vec![T::ZERO; self.grid.nodes()];
        for (operator, component) in self.viscous.iter().flatten().zip(components) {
            let laplacian = self.pressure.residual(0, &zero, component);
            let change = self.solve(operator, &laplacian);
            let pairs = component.iter_mut().zip(change);
            pairs.for_each(|(component, change)| *component += change);
        }
    }

    /// u ← u − ∇q, where A q = −∇·u.
    fn project(&mut self, [u_x, u_y]: &[Vec<T>; 2]) {
        let q = self.solve(&self.pressure, &twin::divergence(&self.grid, u_x, u_y));
        let u_x = twin::subtract_gradient(&self.grid, u_x, &q, 0);
        let u_y = twin::subtract_gradient(&self.grid, u_y, &q, 1);
        self.velocity = u_x.into_iter().zip(u_y).map(<[T; 2]>::from).collect();
    }

    /// As many cycles as the settings say, from zero.
    fn solve(&self, operator: &Reference<T>, b: &Vec<T>) -> Vec<T> {
        let Ok(mut u) = operator.zeros(0);
        let Ok(mut multigrid) = Multigrid::new(operator, self.settings.cycle);
        let Ok(()) = multigrid.cycles(self.settings.cycles, b, &mut u);
        u
    }
}

/// The same numbers in this precision.
fn from_single<T: Real, const CHANNELS: usize>(records: &[[f32; CHANNELS]]) -> Vec<[T; CHANNELS]> {
    let precise = |record: &[f32; CHANNELS]| record.map(|value| T::from_f64(f64::from(value)));
    records.iter().map(precise).collect()
}
