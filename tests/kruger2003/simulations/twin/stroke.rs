//! Strokes: `stroke.frag`.

use std::array::from_fn;

use fragstream::kruger2003::Stroke;
use fragstream::solver::Real;

use super::{Texture, clamp};

/// before + amount × the stroke's profile. `origin` is where the lower left corner of the cells
/// lies. The exponential function is taken in double precision and rounded.
pub fn stroke<T: Real, const CHANNELS: usize>(
    before: &Texture<T, CHANNELS>,
    origin: T,
    (stroke, with_ring): (&Stroke, bool),
    amount: [f32; CHANNELS],
) -> Texture<T, CHANNELS> {
    let exact = |v: f32| T::from_f64(f64::from(v));
    let (a, b) = (stroke.from.map(exact), stroke.to.map(exact));
    let (amount, radius) = (amount.map(exact), exact(stroke.shortest_radius()));
    let ring = exact(f32::from(with_ring));
    let along = [b[0] - a[0], b[1] - a[1]];
    let length = dot(along, along).max(T::from_f64(1e-12));
    Texture::render(before.size(), |here| {
        let from_a: [T; 2] = from_fn(|k| here[k] - origin - a[k]);
        let share = clamp(dot(from_a, along) / length, T::ZERO, T::ONE);
        let away: [T; 2] = from_fn(|k| from_a[k] - share * along[k]);
        let squared = dot(away, away) / (radius * radius);
        let bell = T::from_f64((-squared.to_f64()).exp());
        let shape = (T::ONE - ring * squared) * bell;
        let before = before.fetch(here);
        from_fn(|k| before[k] + shape * amount[k])
    })
}

fn dot<T: Real>(a: [T; 2], b: [T; 2]) -> T {
    a[0] * b[0] + a[1] * b[1]
}
