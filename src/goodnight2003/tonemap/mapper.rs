//! The whole tone mapper: H, the logarithm of luminance, F, the divergence of its attenuated gradients, and the
//! picture I with ∇²I = F (Fattal et al. 2002, section 3).
//!
//! On the border the normal derivative is zero, as in Fattal et al., and G has no normal
//! component either: there is no flux of the gradients or of the solution. So ∇²I = div G
//! has a solution, up to a constant, and without attenuation it is H itself.

use image::{Rgb, RgbImage};
use serde::Serialize;

use super::ToneMapSettings;
use super::attenuation::{PyramidLevel, attenuation};
use super::colour::{DisplayRange, colours_shown, extremes, weights};
use crate::goodnight2003::{
    Axis, Boundaries, Check, Condition, Equations, Error, Grid, Metric, Problem, Reference,
    Settings, Solved, Solver, Test,
};
use crate::io::hdr::HdrImage;
use crate::solver::{Criteria, Ending, Reason, Steps};
use crate::stream::{Format, Machine, Pass, Rects, Size, Stream, StreamError, source};

/// ε: added to luminance, of which the largest is 1, before its logarithm is taken. It is
/// well below the resolution of a camera, and keeps the logarithm of black finite.
pub const EPSILON: f64 = 1e-6;

/// Colours in units of the largest luminance. A grid has at least two nodes per side, so a single column
/// or row of pixels is stored twice, which changes nothing because nothing flows through the
/// border.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Columns and rows, at least two.
    pub size: Size,
    /// Linear red, green and blue, row by row from the top.
    pub colours: Vec<[f32; 3]>,
}

impl Scene {
    /// The colours of a picture.
    pub fn of(image: &HdrImage) -> Self {
        let (width, height) = (image.width(), image.height());
        let unit = match image.brightest() {
            brightest if brightest > 0.0 => brightest,
            _ => 1.0,
        };
        let (columns, rows) = (width.max(2), height.max(2));
        let colour = |row: usize, column: usize| {
            let place = row.min(height - 1) * width + column.min(width - 1);
            image.pixels()[place].map(|channel| (f64::from(channel) / unit) as f32)
        };
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Self {
            size: (columns as u32, rows as u32),
            colours: all.map(|(row, column)| colour(row, column)).collect(),
        }
    }

    /// The colours as a stream: red, green, blue and 0, the upper row first.
    pub fn upload(&self, machine: &Machine) -> Result<Stream, StreamError> {
        let records = self.colours.iter().flat_map(|&[r, g, b]| [r, g, b, 0.0]);
        let records: Vec<f32> = records.collect();
        Stream::from_data(machine, "colours", self.size, Format::Rgba32F, &records)
    }
}

/// H of these colours, one record per pixel.
pub fn log_luminance(colours: &Stream) -> Result<Stream, StreamError> {
    let machine = colours.machine();
    let kernel = machine.kernel(&source!(goodnight2003, "tonemap/luminance"), &[])?;
    let logarithm = Stream::zeros(machine, "log luminance", colours.size(), Format::R32F)?;
    // §5.2: H = log(L + ε)
    Pass::new(&kernel)
        .read("colours", colours)
        .set("weights", weights())
        .set("epsilon", EPSILON as f32)
        .draw(&logarithm, logarithm.full())?;
    Ok(logarithm)
}

/// Draws F, one record per pixel as H and Φ have, into the state of a solver, whose solution becomes zero: .z is F, all
/// else zero.
pub fn draw_divergence(
    logarithm: &Stream,
    attenuation: &Stream,
    state: &Stream,
    place: &Rects,
) -> Result<(), StreamError> {
    let machine = logarithm.machine();
    let kernel = machine.kernel(&source!(goodnight2003, "tonemap/source"), &[])?;
    // §5.2: F = div G over each pixel, with G = Φ ∇H
    Pass::new(&kernel)
        .read("logarithm", logarithm)
        .read("attenuation", attenuation)
        .set("size", logarithm.size())
        .draw(state, place)
}

/// ∇²I = F on a grid with one node per pixel and unit spacing, and ∂I/∂n = 0 on all sides. F is still zero.
pub fn problem((columns, rows): Size) -> Result<Problem, Error> {
    let grid = Grid { x: Axis::new(columns, 0.0, 1.0)?, y: Axis::new(rows, 0.0, 1.0)? };
    // §5.2: ∇²I = div G, without flow through the border
    let boundaries = Boundaries::all(&grid, Condition::slope(0.0));
    let source = vec![0.0; grid.nodes(0)];
    Problem::new(grid, Metric::cartesian(), boundaries, source)
}

/// A tone-mapped picture, with data on its computation.
#[derive(Debug, Clone, PartialEq)]
pub struct ToneMapped {
    /// The picture, in sRGB.
    pub picture: RgbImage,
    /// I, the logarithm of the new luminance, of each pixel of the scene, up to a constant.
    pub logarithms: Vec<f64>,
    /// The values of H, the logarithm of the picture's luminance, that become black and white.
    pub original: [f64; 2],
    /// The mapping of I to black and white.
    pub range: DisplayRange,
    /// The levels of the pyramid, the finest first.
    pub levels: Vec<PyramidLevel>,
    /// Outcome of the solve of the Poisson equation.
    pub solve: Solved,
}

/// A picture with the Poisson equation of its compressed version, ready to be solved.
pub struct ToneMapper {
    pixels: Size,
    colours: Stream,
    solver: Solver,
    settings: ToneMapSettings,
    solver_settings: Settings,
    original: [f64; 2],
    levels: Vec<PyramidLevel>,
}

impl ToneMapper {
    /// Computes H, Φ and F. The CPU reads back the average gradient of each level, and H to find its range.
    pub fn new(
        machine: &Machine,
        image: &HdrImage,
        settings: &ToneMapSettings,
        solver_settings: &Settings,
    ) -> Result<Self, Error> {
        settings.check()?;
        let scene = Scene::of(image);
        let colours = scene.upload(machine)?;
        let logarithm = log_luminance(&colours)?;
        let logarithms: Vec<f64> = logarithm.read()?.into_iter().map(f64::from).collect();
        let (factor, levels) = attenuation(&logarithm, settings)?;
        let mut solver = Solver::new(machine, &problem(scene.size)?, solver_settings)?;
        solver.update(|_, target, place| draw_divergence(&logarithm, &factor, target, place))?;
        Ok(Self {
            pixels: (image.width() as u32, image.height() as u32),
            colours,
            solver,
            settings: *settings,
            solver_settings: solver_settings.clone(),
            original: extremes(&logarithms, settings),
            levels,
        })
    }

    /// Solves the equation on the GPU, from zero. `observer` receives the number of cycles done and the norm
    /// of the residual. A solve that does not converge is not an error. Except with the paper's test, cycles go on until
    /// the estimated error is small, too.
    pub fn solve(
        &mut self,
        criteria: &Criteria,
        mut observer: impl FnMut(usize, f64),
    ) -> Result<ToneMapped, Error> {
        let mut solve = self.solver.solve(criteria, &mut observer)?;
        let (mut logarithms, mut steps) = (self.logarithms()?, Steps::default());
        while solve.reason == Reason::Converged
            && self.solver_settings.test != Test::Occlusion
            && !steps.suffice(&logarithms, criteria.rtol)
        {
            if let Some(reason) = steps.reason_to_stop(solve.cycles, criteria.max_iterations) {
                solve.reason = Ending::failed(reason);
                break;
            }
            self.solver.cycle()?;
            let next = self.logarithms()?;
            let step: Vec<f32> =
                next.iter().zip(&logarithms).map(|(next, i)| (next - i) as f32).collect();
            steps.push(&step, 1.0);
            logarithms = next;
            let last = self.solver.residual()?;
            (solve.cycles, solve.residual) = (solve.cycles + 1, last.norm);
            solve.history.push(last.norm);
            observer(solve.cycles, last.norm);
            solve.reason = last.ending(Reason::Converged, solve.tolerance);
        }
        self.shown(self.solver.state().0, logarithms, solve)
    }

    /// I of each node.
    fn logarithms(&self) -> Result<Vec<f64>, Error> {
        let (surface, place) = self.solver.state();
        let records = surface.read_rect(place)?;
        Ok(records.iter().step_by(4).map(|i| f64::from(*i)).collect())
    }

    /// The residual that another solution of this equation leaves, in double precision.
    pub fn check(&self, other: &ToneMapped) -> Result<Check, Error> {
        Ok(self.exact()?.check(&other.logarithms))
    }

    /// The equation in double precision.
    fn exact(&self) -> Result<Reference<f64>, Error> {
        let equations = Equations::new(self.solver.problem())?;
        let source = self.solver.source()?.into_iter().map(f64::from).collect();
        let mut reference = Reference::new(self.solver.problem(), &self.solver_settings)?;
        reference.set_right_side(equations.balanced(source)?)?;
        Ok(reference)
    }

    /// Solves the same equation on the CPU in double precision, for comparison.
    pub fn solve_on_cpu(&self, criteria: &Criteria) -> Result<ToneMapped, Error> {
        let mut reference = self.exact()?;
        let found = reference.solve(self.solver_settings.cycle, criteria);
        let outcome = found.outcome;
        let (last, tolerance) = (reference.check(&found.u), criteria.tolerance(outcome.history[0]));
        let solve = Solved {
            corrections: 0,
            reason: last.ending(outcome.reason, tolerance),
            cycles: outcome.iterations,
            residual: last.norm,
            tolerance,
            rounding: last.rounding,
            history: outcome.history,
            rows: None,
        };
        let records: Vec<f32> = found.u.iter().map(|i| *i as f32).collect();
        let (machine, size) = (self.colours.machine(), self.colours.size());
        let solution = Stream::from_data(machine, "I", size, Format::R32F, &records)?;
        self.shown(&solution, found.u, solve)
    }

    /// The picture of a solution, I of each pixel, which is also in the first channel of a stream.
    fn shown(
        &self,
        solution: &Stream,
        logarithms: Vec<f64>,
        solve: Solved,
    ) -> Result<ToneMapped, Error> {
        let range = DisplayRange::of(&logarithms, self.original, &self.settings);
        let shown = colours_shown(&self.colours, solution, range, self.settings.saturation)?;
        let (columns, shown) = (shown.width(), shown.read()?);
        let (width, height) = self.pixels;
        // The part of a scene beyond the picture is left out.
        let picture = RgbImage::from_fn(width, height, |x, y| {
            let pixel = 4 * (y * columns + x) as usize;
            Rgb([0, 1, 2].map(|channel| (255.0 * shown[pixel + channel]).round() as u8))
        });
        Ok(ToneMapped {
            picture,
            logarithms,
            original: self.original,
            range,
            levels: self.levels.clone(),
            solve,
        })
    }
}

/// Difference between two results.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Difference {
    /// The largest difference of two channels (0 to 255).
    pub channel: u8,
    /// The share of channels that differ at all.
    pub share: f64,
    /// The largest difference of I, each relative to its own mean.
    #[serde(rename = "log_luminance")]
    pub logarithm: f64,
}

impl ToneMapped {
    /// Compares this result with another one of the same picture.
    pub fn difference(&self, other: &Self) -> Difference {
        let channels = self.picture.iter().zip(other.picture.iter());
        let differences: Vec<u8> = channels.map(|(a, b)| a.abs_diff(*b)).collect();
        let differing = differences.iter().filter(|d| **d > 0).count();
        let (own, others) = (mean(&self.logarithms), mean(&other.logarithms));
        let pairs = self.logarithms.iter().zip(&other.logarithms);
        let logarithms = pairs.map(|(a, b)| ((a - own) - (b - others)).abs());
        Difference {
            channel: differences.iter().copied().max().unwrap_or(0),
            share: differing as f64 / differences.len() as f64,
            logarithm: logarithms.fold(0.0, f64::max),
        }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
