//! Tone mapping on the GPU, from the input picture to the result.

use crate::goodnight2003::{Settings, Solver};
use crate::io::hdr::HdrImage;
use crate::solver::Criteria;
use crate::stream::{Machine, Stream};

use super::attenuation::{PyramidLevel, attenuation};
use super::colour::{DisplayRange, colours_shown, extremes};
use super::luminance::{Scene, log_luminance};
use super::panorama::{self, opened};
use super::result::picture;
use super::source::{draw_divergence, problem};
use super::{ToneMapError, ToneMapSettings, ToneMapped};

/// Compresses a picture's range. `observer` receives the number of cycles of the solver done and the
/// norm of the residual.
///
/// Besides the picture, the CPU reads back the average gradient of each level, H and I to
/// find their ranges, and the solver's measurements for stopping.
///
/// # Errors
/// [`ToneMapError::Setting`], [`ToneMapError::Levels`]; a picture too large for the driver. A solve
/// that does not converge is not an error.
pub fn tone_map(
    machine: &Machine,
    image: &HdrImage,
    settings: &ToneMapSettings,
    solver: &Settings,
    criteria: &Criteria,
    observer: impl FnMut(usize, f64),
) -> Result<ToneMapped, ToneMapError> {
    settings.check()?;
    let scene = Scene::of(image);
    let colours = scene.upload(machine)?;
    let (mut solver, levels, original) = equation(&colours, &scene, settings, solver)?;
    let solve = solver.solve(criteria, observer)?;

    let (surface, place) = solver.state();
    let records = surface.read_rect(place)?;
    let logarithms: Vec<f64> = records.iter().step_by(4).map(|i| f64::from(*i)).collect();
    let logarithms = if settings.periodic {
        opened(&logarithms, scene.size.0)
    } else {
        logarithms
    };
    let range = DisplayRange::of(&logarithms, original, settings);
    let shown = colours_shown(&colours, surface, range, settings.saturation)?.read()?;
    Ok(ToneMapped {
        picture: picture(image, scene.size.0, |pixel| {
            [0, 1, 2].map(|channel| f64::from(shown[4 * pixel + channel]))
        }),
        logarithms,
        original,
        range,
        levels,
        solve,
    })
}

/// The Poisson equation of these colours, ready to be solved from zero; the measurements on each level;
/// and the extremes of H.
fn equation(
    colours: &Stream,
    scene: &Scene,
    settings: &ToneMapSettings,
    solver: &Settings,
) -> Result<(Solver, Vec<PyramidLevel>, [f64; 2]), ToneMapError> {
    let machine = colours.machine();
    let logarithm = log_luminance(colours)?;
    let logarithms: Vec<f64> = logarithm.read()?.into_iter().map(f64::from).collect();
    let wide = if settings.periodic {
        Some(log_luminance(&panorama::twice(scene).upload(machine)?)?)
    } else {
        None
    };
    let (factor, levels) = attenuation(wide.as_ref().unwrap_or(&logarithm), settings)?;
    let problem = problem(scene.size, settings.periodic)?;
    let mut solver = Solver::new(machine, &problem, solver)?;
    match wide {
        Some(wide) => {
            let f = panorama::divergence(machine, [&wide, &factor], scene.size)?;
            solver.set_source(&f)?;
        }
        None => {
            solver.update(|_, target, place| draw_divergence(&logarithm, &factor, target, place))?
        }
    }
    Ok((solver, levels, extremes(&logarithms, settings)))
}
