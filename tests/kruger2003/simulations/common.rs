//! What the comparisons of kruger2003's simulations with their twins share.

use fragstream::kruger2003::{FluidSettings, Interpolation, Shore, Stroke, Walls, WaterSettings};
use fragstream::solver::Real;

use super::twin::Texture;
use fragstream::random::SplitMix64;

/// Columns and rows.
pub type Size = (usize, usize);

/// The smallest, narrow, long, odd and even.
pub const WATER_SIZES: [Size; 6] = [(2, 2), (2, 37), (41, 2), (3, 5), (33, 20), (64, 64)];
/// Likewise.
pub const FLUID_SIZES: [Size; 5] = [(4, 4), (4, 37), (41, 4), (5, 7), (33, 20)];

/// Water of this size with either shore, with damping and without. The numbers are exact in single
/// precision.
pub fn waters((width, height): Size) -> Vec<WaterSettings> {
    let shores = [Shore::Reflecting, Shore::Absorbing];
    let both = |shore| [0.0, 0.125].map(|damping| (shore, damping));
    let settings = |(shore, damping)| WaterSettings {
        courant: 0.75,
        damping,
        shore,
        ..WaterSettings::new(width as u32, height as u32)
    };
    shores.into_iter().flat_map(both).map(settings).collect()
}

/// Fluid of this size between all kinds of walls, with either interpolation, with viscosity and
/// without. The numbers are exact in single precision.
pub fn fluids((width, height): Size) -> Vec<FluidSettings> {
    let walls = [
        Walls::Slip,
        Walls::Stick { lid: 0.0 },
        Walls::Stick { lid: 1.5 },
    ];
    let mut all = Vec::new();
    for walls in walls {
        for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
            for viscosity in [0.0, 0.25] {
                all.push(FluidSettings {
                    dt: 0.75,
                    viscosity,
                    walls,
                    interpolation,
                    fade: 0.75,
                    ..FluidSettings::new(width as u32, height as u32)
                });
            }
        }
    }
    all
}

/// Strokes within a grid and beyond its edges: a point, one along the grid and one across it.
pub fn strokes((width, height): Size) -> [Stroke; 3] {
    let (width, height) = (width as f32, height as f32);
    [
        Stroke::at([0.3 * width, 0.6 * height], 2.5),
        Stroke {
            from: [-1.25, 0.5 * height],
            to: [0.7 * width, 0.5 * height],
            radius: 1.75,
        },
        Stroke {
            from: [0.2 * width, height + 3.0],
            to: [0.9 * width, 0.1 * height],
            radius: 3.25,
        },
    ]
}

/// Numbers with C channels per texel.
pub struct Field<const C: usize> {
    pub records: Vec<[f32; C]>,
}

impl<const C: usize> Field<C> {
    /// From −1 to 1.
    pub fn random(size: Size, random: &mut SplitMix64) -> Self {
        let record = |_| std::array::from_fn(|_| random.signed() as f32);
        let records = (0..size.0 * size.1).map(record).collect();
        Self { records }
    }

    /// Multiples of 1/64 up to `most`.
    pub fn coarse(size: Size, most: f32, random: &mut SplitMix64) -> Self {
        let mut field = Self::random(size, random);
        for number in field.records.as_flattened_mut() {
            *number = (*number * most * 64.0).round() / 64.0;
        }
        field
    }

    pub fn numbers(&self) -> &[f32] {
        self.records.as_flattened()
    }
}

/// All numbers of a texture.
pub fn numbers<T: Real, const C: usize>(texture: &Texture<T, C>) -> Vec<T> {
    texture.records().concat()
}
