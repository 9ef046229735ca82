//! `fragstream wing`: flow around a flapping wing (goodnight2003, section 5.3).

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::arguments::{GridSize, at_least_one, count, positive};
use crate::gl::GlError;
use crate::goodnight2003::wing::coordinates_of_text;
use crate::goodnight2003::wing::{
    Body, Joukowski, Motion, Oscillation, Push, Sample, Wing, WingScene, WingSettings,
};
use crate::goodnight2003::wing::{View, WingPainter};
use crate::goodnight2003::{Error, Settings};
use crate::io::read_text;
use crate::picture::Canvas;
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::stream::StreamError;

use super::animation::{Destination, Width, write_history};
use super::failure::Failure;
use super::output::{Target, csv, png};
use super::session::Session;

/// Simulate the flow around a flapping wing, in textures (goodnight2003, section 5.3)
///
/// Vorticity and stream function in the frame of the body, which heaves, lags and pitches in a stream from
/// the left; a multigrid solver finds the stream function. Lengths are in chords (or diameters), speeds in
/// that of the stream. The grid surrounds the body; its first coordinate is the logarithm of the distance.
///
/// The table has one row for the start and per tenth of the steps (the force is measured every ten steps):
/// the time, the length of a step, and drag and lift divided by half the density, the squared speed and the
/// chord.
#[derive(Args)]
#[command(mut_arg("norm", |arg| arg.hide(true)), mut_arg("test", |arg| arg.hide(true)),
          mut_arg("test_every", |arg| arg.hide(true)),
          mut_arg("every", |arg| arg.default_value("40")))]
pub struct Arguments {
    /// Body
    #[arg(long, value_enum, default_value_t = Shape::Airfoil)]
    body: Shape,

    /// Reynolds number: speed times chord over viscosity [default: 100 for a cylinder, 400 for an airfoil]
    #[arg(long, value_name = "NUMBER")]
    reynolds: Option<f64>,

    /// Number of nodes outwards and around the body; the last of these is the first again, so their number is
    /// odd, best a power of two plus 1
    #[arg(long, value_name = "WxH", default_value_t = GridSize::new(97, 97))]
    size: GridSize,

    /// Radius of the grid
    #[arg(long, value_name = "CHORDS", default_value_t = 40.0)]
    radius: f64,

    /// Motion up and down: amplitude and frequency, and optionally a phase in degrees
    #[arg(long, value_name = "A,f", allow_hyphen_values = true)]
    heave: Option<Oscillation>,

    /// Motion back and forth
    #[arg(long, value_name = "A,f", allow_hyphen_values = true)]
    lag: Option<Oscillation>,

    /// Rotation around the pivot, nose up and down, in degrees
    #[arg(long, value_name = "A,f", allow_hyphen_values = true)]
    pitch: Option<Oscillation>,

    /// Mean angle between chord and stream, nose up, in degrees
    #[arg(long, value_name = "DEGREES", default_value_t = 0.0)]
    incidence: f64,

    /// Airfoil: thickness, camber, distance of the circle from the trailing edge, and pivot as a fraction of
    /// the chord
    #[arg(
        long,
        value_name = "T,C,E,P",
        default_value = "0.05,0,0.15,0.25",
        allow_hyphen_values = true
    )]
    joukowski: Profile,

    /// Coordinates from a file: a fragment program with the functions metric, place and coordinates, like
    /// glsl/goodnight2003/problem/metric_log_polar.glsl
    #[arg(long, value_name = "FILE")]
    operator: Option<PathBuf>,

    /// Number of steps
    #[arg(long, value_name = "N", default_value_t = 4000,
          value_parser = count(1..=u32::MAX))]
    steps: u32,

    /// Courant number: length of a step times the largest rate of change in a cell; stable up to 0.5, next to a
    /// sharp edge up to 0.4
    #[arg(long, value_name = "NUMBER", default_value_t = 0.35)]
    courant: f64,

    /// Cycles of the solver per step
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    cycles: usize,

    #[command(flatten)]
    solver: Settings,

    /// Write time, drag, lift and circulation of every tenth step
    #[arg(long, value_name = "FILE.csv", value_parser = csv)]
    csv: Option<Target>,

    /// Draw drag and lift over time
    #[arg(long, value_name = "FILE.png", value_parser = png)]
    plot: Option<Target>,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    picture: Width,

    /// Vorticity of the brightest colour
    #[arg(long, value_name = "NUMBER", default_value_t = 8.0, value_parser = positive,
          help_heading = "Pictures")]
    bright: f64,
}

/// Body in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shape {
    /// A circular cylinder; at rest, it is pushed to the side for a moment at the beginning
    Cylinder,
    /// A Joukowski airfoil
    Airfoil,
}

/// Parameters of an airfoil.
#[derive(Clone, Copy, Debug)]
struct Profile([f64; 4]);

impl std::str::FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Vec<f64> = text.split(',').filter_map(|t| t.trim().parse().ok()).collect();
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
    let [columns, rows] = arguments.size.sides();
    arguments.size.check_memory(NODE)?;
    let machine = session.machine_for(columns * rows / 4)?;
    let wing = Wing::new(&machine, settings).map_err(|error| arguments.failure(error))?;
    let view = View { most: arguments.bright, ..View::default() };
    let painter = WingPainter::new(&wing, view).map_err(Error::from)?;
    let mut scene = WingScene { wing, painter };
    let width = arguments.picture.width;
    let canvas = Canvas::new(&machine, width, width * 4 / 9)?;
    let (destination, steps) = (&arguments.destination, arguments.steps);
    destination.film(&mut scene, steps, &canvas, session)?;
    report(arguments, &scene)
}

/// The frequency of the lift, the CSV file and the plot.
fn report(arguments: &Arguments, scene: &WingScene) -> Result<(), Failure> {
    if let Some(file) = &arguments.csv {
        write_history(file, scene)?;
    }
    if let Some(file) = &arguments.plot {
        let png = draw_history(scene.wing.history());
        file.bytes(&png.map_err(|error| Failure::in_file(file.path(), error))?)?;
    }
    Ok(())
}

fn draw_history(history: &[Sample]) -> Result<Vec<u8>, crate::picture::plot::PlotError> {
    // At the first instants the force is unbounded, because the vortex sheet is still thin.
    let end = history.last().map_or(0.0, |sample| sample.time);
    let shown = || history.iter().filter(move |sample| sample.time >= 0.03 * end);
    let series = |label: &str, value: fn(&Sample) -> f64| {
        let points = shown().map(|sample| (sample.time, value(sample)));
        Series::new(label, Style::Line, points)
    };
    let chart = Chart {
        title: "Force on the body".into(),
        x: Axis::linear("time (chords passed)"),
        y: Axis::linear("force / (½ ρ U² chord)"),
        series: vec![
            series("lift", |sample| sample.forces.lift),
            series("drag", |sample| sample.forces.drag),
        ],
        marks: Vec::new(),
    };
    chart.png()
}

impl Arguments {
    /// The failure of a flow. An invalid metric is a fault of the coordinates file.
    fn failure(&self, error: Error) -> Failure {
        match (&self.operator, &error) {
            (Some(file), Error::Metric { .. }) => {
                Failure::in_file(file, format_args!("function metric: {error}"))
            }
            (Some(_), Error::Stream(StreamError::Gl(GlError::Compile { .. }))) => {
                Failure::input(error)
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
        let pitch = self
            .pitch
            .map(|pitch| Oscillation { amplitude: pitch.amplitude.to_radians(), ..pitch });
        let at_rest = [self.heave, self.lag, self.pitch].iter().all(Option::is_none);
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
            cycles: self.cycles,
            solver: self.solver.clone(),
            ..WingSettings::new(body)
        })
    }
}

fn read_coordinates(file: &Path) -> Result<crate::goodnight2003::Metric, Failure> {
    let text = read_text(file)?;
    coordinates_of_text(&file.display().to_string(), &text).map_err(Failure::from)
}
