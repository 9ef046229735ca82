//! Reading between texels: `interpolate_linear.glsl` and `interpolate_cubic.glsl`.

use std::array::from_fn;

use fragstream::kruger2003::Interpolation;
use fragstream::solver::Real;

use super::{Texture, clamp};

/// `INTERPOLATE(s, p)`: the texture at a place, each channel by itself.
pub fn interpolate<T: Real, const CHANNELS: usize>(
    interpolation: Interpolation,
    texture: &Texture<T, CHANNELS>,
    place: [T; 2],
) -> [T; CHANNELS] {
    let half = T::from_f64(0.5);
    let low = place.map(|v| (v - half).floor() + half);
    let t = [place[0] - low[0], place[1] - low[1]];
    match interpolation {
        Interpolation::Linear => linear(texture, low, t),
        Interpolation::Cubic => cubic(texture, low, t),
    }
}

fn linear<T: Real, const CHANNELS: usize>(
    texture: &Texture<T, CHANNELS>,
    low: [T; 2],
    t: [T; 2],
) -> [T; CHANNELS] {
    let [a, b, c, d] = middle(texture, low);
    from_fn(|k| {
        let below = mix(a[k], b[k], t[0]);
        let above = mix(c[k], d[k], t[0]);
        mix(below, above, t[1])
    })
}

fn cubic<T: Real, const CHANNELS: usize>(
    texture: &Texture<T, CHANNELS>,
    low: [T; 2],
    t: [T; 2],
) -> [T; CHANNELS] {
    let rows = [-1, 0, 1, 2].map(|y| [-1, 0, 1, 2].map(|x| texture.beside(low, x, y)));
    let [a, b, c, d] = middle(texture, low);
    from_fn(|k| {
        let across = rows.map(|row| four(row.map(|record| record[k]), t[0]));
        let least = a[k].min(b[k]).min(c[k].min(d[k]));
        let most = a[k].max(b[k]).max(c[k].max(d[k]));
        clamp(four(across, t[1]), least, most)
    })
}

/// The four texels around a place: below, then above.
fn middle<T: Real, const CHANNELS: usize>(
    texture: &Texture<T, CHANNELS>,
    low: [T; 2],
) -> [[T; CHANNELS]; 4] {
    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| texture.beside(low, x, y))
}

/// `mix` of the programs' language.
pub(crate) fn mix<T: Real>(a: T, b: T, t: T) -> T {
    a * (T::ONE - t) + b * t
}

/// The cubic of Catmull and Rom between b and c.
fn four<T: Real>([a, b, c, d]: [T; 4], t: T) -> T {
    let [half, one_and_a_half, two, two_and_a_half] = [0.5, 1.5, 2.0, 2.5].map(T::from_f64);
    let slope = half * (c - a);
    let bend = a - two_and_a_half * b + two * c - half * d;
    let twist = half * (d - a) + one_and_a_half * (b - c);
    b + t * (slope + t * (bend + t * twist))
}
