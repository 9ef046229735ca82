//! Φ: the attenuation factor of each gradient, computed over the levels of a Gaussian pyramid
//! (Fattal et al. 2002, section 4).

use serde::Serialize;

use crate::stream::{
    Edges, Format, Machine, Pass, Reduce, Reduction, Size, Stream, StreamError, source,
};

use super::ToneMapSettings;
use crate::goodnight2003::Error;

/// Measurements on a level of the pyramid.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PyramidLevel {
    /// Columns and rows.
    pub size: Size,
    /// The average magnitude of its gradients per pixel of the picture.
    pub average_gradient: f64,
}

/// Φ for the pixels of H, one record each, and the measurements on each level, the finest first.
///
/// The averages are reductions whose results are read back: one record per level.
pub fn attenuation(
    logarithm: &Stream,
    settings: &ToneMapSettings,
) -> Result<(Stream, Vec<PyramidLevel>), Error> {
    let machine = logarithm.machine();
    let sizes = settings.level_sizes(logarithm.size())?;
    let mut coarser_levels = Vec::new();
    for _ in 1..sizes.len() {
        coarser_levels.push(halved(coarser_levels.last().unwrap_or(logarithm))?);
    }
    let levels = std::iter::once(logarithm).chain(&coarser_levels);
    let mut factor = Stream::from_data(machine, "no level", (1, 1), Format::R32F, &[1.0])?;
    let mut found = Vec::new();
    for (k, level) in levels.enumerate().collect::<Vec<_>>().into_iter().rev() {
        let gradient = gradient(level, k)?;
        let average_gradient = average(&gradient)?;
        // §5.2 (Fattal et al., section 4): Φ_k = interpolated Φ_k+1 times (g / α)^(β − 1)
        factor = attenuated(&gradient, average_gradient, &factor, settings)?;
        found.push(PyramidLevel { size: level.size(), average_gradient });
    }
    found.reverse();
    Ok((factor, found))
}

/// The next coarser level: filtered along the rows, then along the columns.
fn halved(fine: &Stream) -> Result<Stream, StreamError> {
    let (width, height) = fine.size();
    let rows = halved_along(fine, [1.0, 0.0], (width.div_ceil(2), height))?;
    let (width, height) = rows.size();
    halved_along(&rows, [0.0, 1.0], (width, height.div_ceil(2)))
}

fn halved_along(fine: &Stream, axis: [f32; 2], size: Size) -> Result<Stream, StreamError> {
    let machine = fine.machine();
    let kernel = machine.kernel(&source!(goodnight2003, "tonemap/halve"), &[])?;
    let pass = Pass::new(&kernel).read("fine", fine).set("axis", axis).set("size", fine.size());
    drawn(machine, "pyramid", size, pass)
}

/// The magnitudes of the gradients of level k.
fn gradient(level: &Stream, k: usize) -> Result<Stream, StreamError> {
    let machine = level.machine();
    let kernel = machine.kernel(&source!(goodnight2003, "tonemap/gradient"), &[])?;
    let pass = Pass::new(&kernel)
        .read("level", level)
        .set("size", level.size())
        .set("spacing", (k as f32).exp2());
    drawn(machine, "gradient", level.size(), pass)
}

/// The average of all records.
fn average(field: &Stream) -> Result<f64, StreamError> {
    let (machine, format) = (field.machine(), field.format());
    let sum = Reduction::new(machine, field.size(), format, Reduce::Sum, Edges::Bounded)?;
    Ok(f64::from(sum.of(field)?[0]) / field.full().area() as f64)
}

/// Φ of a level from that of the coarser one, or from a single record on the coarsest.
fn attenuated(
    gradient: &Stream,
    average: f64,
    coarser: &Stream,
    settings: &ToneMapSettings,
) -> Result<Stream, StreamError> {
    let machine = gradient.machine();
    let kernel = machine.kernel(&source!(goodnight2003, "tonemap/attenuation"), &[])?;
    let [alpha, least] = settings.magnitudes(average);
    let is_coarsest = coarser.size() == (1, 1);
    let pass = Pass::new(&kernel)
        .read("gradient", gradient)
        .read("coarser", coarser)
        .set("last", (coarser.width() - 1, coarser.height() - 1))
        .set("shrink", if is_coarsest { 0.0 } else { 0.5 })
        .set("alpha", alpha as f32)
        .set("exponent", (settings.beta - 1.0) as f32)
        .set("least", least as f32);
    drawn(machine, "attenuation", gradient.size(), pass)
}

/// A field of this size, drawn by a pass.
fn drawn(
    machine: &Machine,
    label: &str,
    size: Size,
    pass: Pass<'_>,
) -> Result<Stream, StreamError> {
    let field = Stream::zeros(machine, label, size, Format::R32F)?;
    pass.draw(&field, field.full())?;
    Ok(field)
}
