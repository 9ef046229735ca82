//! The fluid of [`fragstream::kruger2003::simulation::navier_stokes`].
//!
//! Velocities are textures of u and v with two texels around the cells; dye and pressure have one
//! cell a texel.

use std::array::from_fn;

use fragstream::kruger2003::simulation::navier_stokes::BORDER;
use fragstream::kruger2003::{FluidSettings, Stroke};
use fragstream::solver::Real;

use super::interpolate::interpolate;
use super::stroke::stroke;
use super::{Stencil, Texture, clamp, step};

/// Columns and rows of cells.
fn cells(settings: &FluidSettings) -> (usize, usize) {
    (settings.size.0 as usize, settings.size.1 as usize)
}

/// Columns and rows of a velocity.
fn framed(settings: &FluidSettings) -> (usize, usize) {
    let ((width, height), border) = (cells(settings), BORDER as usize);
    (width + 2 * border, height + 2 * border)
}

fn size<T: Real>(settings: &FluidSettings) -> [T; 2] {
    let (width, height) = settings.size;
    [width, height].map(|cells| T::from_f64(f64::from(cells)))
}

/// `explicit.frag`: G and F on all sides of cells, zero elsewhere.
pub fn explicit<T: Real>(settings: &FluidSettings, velocity: &Texture<T, 2>) -> Texture<T, 2> {
    let [half, quarter, two, middle] = [0.5, 0.25, 2.0, 2.5].map(T::from_f64);
    let size = size::<T>(settings);
    Texture::render(framed(settings), |here| {
        let cell = here.map(|v| v - middle);
        if (0..2).any(|k| cell[k] < T::ZERO || cell[k] > size[k]) {
            return [T::ZERO; 2];
        }
        let center = velocity.fetch(here);
        let at = |x, y| velocity.beside(here, x, y);
        let v = quarter * (center[1] + at(-1, 0)[1] + at(0, 1)[1] + at(-1, 1)[1]);
        let u = quarter * (center[0] + at(0, -1)[0] + at(1, 0)[0] + at(1, -1)[0]);
        let carried = |place, speed, offset| carried(settings, velocity, place, speed, offset);
        let g = carried([cell[0], cell[1] + half], [center[0], v], [middle, two])[0];
        let f = carried([cell[0] + half, cell[1]], [u, center[1]], [two, middle])[1];
        let inside = |k: usize| step(half, cell[k]) * step(cell[k], size[k] - half);
        [inside(0) * g, inside(1) * f]
    })
}

/// What is carried, and spreads, to a place in cells from the corner; its nodes stand at `offset`.
fn carried<T: Real>(
    settings: &FluidSettings,
    velocity: &Texture<T, 2>,
    place: [T; 2],
    speed: [T; 2],
    offset: [T; 2],
) -> [T; 2] {
    let [dt, viscosity] = [settings.dt, settings.viscosity].map(T::from_f64);
    let size = size::<T>(settings);
    let p = from_fn(|k| clamp(place[k] - dt * speed[k], T::ZERO, size[k]) + offset[k]);
    let (value, spread) = (
        interpolate(settings.interpolation, velocity, p),
        laplacian(velocity, p),
    );
    from_fn(|k| value[k] + dt * viscosity * spread[k])
}

/// The sum of the differences to the four neighbours, at the node next to a place.
fn laplacian<T: Real>(velocity: &Texture<T, 2>, place: [T; 2]) -> [T; 2] {
    let node = place.map(|v| v.floor() + T::from_f64(0.5));
    let [right, left, above, below] =
        [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(x, y)| velocity.beside(node, x, y));
    let center = velocity.fetch(node);
    from_fn(|k| right[k] + left[k] + above[k] + below[k] - T::from_f64(4.0) * center[k])
}

/// u on the left and right side of the cell at a place, v on the lower and upper one.
fn sides<T: Real>(velocity: &Texture<T, 2>, place: [T; 2]) -> ([T; 2], [T; 2]) {
    let p = place.map(|v| v + T::from_f64(f64::from(BORDER)));
    let high = [velocity.beside(p, 1, 0)[0], velocity.beside(p, 0, 1)[1]];
    (velocity.fetch(p), high)
}

/// `divergence.frag`: the factor times the divergence of each cell.
pub fn divergence<T: Real>(
    settings: &FluidSettings,
    velocity: &Texture<T, 2>,
    factor: T,
) -> Texture<T, 1> {
    Texture::render(cells(settings), |here| {
        let (low, high) = sides(velocity, here);
        [factor * ((high[0] - low[0]) + (high[1] - low[1]))]
    })
}

/// `project.frag`: G and F without the gradient of the pressure, and what walls make of them.
pub fn project<T: Real>(
    settings: &FluidSettings,
    explicit: &Texture<T, 2>,
    pressure: &Texture<T, 1>,
) -> Texture<T, 2> {
    let [half, middle] = [0.5, 2.5].map(T::from_f64);
    let [dt, slip, lid] = {
        let [slip, lid] = settings.walls.slip_and_lid();
        [settings.dt, slip, lid].map(T::from_f64)
    };
    let size = size::<T>(settings);
    let reflected = |p: T, k: usize| size[k] - (size[k] - p.abs()).abs();
    let shifted = |p: [T; 2], by: T| p.map(|v| v + by);
    Texture::render(framed(settings), |here| {
        let node = shifted(here, -middle);
        // Across a wall, and along it.
        let across = |k: usize| {
            step(half, node[k]) * step(node[k], size[k] - half)
                - step(node[k], -half)
                - step(size[k] + half, node[k])
        };
        let along = |k: usize| {
            let behind = step(node[k], -half) + step(size[k] - half, node[k]);
            T::ONE + (slip - T::ONE) * behind
        };
        let new = |k: usize| {
            let shift = |other: usize| if other == k { T::ZERO } else { half };
            let at = from_fn(|j| reflected(node[j] + shift(j), j) - shift(j));
            let p = shifted(at, half);
            let back = [(-1, 0), (0, -1)][k];
            let gradient = pressure.fetch(p)[0] - pressure.beside(p, back.0, back.1)[0];
            explicit.fetch(shifted(at, middle))[k] - dt * gradient
        };
        let dragged = (T::ONE - slip) * lid * step(size[1] - half, node[1]);
        [
            across(0) * along(1) * new(0) + dragged,
            across(1) * along(0) * new(1),
        ]
    })
}

/// `carry_dye.frag`: what the fluid carries to each cell, faded.
pub fn carry_dye<T: Real>(
    settings: &FluidSettings,
    dye: &Texture<T, 4>,
    velocity: &Texture<T, 2>,
) -> Texture<T, 4> {
    let half = T::from_f64(0.5);
    let [dt, fade] = [settings.dt, settings.fade].map(T::from_f64);
    let size = size::<T>(settings);
    Texture::render(cells(settings), |here| {
        let (low, high) = sides(velocity, here);
        let before = from_fn(|k| {
            let from = here[k] - half * dt * (low[k] + high[k]);
            clamp(from, half, size[k] - half)
        });
        interpolate(settings.interpolation, dye, before).map(|light| fade * light)
    })
}

/// Fluid in main memory.
pub struct FluidTwin<T> {
    settings: FluidSettings,
    matrix: Stencil<T>,
    velocity: Texture<T, 2>,
    pressure: Vec<T>,
    dye: Texture<T, 4>,
    residual: f64,
    iterations: usize,
}

impl<T: Real> FluidTwin<T> {
    /// Fluid at rest, without dye.
    pub fn at_rest(settings: FluidSettings) -> Self {
        let cells = cells(&settings);
        Self {
            settings,
            matrix: Stencil::new(&settings.matrix()),
            velocity: Texture::zeros(framed(&settings)),
            pressure: vec![T::ZERO; cells.0 * cells.1],
            dye: Texture::zeros(cells),
            residual: 0.0,
            iterations: 0,
        }
    }

    /// Sets the velocity: u and v of all texels, those around the cells too.
    ///
    /// # Panics
    /// If there is not a pair a texel.
    pub fn set_velocity(&mut self, records: &[[f32; 2]]) {
        let exact = |v: f32| T::from_f64(f64::from(v));
        let records = records.iter().map(|pair| pair.map(exact)).collect();
        self.velocity = Texture::new(framed(&self.settings), records);
    }

    /// Sets the pressure of all cells, from which the next step's iterations start.
    ///
    /// # Panics
    /// If there is not one a cell.
    pub fn set_pressure(&mut self, pressure: &[f32]) {
        assert_eq!(pressure.len(), self.pressure.len());
        let exact = |&p: &f32| T::from_f64(f64::from(p));
        self.pressure = pressure.iter().map(exact).collect();
    }

    /// As [`fragstream::kruger2003::Fluid::push`].
    pub fn push(&mut self, along: &Stroke, change: [f32; 2]) {
        let origin = T::from_f64(f64::from(BORDER));
        self.velocity = stroke(&self.velocity, origin, (along, false), change);
    }

    /// As [`fragstream::kruger2003::Fluid::inject`].
    pub fn inject(&mut self, along: &Stroke, [red, green, blue]: [f32; 3]) {
        let amount = [red, green, blue, 0.0];
        self.dye = stroke(&self.dye, T::ZERO, (along, false), amount);
    }

    /// One time step.
    pub fn step(&mut self) {
        let settings = &self.settings;
        let explicit = explicit(settings, &self.velocity);
        let factor = -(T::ONE / T::from_f64(settings.dt));
        let b = divergence(settings, &explicit, factor);
        let b = b.records().iter().map(|&[b]| b).collect();
        if !settings.warm_start {
            self.pressure.fill(T::ZERO);
        }
        let criteria = settings.criteria();
        let outcome = self.matrix.solve(&b, &mut self.pressure, &criteria);
        self.residual = outcome.residual;
        self.iterations = outcome.iterations;
        let pressure = self.pressure.iter().map(|&p| [p]).collect();
        let pressure = Texture::new(cells(settings), pressure);
        self.velocity = project(settings, &explicit, &pressure);
        self.dye = carry_dye(settings, &self.dye, &self.velocity);
    }

    /// u on the left and v on the lower side of each cell, cell (0, 0) in texel (2, 2).
    pub fn velocity(&self) -> &Texture<T, 2> {
        &self.velocity
    }

    /// The pressure of each cell.
    pub fn pressure(&self) -> &[T] {
        &self.pressure
    }

    /// The dye of each cell.
    pub fn dye(&self) -> &Texture<T, 4> {
        &self.dye
    }

    /// The root of the mean squared divergence of the cells.
    pub fn divergence(&self) -> f64 {
        let divergence = divergence(&self.settings, &self.velocity, T::ONE);
        let squares = divergence.records().iter().map(|[d]| d.to_f64().powi(2));
        (squares.sum::<f64>() / divergence.records().len() as f64).sqrt()
    }

    /// The norm of the pressure's residual that the last step's iterations left.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    /// The iterations of the last step.
    pub fn iterations(&self) -> usize {
        self.iterations
    }
}
