//! The water of [`fragstream::kruger2003::simulation::water`].

use fragstream::kruger2003::{Stroke, WaterSettings};
use fragstream::solver::Real;

use super::stroke::stroke;
use super::{Stencil, Texture, step};

/// `water_right_hand_side.frag`: u + D u_before.
pub fn right_hand_side<T: Real>(
    settings: &WaterSettings,
    u: &Texture<T, 1>,
    u_before: &Texture<T, 1>,
) -> Texture<T, 1> {
    let damping = T::from_f64(settings.damping) / T::from_f64(2.0);
    let outlet = T::from_f64(settings.outlet());
    let (width, height) = u.size();
    let size = [width, height].map(|cells| T::from_f64(cells as f64));
    Texture::render(u.size(), |here| {
        let on_an_edge = |k: usize| {
            let (low, high) = (step(T::ONE, here[k]), step(size[k] - T::ONE, here[k]));
            (T::ONE - low) + high
        };
        let faces = on_an_edge(0) + on_an_edge(1);
        let [u, before] = [u.fetch(here)[0], u_before.fetch(here)[0]];
        [u + (damping + outlet * faces) * before]
    })
}

/// Water in main memory.
pub struct WaterTwin<T> {
    settings: WaterSettings,
    matrix: Stencil<T>,
    now: Texture<T, 1>,
    before: Texture<T, 1>,
    residual: f64,
    iterations: usize,
}

impl<T: Real> WaterTwin<T> {
    /// Water with these heights of all cells now and a step ago, rows from the bottom up.
    ///
    /// # Panics
    /// If the lengths are not those of the grid.
    pub fn new(settings: WaterSettings, now: &[f32], before: &[f32]) -> Self {
        let size = (settings.size.0 as usize, settings.size.1 as usize);
        let heights = |from: &[f32]| from.iter().map(|&u| [T::from_f64(f64::from(u))]).collect();
        Self {
            settings,
            matrix: Stencil::new(&settings.matrix()),
            now: Texture::new(size, heights(now)),
            before: Texture::new(size, heights(before)),
            residual: 0.0,
            iterations: 0,
        }
    }

    /// As [`fragstream::kruger2003::Water::push`].
    pub fn push(&mut self, along: &Stroke, speed: f32) {
        self.now = stroke(&self.now, T::ZERO, (along, true), [speed]);
    }

    /// One time step.
    pub fn step(&mut self) {
        let b = right_hand_side(&self.settings, &self.now, &self.before);
        let mut average = entries(&self.now);
        let criteria = self.settings.criteria();
        let outcome = self.matrix.solve(&entries(&b), &mut average, &criteria);
        self.residual = outcome.residual;
        self.iterations = outcome.iterations;
        let two = T::from_f64(2.0);
        let pairs = average.iter().zip(entries(&self.before));
        let after = pairs.map(|(&u, before)| [two * u - before]).collect();
        let size = self.now.size();
        self.before = std::mem::replace(&mut self.now, Texture::new(size, after));
    }

    /// The height of every cell.
    pub fn height(&self) -> Vec<T> {
        entries(&self.now)
    }

    /// The norm of the residual that the last step's iterations left.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    /// The iterations of the last step.
    pub fn iterations(&self) -> usize {
        self.iterations
    }
}

fn entries<T: Real>(texture: &Texture<T, 1>) -> Vec<T> {
    texture.records().iter().map(|&[entry]| entry).collect()
}
