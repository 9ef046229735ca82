//! The picture of a quantity that has a sign: `signed_picture.frag`.
//!
//! The other two pictures have no twin: their noise is the fraction of a sine times a large number,
//! of which single precision leaves no digit that another machine must have.

use std::array::from_fn;

use crate::kruger2003::Interpolation;
use crate::solver::Real;

use super::interpolate::{interpolate, mix};
use super::{Texture, clamp};

const DARK: [f64; 3] = [0.006, 0.007, 0.012];
/// Below zero: halfway to the brightest, and there.
const BELOW: [[f64; 3]; 2] = [[0.02, 0.17, 0.55], [0.55, 0.88, 1.0]];
/// Above zero.
const ABOVE: [[f64; 3]; 2] = [[0.62, 0.16, 0.02], [1.0, 0.86, 0.48]];

/// The samples of a picture, so many cells apart, in linear light; `most` has the brightest colour.
pub fn signed_picture<T: Real>(
    picture: (usize, usize),
    quantity: &Texture<T, 1>,
    spacing: T,
    most: T,
) -> Texture<T, 4> {
    let half = T::from_f64(0.5);
    let (width, height) = quantity.size();
    let size = [width, height].map(|cells| T::from_f64(cells as f64));
    Texture::render(picture, |here| {
        let place = from_fn(|k| clamp(here[k] * spacing, half, size[k] - half));
        let [value] = interpolate(Interpolation::Linear, quantity, place);
        let value = value / most;
        let [red, green, blue] = if value < T::ZERO {
            ramp(-value, BELOW)
        } else {
            ramp(value, ABOVE)
        };
        [red, green, blue, T::ONE]
    })
}

fn ramp<T: Real>(share: T, [middle, bright]: [[f64; 3]; 2]) -> [T; 3] {
    let twice = T::from_f64(2.0) * share;
    let (first, second) = (
        clamp(twice, T::ZERO, T::ONE),
        clamp(twice - T::ONE, T::ZERO, T::ONE),
    );
    from_fn(|k| {
        let [dark, middle, bright] = [DARK[k], middle[k], bright[k]].map(T::from_f64);
        mix(mix(dark, middle, first), bright, second)
    })
}
