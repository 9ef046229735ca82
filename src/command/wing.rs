//! `fragstream wing`: flow round a flapping wing (goodnight2003, section 5.3).

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::goodnight2003::wing::forces::frequency;
use crate::goodnight2003::wing::picture::{View, WingPainter};
use crate::goodnight2003::wing::settings::coordinates_of_text;
use crate::goodnight2003::wing::{
    Body, Joukowski, Motion, Oscillation, Push, Sample, Wing, WingError, WingScene, WingSettings,
};
use crate::goodnight2003::{ProblemError, SolverError};
use crate::io::{read_text, write_atomically};
use crate::picture::Canvas;
use crate::picture::plot::{Axis, Chart, Series, Style, chart};

use super::animation::{Destination, Width, write_history};
use super::arguments::boundary_value::Multigrid;
use super::arguments::size::GridSize;
use super::failure::Failure;
use super::files::check_file;
use super::session::Session;

/// Simulate the flow round a flapping wing, in textures (goodnight2003, section 5.3).
///
/// Vorticity and stream function in the frame of the body, which heaves, lags and pitches in a stream
/// from the left; a multigrid solver finds the stream function. Lengths are in chords (or diameters),
/// speeds in that of the stream. The grid is wrapped round the body; its first coordinate is the
/// logarithm of the distance.
///
/// The table has a line for the start and for a tenth of the steps each, or for ten steps, which is
/// how often the force is measured: the time, the length of a step, drag and lift over half the
/// density, the square of the speed and the chord.
#[derive(Args)]
pub struct Arguments {
    /// The body
    #[arg(long, value_enum, default_value_t = Shape::Airfoil)]
    body: Shape,

    /// The Reynolds number: speed times chord over viscosity [default: 100 for a cylinder, 400 for
    /// an airfoil]
    #[arg(
        long,
        alias = "re",
        value_name = "NUMBER",
        allow_negative_numbers = true
    )]
    reynolds: Option<f64>,

    /// Nodes outwards and round the body; the last of these is the first again, so their number is
    /// odd, at best a power of two and one
    #[arg(long, value_name = "WxH", default_value_t = GridSize { columns: 97, rows: 97 })]
    size: GridSize,

    /// How far the grid reaches
    #[arg(
        long,
        value_name = "CHORDS",
        default_value_t = 40.0,
        allow_negative_numbers = true
    )]
    radius: f64,

    /// Up and down: amplitude and frequency, and a phase in degrees if wanted
    #[arg(long, value_name = "A,f", allow_hyphen_values = true)]
    heave: Option<Oscillation>,

    /// Back and forth
    #[arg(long, value_name = "A,f", allow_hyphen_values = true)]
    lag: Option<Oscillation>,

    /// Nose up and down, in degrees, round the pivot
    #[arg(long, value_name = "A,f", allow_hyphen_values = true)]
    pitch: Option<Oscillation>,

    /// The mean angle of the chord to the stream, nose up, in degrees
    #[arg(
        long,
        value_name = "DEGREES",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    incidence: f64,

    /// The airfoil: thickness, camber, distance of the circle from the trailing edge, and pivot as a
    /// share of the chord
    #[arg(
        long,
        value_name = "T,C,E,P",
        default_value = "0.05,0,0.15,0.25",
        allow_hyphen_values = true
    )]
    joukowski: Profile,

    /// Coordinates from a file: a fragment program with the functions metric, place and coordinates,
    /// as in glsl/goodnight2003/problem/metric_log_polar.glsl
    #[arg(long, value_name = "FILE")]
    operator: Option<PathBuf>,

    /// The number of steps
    #[arg(long, value_name = "N", default_value_t = 4000,
          value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,

    /// The length of a step, as a share of that for which changes double back
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 0.35,
        allow_negative_numbers = true
    )]
    courant: f64,

    /// Cycles of the solver a step
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    cycles: u32,

    #[command(flatten)]
    solver: Multigrid,

    /// The vorticity of the brightest colour
    #[arg(long, value_name = "NUMBER", default_value_t = 8.0,
          value_parser = super::arguments::positive, allow_negative_numbers = true)]
    bright: f64,

    /// Write time, drag, lift and circulation of every tenth step
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw drag and lift over time, as a PNG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    picture: Width,
}

/// The body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shape {
    /// A circular cylinder; at rest, it is pushed to the side for a moment at the beginning
    Cylinder,
    /// A Joukowski airfoil
    Airfoil,
}

/// What makes an airfoil.
#[derive(Clone, Copy, Debug)]
struct Profile([f64; 4]);

impl std::str::FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Vec<f64> = text
            .split(',')
            .filter_map(|t| t.trim().parse().ok())
            .collect();
        let profile: Option<[f64; 4]> = numbers.try_into().ok();
        let fits = |[thickness, camber, edge, pivot]: &[f64; 4]| {
            (0.0..=0.5).contains(thickness)
                && camber.abs() <= 0.5
                && (0.01..=1.0).contains(edge)
                && (-1.0..=2.0).contains(pivot)
        };
        profile.filter(fits).map(Profile).ok_or_else(|| {
            "give thickness (0 to 0.5), camber (-0.5 to 0.5), edge (0.01 to 1) and pivot (-1 to 2)"
                .into()
        })
    }
}

/// Bytes of memory per node.
const NODE: u64 = 500;

/// Checks, simulates, and writes results.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    arguments.solver.check()?;
    let settings = arguments.settings()?;
    settings.check()?;
    arguments.destination.check()?;
    for file in arguments.csv.iter().chain(&arguments.plot) {
        check_file(file)?;
    }
    let [columns, rows] = arguments.size.sides();
    arguments.size.check_memory(NODE)?;
    let machine = session.machine_for(columns * rows / 4)?;
    let wing = Wing::new(&machine, settings).map_err(|error| arguments.failure(error))?;
    let view = View {
        most: arguments.bright,
        ..View::default()
    };
    let painter = WingPainter::new(&wing, view).map_err(WingError::from)?;
    let mut scene = WingScene { wing, painter };
    let width = arguments.picture.width;
    let canvas = Canvas::new(&machine, width, width * 4 / 9)?;
    let (destination, steps) = (&arguments.destination, arguments.steps);
    let film = destination.film(&mut scene, steps, &canvas, session)?;
    report(arguments, &scene, session)?;
    film.finish(&mut session.out)
}

/// The frequency of the lift, the CSV file and the plot.
fn report(arguments: &Arguments, scene: &WingScene, session: &mut Session) -> Result<(), Failure> {
    let history = scene.wing.history();
    let lift: Vec<(f64, f64)> = history.iter().map(|s| (s.time, s.forces.lift)).collect();
    let end = lift.last().map_or(0.0, |(time, _)| *time);
    if let Some(frequency) = frequency(&lift, 0.5 * end) {
        let mean = history.iter().filter(|s| s.time >= 0.5 * end);
        let (count, drag) = mean.fold((0.0, 0.0), |(n, sum), s| (n + 1.0, sum + s.forces.drag));
        writeln!(
            session.out,
            "second half: lift oscillates {frequency:.4} times while the stream passes a chord (the Strouhal number), mean drag {:.3}",
            drag / count
        )?;
    }
    if let Some(file) = &arguments.csv {
        write_history(file, scene, &mut session.out)?;
    }
    if let Some(file) = &arguments.plot {
        let png = draw_history(history).map_err(|error| Failure::in_file(file, error))?;
        write_atomically(file, |out| out.write_all(&png))?;
        writeln!(session.out, "{}: drag and lift", file.display())?;
    }
    Ok(())
}

fn draw_history(history: &[Sample]) -> Result<Vec<u8>, crate::picture::plot::PlotError> {
    // The first instants have a force without bound: the vortex sheet spreads.
    let end = history.last().map_or(0.0, |sample| sample.time);
    let shown = || {
        history
            .iter()
            .filter(move |sample| sample.time >= 0.03 * end)
    };
    let series = |label: &str, value: fn(&Sample) -> f64| {
        let points = shown().map(|sample| (sample.time, value(sample)));
        Series::new(label, Style::Line, points)
    };
    chart(&Chart {
        title: "Force on the body".into(),
        x: Axis::linear("time (chords passed)"),
        y: Axis::linear("force / (½ ρ U² chord)"),
        series: vec![
            series("lift", |sample| sample.forces.lift),
            series("drag", |sample| sample.forces.drag),
        ],
        marks: Vec::new(),
    })
}

impl Arguments {
    /// Why there is no flow: a metric that makes none is the fault of a file of coordinates.
    fn failure(&self, error: WingError) -> Failure {
        match (&self.operator, &error) {
            (Some(file), WingError::Solver(SolverError::Problem(ProblemError::Metric { .. }))) => {
                Failure::in_file(file, format_args!("{error}; correct the function metric"))
            }
            _ => error.into(),
        }
    }

    fn settings(&self) -> Result<WingSettings, Failure> {
        let Profile([thickness, camber, edge, pivot]) = self.joukowski;
        let (body, reynolds) = match self.body {
            Shape::Cylinder => (Body::Cylinder, 100.0),
            Shape::Airfoil => {
                let airfoil = Joukowski::new(thickness, camber, edge, pivot);
                (Body::Airfoil(airfoil), 400.0)
            }
        };
        let pitch = self.pitch.map(|pitch| Oscillation {
            amplitude: pitch.amplitude.to_radians(),
            ..pitch
        });
        let at_rest = [self.heave, self.lag, self.pitch]
            .iter()
            .all(Option::is_none);
        let pushed = at_rest && self.body == Shape::Cylinder;
        Ok(WingSettings {
            coordinates: match &self.operator {
                Some(file) => Some(read_coordinates(file)?),
                None => None,
            },
            motion: Motion {
                heave: self.heave.unwrap_or_default(),
                lag: self.lag.unwrap_or_default(),
                pitch: pitch.unwrap_or_default(),
                incidence: self.incidence.to_radians(),
                push: pushed.then(Push::default),
            },
            reynolds: self.reynolds.unwrap_or(reynolds),
            size: (self.size.columns, self.size.rows),
            radius: self.radius,
            courant: self.courant,
            cycles: self.cycles as usize,
            solver: self.solver.settings(),
            ..WingSettings::new(body)
        })
    }
}

fn read_coordinates(file: &Path) -> Result<crate::goodnight2003::Metric, Failure> {
    let text = read_text(file)?;
    coordinates_of_text(&file.display().to_string(), &text).map_err(Failure::from)
}
