//! The reference of the tone mapper's programs, on the CPU: the same arithmetic in the same order, in double
//! precision.

use crate::goodnight2003::{Norm, Reference, Settings, Solved};
use crate::io::hdr::{HdrImage, luminance};
use crate::solver::Criteria;
use crate::stream::Size;

use super::attenuation::PyramidLevel;
use super::colour::{DisplayRange, extremes};
use super::luminance::{EPSILON, Scene};
use super::result::picture;
use super::source::problem;
use super::{ToneMapError, ToneMapSettings, ToneMapped, panorama};

/// Tone-maps a picture, including the multigrid solver, with the cycles and
/// smoother of `solver`; the storage of its grids does not matter here.
///
/// # Errors
/// [`ToneMapError::Setting`], [`ToneMapError::Levels`]. A solve that does not converge is not an error.
pub fn tone_map(
    image: &HdrImage,
    settings: &ToneMapSettings,
    solver: &Settings,
    criteria: &Criteria,
) -> Result<ToneMapped, ToneMapError> {
    settings.check()?;
    let scene = Scene::of(image);
    let logarithm = log_luminance(&scene);
    let (f, levels) = if settings.periodic {
        let wide = log_luminance(&panorama::twice(&scene));
        let (attenuation, levels) = attenuation(&wide, settings)?;
        (divergence_round([&wide, &attenuation], scene.size), levels)
    } else {
        let (attenuation, levels) = attenuation(&logarithm, settings)?;
        (divergence(&logarithm, &attenuation), levels)
    };
    let unknown = problem(scene.size, settings.periodic)?;
    let host = Reference::new(&unknown, solver)?;
    let (mut solution, solve) = solved(host, f.values, solver, criteria)?;
    if settings.periodic {
        solution = panorama::opened(&solution, scene.size.0);
    }
    let original = extremes(&logarithm.values, settings);
    let range = DisplayRange::of(&solution, original, settings);
    let shown = colours_shown(&scene, &solution, range, settings.saturation);
    Ok(ToneMapped {
        picture: picture(image, scene.size.0, |pixel| shown[pixel]),
        logarithms: solution,
        original,
        range,
        levels,
        solve,
    })
}

/// I for this right-hand side, and the outcome of the solve.
fn solved(
    mut host: Reference,
    f: Vec<f64>,
    settings: &Settings,
    criteria: &Criteria,
) -> Result<(Vec<f64>, Solved), ToneMapError> {
    let tolerance = criteria.tolerance(Norm::L2.of(f.iter().copied()));
    host.set_right_side(f)?;
    let found = host.solve(settings.cycle, criteria);
    let solved = Solved {
        reason: found.outcome.reason,
        cycles: found.outcome.iterations,
        residual: found.outcome.residual,
        tolerance,
        rounding: 0.0,
        history: found.outcome.history,
    };
    Ok((found.u, solved))
}

/// One number per pixel, row by row from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Columns and rows.
    pub size: Size,
    /// The numbers.
    pub values: Vec<f64>,
}

impl Field {
    /// Computes a field by a formula of column and row.
    pub fn of(size: Size, mut formula: impl FnMut(i64, i64) -> f64) -> Self {
        let (width, height) = (i64::from(size.0), i64::from(size.1));
        let mut values = Vec::with_capacity((width * height) as usize);
        for y in 0..height {
            values.extend((0..width).map(|x| formula(x, y)));
        }
        Self { size, values }
    }

    /// The number at a position; outside the border, the one at the border.
    pub fn at(&self, x: i64, y: i64) -> f64 {
        let (width, height) = (i64::from(self.size.0), i64::from(self.size.1));
        let (x, y) = (x.clamp(0, width - 1), y.clamp(0, height - 1));
        self.values[(y * width + x) as usize]
    }
}

/// `luminance.frag`
pub fn log_luminance(scene: &Scene) -> Field {
    let colours = scene.colours.iter();
    Field {
        size: scene.size,
        values: colours.map(|&c| (luminance(c) + EPSILON).ln()).collect(),
    }
}

/// `halve.frag`, along the rows and then along the columns.
pub fn halved(fine: &Field) -> Field {
    let smoothed = |at: &dyn Fn(i64) -> f64| {
        let (far, near) = (at(-2) + at(2), at(-1) + at(1));
        0.0625 * (far + 4.0 * near + 6.0 * at(0))
    };
    let (width, height) = fine.size;
    let rows = Field::of((width.div_ceil(2), height), |x, y| {
        smoothed(&|d| fine.at(2 * x + d, y))
    });
    Field::of((rows.size.0, height.div_ceil(2)), |x, y| {
        smoothed(&|d| rows.at(x, 2 * y + d))
    })
}

/// `gradient.frag` on level k.
pub fn gradient(level: &Field, k: usize) -> Field {
    let spacing = (k as f64).exp2();
    let slope = |low: f64, high: f64, place: i64, side: u32| {
        let neighbours = [place > 0, place + 1 < i64::from(side)];
        let distance = neighbours.iter().filter(|there| **there).count().max(1);
        (high - low) / distance as f64
    };
    Field::of(level.size, |x, y| {
        let across = slope(level.at(x - 1, y), level.at(x + 1, y), x, level.size.0);
        let along = slope(level.at(x, y - 1), level.at(x, y + 1), y, level.size.1);
        (across * across + along * along).sqrt() / spacing
    })
}

/// `attenuation.frag` on all levels: Φ, and the measurements on each.
pub fn attenuation(
    logarithm: &Field,
    settings: &ToneMapSettings,
) -> Result<(Field, Vec<PyramidLevel>), ToneMapError> {
    let sizes = settings.level_sizes(logarithm.size)?;
    let mut levels = vec![logarithm.clone()];
    for _ in 1..sizes.len() {
        levels.push(halved(&levels[levels.len() - 1]));
    }
    let mut factor = Field::of(logarithm.size, |_, _| 1.0);
    let mut found = Vec::new();
    for (k, level) in levels.iter().enumerate().rev() {
        let gradient = gradient(level, k);
        let average_gradient = gradient.values.iter().sum::<f64>() / gradient.values.len() as f64;
        factor = attenuated(&gradient, average_gradient, &factor, settings);
        found.push(PyramidLevel {
            size: level.size,
            average_gradient,
        });
    }
    found.reverse();
    Ok((factor, found))
}

fn attenuated(
    gradient: &Field,
    average: f64,
    coarser: &Field,
    settings: &ToneMapSettings,
) -> Field {
    let [alpha, least] = settings.magnitudes(average);
    Field::of(gradient.size, |x, y| {
        let base = gradient.at(x, y).max(least) / alpha;
        interpolated(coarser, x, y) * base.powf(settings.beta - 1.0)
    })
}

/// A coarser level's value at a sample of the finer one: sample i is at 2i.
fn interpolated(coarser: &Field, x: i64, y: i64) -> f64 {
    let (left, top) = (x / 2, y / 2);
    let mix = |a: f64, b: f64, between: bool| if between { 0.5 * (a + b) } else { a };
    let row = |y| mix(coarser.at(left, y), coarser.at(left + 1, y), x % 2 == 1);
    mix(row(top), row(top + 1), y % 2 == 1)
}

/// `source.frag`: F of each pixel.
pub fn divergence(logarithm: &Field, attenuation: &Field) -> Field {
    let last = (logarithm.size.0 as i64 - 1, logarithm.size.1 as i64 - 1);
    let width = |place, last| {
        if place == 0 || place == last {
            0.5
        } else {
            1.0
        }
    };
    Field::of(logarithm.size, |x, y| {
        let towards = |dx, dy| {
            let factor = 0.5 * (attenuation.at(x, y) + attenuation.at(x + dx, y + dy));
            factor * (logarithm.at(x + dx, y + dy) - logarithm.at(x, y))
        };
        let across = towards(-1, 0) + towards(1, 0);
        let along = towards(0, -1) + towards(0, 1);
        width(y, last.1) * across + width(x, last.0) * along
    })
}

/// [`panorama::divergence`]
fn divergence_round([logarithm, attenuation]: [&Field; 2], size: Size) -> Field {
    let once = |field: &Field| Field {
        size: (size.0 + 2, size.1),
        values: panorama::wrapped(&field.values, size),
    };
    let f = divergence(&once(logarithm), &once(attenuation));
    Field {
        size: (size.0 + 1, size.1),
        values: panorama::closed(&f.values, size),
    }
}

/// `colour.frag`: red, green and blue in sRGB from 0 to 1.
pub fn colours_shown(
    scene: &Scene,
    solution: &[f64],
    range: DisplayRange,
    saturation: f64,
) -> Vec<[f64; 3]> {
    let tiny = 1e-30;
    let shown = |(&own, logarithm): (&[f32; 3], &f64)| {
        let light = luminance(own).max(tiny);
        let exposed = (range.gain * (logarithm - range.high)).exp();
        let new = (exposed - range.black) / (1.0 - range.black);
        own.map(|channel| {
            let ratio = (f64::from(channel) / light).max(tiny);
            srgb((ratio.powf(saturation) * new).clamp(0.0, 1.0))
        })
    };
    scene.colours.iter().zip(solution).map(shown).collect()
}

/// Converts a linear value from 0 to 1 to sRGB.
fn srgb(linear: f64) -> f64 {
    if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}
