//! The programs of the tone mapper on the CPU: the same arithmetic in the same order, in single or
//! double precision. Logarithms, exponentials and powers are rounded from double precision.

use crate::goodnight2003::{HostOptions, HostSolver, Problem, Settings};
use crate::io::hdr::{HdrImage, LUMINANCE};
use crate::solver::{Criteria, Real, Reason};

use super::attenuation::PyramidLevel;
use super::colour::{DisplayRange, extremes};
use super::luminance::{EPSILON, Scene};
use super::result::picture;
use super::source::problem;
use super::{Solve, ToneMapError, ToneMapSettings, ToneMapped, panorama};

/// All of tone mapping in one precision, the multigrid solver included: with the same cycles and
/// smoother as `solver` has them; where its grids lie is no matter here.
///
/// # Errors
/// [`ToneMapError::Setting`], [`ToneMapError::Levels`]. A solve that does not converge is no error.
pub fn tone_map<T: Real>(
    image: &HdrImage,
    settings: &ToneMapSettings,
    solver: &Settings,
    criteria: &Criteria,
) -> Result<ToneMapped, ToneMapError> {
    settings.check()?;
    let scene = Scene::of(image);
    let logarithm = log_luminance::<T>(&scene);
    let (solution, solve, levels) = match settings.periodic {
        true => {
            let wide = log_luminance::<T>(&panorama::twice(&scene));
            let (attenuation, levels) = attenuation(&wide, settings)?;
            let f = divergence_round([&wide, &attenuation], scene.size);
            let unknown = panorama::problem(scene.size, vec![0.0; f.values.len()])?;
            let (solution, solve) = solved(unknown, &f, solver, criteria)?;
            (panorama::opened(&solution, scene.size.0), solve, levels)
        }
        false => {
            let (attenuation, levels) = attenuation(&logarithm, settings)?;
            let divergence = divergence(&logarithm, &attenuation);
            let (solution, solve) = solve(&divergence, solver, criteria)?;
            (solution, solve, levels)
        }
    };
    let logarithms: Vec<f64> = solution.iter().map(|value| value.to_f64()).collect();
    let original: Vec<f64> = logarithm
        .values
        .iter()
        .map(|value| value.to_f64())
        .collect();
    let original = extremes(&original, settings);
    let range = DisplayRange::of(&logarithms, original, settings);
    let shown = colours_shown(&scene, &solution, range, settings.saturation);
    Ok(ToneMapped {
        picture: picture(image, scene.size.0, |pixel| shown[pixel].map(T::to_f64)),
        logarithms,
        original,
        range,
        levels,
        solve,
    })
}

/// I of this divergence, and how it was found.
pub fn solve<T: Real>(
    divergence: &Field<T>,
    settings: &Settings,
    criteria: &Criteria,
) -> Result<(Vec<T>, Solve), ToneMapError> {
    let unknown = problem(divergence.size, vec![0.0; divergence.values.len()])?;
    solved(unknown, divergence, settings, criteria)
}

/// The solution of this problem with another right side.
fn solved<T: Real>(
    unknown: Problem,
    divergence: &Field<T>,
    settings: &Settings,
    criteria: &Criteria,
) -> Result<(Vec<T>, Solve), ToneMapError> {
    let options = HostOptions {
        smoother: settings.smoother,
        coarsest_sweeps: settings.coarsest_sweeps,
        levels: settings.levels.unwrap_or(u32::MAX),
    };
    let mut solver = HostSolver::<T>::new(&unknown, options)?;
    let values: Vec<f64> = divergence.values.iter().map(|f| f.to_f64()).collect();
    let right_side = values.iter().map(|f| f * f).sum::<f64>().sqrt();
    solver.set_right_side(values)?;
    let found = solver.solve(settings.cycle, criteria);
    let solve = Solve {
        reason: found.outcome.reason,
        cycles: found.outcome.iterations,
        residual: found.true_residual,
        tolerance: criteria.tolerance(right_side),
        is_solved: found.outcome.reason == Reason::Converged,
    };
    Ok((found.u, solve))
}

/// A number a pixel, row by row from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct Field<T> {
    /// Columns and rows.
    pub size: (u32, u32),
    /// The numbers.
    pub values: Vec<T>,
}

impl<T: Real> Field<T> {
    /// The field of a formula of column and row.
    pub fn of(size: (u32, u32), mut formula: impl FnMut(i64, i64) -> T) -> Self {
        let (width, height) = (i64::from(size.0), i64::from(size.1));
        let mut values = Vec::with_capacity((width * height) as usize);
        for y in 0..height {
            values.extend((0..width).map(|x| formula(x, y)));
        }
        Self { size, values }
    }

    /// The number at a place; beyond the border, that at the border.
    pub fn at(&self, x: i64, y: i64) -> T {
        let (width, height) = (i64::from(self.size.0), i64::from(self.size.1));
        let (x, y) = (x.clamp(0, width - 1), y.clamp(0, height - 1));
        self.values[(y * width + x) as usize]
    }
}

/// A function of double precision, rounded.
fn rounded<T: Real>(x: T, function: impl Fn(f64) -> f64) -> T {
    T::from_f64(function(x.to_f64()))
}

fn luminance<T: Real>(colour: [T; 3]) -> T {
    let weight = |channel: usize| T::from_f64(LUMINANCE[channel]) * colour[channel];
    weight(0) + weight(1) + weight(2)
}

/// The colour of a pixel in this precision.
fn colour<T: Real>(scene: &Scene, index: usize) -> [T; 3] {
    scene.colours[index].map(|channel| T::from_f64(f64::from(channel)))
}

/// `tonemap_luminance.frag`
pub fn log_luminance<T: Real>(scene: &Scene) -> Field<T> {
    let logarithm = |index| {
        let sum = luminance(colour::<T>(scene, index)) + T::from_f64(EPSILON);
        rounded(sum, f64::ln)
    };
    Field {
        size: scene.size,
        values: (0..scene.colours.len()).map(logarithm).collect(),
    }
}

/// `tonemap_halve.frag`, along the rows and then along the columns.
pub fn halved<T: Real>(fine: &Field<T>) -> Field<T> {
    let [sixteenth, four, six] = [0.0625, 4.0, 6.0].map(T::from_f64);
    let smoothed = |at: &dyn Fn(i64) -> T| {
        let (far, near) = (at(-2) + at(2), at(-1) + at(1));
        sixteenth * (far + four * near + six * at(0))
    };
    let (width, height) = fine.size;
    let rows = Field::of((width.div_ceil(2), height), |x, y| {
        smoothed(&|d| fine.at(2 * x + d, y))
    });
    Field::of((rows.size.0, height.div_ceil(2)), |x, y| {
        smoothed(&|d| rows.at(x, 2 * y + d))
    })
}

/// `tonemap_gradient.frag` on level k.
pub fn gradient<T: Real>(level: &Field<T>, k: usize) -> Field<T> {
    let spacing = T::from_f64((k as f64).exp2());
    let slope = |low: T, high: T, place: i64, side: u32| {
        let neighbours = [place > 0, place + 1 < i64::from(side)];
        let distance = neighbours.iter().filter(|there| **there).count().max(1);
        (high - low) / T::from_f64(distance as f64)
    };
    Field::of(level.size, |x, y| {
        let across = slope(level.at(x - 1, y), level.at(x + 1, y), x, level.size.0);
        let along = slope(level.at(x, y - 1), level.at(x, y + 1), y, level.size.1);
        (across * across + along * along).sqrt() / spacing
    })
}

/// `tonemap_attenuation.frag` on all levels: Φ, and what was found on each.
pub fn attenuation<T: Real>(
    logarithm: &Field<T>,
    settings: &ToneMapSettings,
) -> Result<(Field<T>, Vec<PyramidLevel>), ToneMapError> {
    let sizes = settings.level_sizes(logarithm.size)?;
    let mut levels = vec![logarithm.clone()];
    for _ in 1..sizes.len() {
        levels.push(halved(&levels[levels.len() - 1]));
    }
    let mut factor: Option<Field<T>> = None;
    let mut found = Vec::new();
    for (k, level) in levels.iter().enumerate().rev() {
        let gradient = gradient(level, k);
        let sum: f64 = gradient.values.iter().map(|g| g.to_f64()).sum();
        let average_gradient = sum / gradient.values.len() as f64;
        factor = Some(attenuated(
            &gradient,
            average_gradient,
            factor.as_ref(),
            settings,
        ));
        found.push(PyramidLevel {
            size: level.size,
            average_gradient,
        });
    }
    found.reverse();
    let none = || Field::of(logarithm.size, |_, _| T::ONE);
    Ok((factor.unwrap_or_else(none), found))
}

fn attenuated<T: Real>(
    gradient: &Field<T>,
    average: f64,
    coarser: Option<&Field<T>>,
    settings: &ToneMapSettings,
) -> Field<T> {
    let [alpha, least] = settings.magnitudes(average).map(T::from_f64);
    let exponent = T::from_f64(settings.beta - 1.0);
    Field::of(gradient.size, |x, y| {
        let base = gradient.at(x, y).max(least) / alpha;
        let own = rounded(base, |base| base.powf(exponent.to_f64()));
        coarser.map_or(T::ONE, |coarser| interpolated(coarser, x, y)) * own
    })
}

/// A coarser level's value at a sample of the finer one: sample i stands at 2i.
fn interpolated<T: Real>(coarser: &Field<T>, x: i64, y: i64) -> T {
    let half = T::from_f64(0.5);
    let (left, top) = (x / 2, y / 2);
    let mix = |a: T, b: T, between: bool| match between {
        true => a * (T::ONE - half) + b * half,
        false => a,
    };
    let row = |y| mix(coarser.at(left, y), coarser.at(left + 1, y), x % 2 == 1);
    mix(row(top), row(top + 1), y % 2 == 1)
}

/// `tonemap_source.frag`: F of each pixel.
pub fn divergence<T: Real>(logarithm: &Field<T>, attenuation: &Field<T>) -> Field<T> {
    let half = T::from_f64(0.5);
    let last = (logarithm.size.0 as i64 - 1, logarithm.size.1 as i64 - 1);
    let width = |place, last| {
        if place == 0 || place == last {
            half
        } else {
            T::ONE
        }
    };
    Field::of(logarithm.size, |x, y| {
        let towards = |dx, dy| {
            let factor = half * (attenuation.at(x, y) + attenuation.at(x + dx, y + dy));
            factor * (logarithm.at(x + dx, y + dy) - logarithm.at(x, y))
        };
        let across = towards(-1, 0) + towards(1, 0);
        let along = towards(0, -1) + towards(0, 1);
        width(y, last.1) * across + width(x, last.0) * along
    })
}

/// [`panorama::divergence`]
fn divergence_round<T: Real>(
    [logarithm, attenuation]: [&Field<T>; 2],
    size: (u32, u32),
) -> Field<T> {
    let once = |field: &Field<T>| Field {
        size: (size.0 + 2, size.1),
        values: panorama::wrapped(&field.values, size),
    };
    let f = divergence(&once(logarithm), &once(attenuation));
    Field {
        size: (size.0 + 1, size.1),
        values: panorama::closed(&f.values, size),
    }
}

/// `tonemap_colour.frag`: red, green and blue in sRGB from 0 to 1.
pub fn colours_shown<T: Real>(
    scene: &Scene,
    solution: &[T],
    range: DisplayRange,
    saturation: f64,
) -> Vec<[T; 3]> {
    let tiny = T::from_f64(1e-30);
    let [white, gain, black, saturation] =
        [range.high, range.gain, range.black, saturation].map(T::from_f64);
    let shown = |(index, &logarithm): (usize, &T)| {
        let own: [T; 3] = colour(scene, index);
        let light = luminance(own).max(tiny);
        let new = (rounded(gain * (logarithm - white), f64::exp) - black) / (T::ONE - black);
        own.map(|channel| {
            let ratio = (channel / light).max(tiny);
            let kept = rounded(ratio, |ratio| ratio.powf(saturation.to_f64()));
            srgb((kept * new).max(T::ZERO).min(T::ONE))
        })
    };
    solution.iter().enumerate().map(shown).collect()
}

/// A linear value from 0 to 1 as a screen takes it.
pub fn srgb<T: Real>(linear: T) -> T {
    let [end, slope, scale, offset] = [0.003_130_8, 12.92, 1.055, 0.055].map(T::from_f64);
    if linear <= end {
        slope * linear
    } else {
        scale * rounded(linear, |value| value.powf(1.0 / 2.4)) - offset
    }
}
