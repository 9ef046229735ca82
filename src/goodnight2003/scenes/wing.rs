//! A flapping wing (goodnight2003, section 5.3, colour plate 1).

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gl::GlError;
#[cfg(feature = "plot")]
use crate::goodnight2003::wing::Sample;
use crate::goodnight2003::wing::{
    Body, Joukowski, Motion, Oscillation, Push as Shove, View, Wing, WingPainter, WingSettings,
    coordinates_of_text, frequency,
};
use crate::goodnight2003::{Error, Hazard, Settings as SolverSettings};
use crate::io::read_text;
use crate::picture::Canvas;
#[cfg(feature = "plot")]
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::scene::{
    self, BoxedError, Done, Drawn, Effort, Entry, Fields, Filmed, Interactive, Output, Preset,
    Setting, Typed, check_memory,
};
use crate::settings::{Flat, GridSize, flat, pair, text};
use crate::solver::Cycle;
use crate::solver::multigrid::SWEEPS;
use crate::stream::{Machine, Size, Stream, StreamError};

/// The entry of the registry.
pub static WING: Entry = Entry {
    name: "wing",
    alias: None,
    paper: "goodnight2003",
    section: "section 5.3",
    about: "Simulate the flow around a flapping wing, in textures (goodnight2003, section 5.3)",
    details: "Vorticity and stream function in the frame of the body, which heaves, lags and pitches in a stream from \
              the left; a multigrid solver finds the stream function. Lengths are in chords (or diameters), speeds in \
              that of the stream. The grid surrounds the body; its first coordinate is the logarithm of the distance.\
              \n\n\
              The table has one row for the start and per tenth of the steps (the force is measured every ten steps): \
              the time, the length of a step, and drag and lift divided by half the density, the squared speed and \
              the chord.",
    views: &["vorticity"],
    every: 40,
    outputs: &[Output::Plot],
    interactive: Interactive {
        preset: "copied",
        motion: "",
        second: "",
        unit: "time step",
        counted: "cycles",
        detail: 0.75,
        coarser: 1,
        exercise: None,
    },
    film: Filmed {
        preset: "film",
        title: "Flow around a wing",
        start: "The potential flow, by multigrid",
        step: "vorticity is transported, and the stream function solved for",
        reads: false,
        side: None,
    },
    settings: Typed::of::<Settings>(),
};

/// Bytes of memory per node.
const NODE: u64 = 500;

/// Settings of a flow around a body.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Body
    pub body: Shape,
    /// Reynolds number: speed times chord over viscosity [default: 100 for a cylinder, 400 for an airfoil]
    pub reynolds: Option<f64>,
    /// Number of nodes outwards and around the body; the last of these is the first again, so their number is
    /// odd, best a power of two plus 1
    #[serde(with = "pair")]
    #[schemars(with = "GridSize")]
    pub size: Size,
    /// Radius of the grid
    #[schemars(extend("takes" = "CHORDS"))]
    pub radius: f64,
    /// Motion up and down: amplitude and frequency, and optionally a phase in degrees
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>", extend("takes" = "A,f"))]
    pub heave: Option<Oscillation>,
    /// Motion back and forth
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>", extend("takes" = "A,f"))]
    pub lag: Option<Oscillation>,
    /// Rotation around the pivot, nose up and down, in degrees
    #[serde(with = "text::optional")]
    #[schemars(with = "Option<String>", extend("takes" = "A,f"))]
    pub pitch: Option<Oscillation>,
    /// Mean angle between chord and stream, nose up, in degrees
    #[schemars(extend("takes" = "DEGREES"))]
    pub incidence: f64,
    /// Airfoil: thickness, camber, distance of the circle from the trailing edge, and pivot as a fraction of
    /// the chord
    #[serde(with = "text")]
    #[schemars(with = "String", extend("takes" = "T,C,E,P"))]
    pub joukowski: Profile,
    /// Coordinates from a file: a fragment program with the functions metric, place and coordinates, like
    /// glsl/goodnight2003/problem/metric_log_polar.glsl
    #[schemars(extend("takes" = "FILE", "needs" = "files"))]
    pub operator: Option<PathBuf>,
    /// Courant number: length of a step times its largest rate; stable up to 0.5, and up to 0.4 at a sharp edge
    pub courant: f64,
    /// Cycles of the solver per step
    #[schemars(range(min = 1, max = SWEEPS))]
    pub cycles: usize,
    /// The solver.
    #[serde(flatten)]
    pub solver: SolverSettings,
    /// Vorticity of the brightest colour
    #[schemars(extend("exclusiveMinimum" = 0.0, "heading" = "Pictures"))]
    pub bright: f64,
}

/// Body in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A circular cylinder; at rest, it is pushed to the side for a moment at the beginning
    Cylinder,
    /// A Joukowski airfoil
    Airfoil,
}

/// Parameters of an airfoil. Its word is `T,C,E,P`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile(pub [f64; 4]);

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [thickness, camber, edge, pivot] = self.0;
        write!(formatter, "{thickness},{camber},{edge},{pivot}")
    }
}

impl FromStr for Profile {
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

impl Default for Settings {
    fn default() -> Self {
        let WingSettings { radius, courant, cycles, solver, .. } =
            WingSettings::new(Body::Cylinder);
        Self {
            body: Shape::Airfoil,
            reynolds: None,
            size: (97, 97),
            radius,
            heave: None,
            lag: None,
            pitch: None,
            incidence: 0.0,
            joukowski: Profile([0.05, 0.0, 0.15, 0.25]),
            operator: None,
            courant,
            cycles,
            solver,
            bright: View::default().most,
        }
    }
}

impl Settings {
    /// The settings of the flow. Reads the file of the coordinates.
    pub fn flow(&self) -> Result<WingSettings, BoxedError> {
        let Profile([thickness, camber, edge, pivot]) = self.joukowski;
        let (body, reynolds) = match self.body {
            Shape::Cylinder => (Body::Cylinder, 100.0),
            Shape::Airfoil => {
                (Body::Airfoil(Joukowski::new(thickness, camber, edge, pivot)), 400.0)
            }
        };
        let in_radians =
            |pitch: Oscillation| Oscillation { amplitude: pitch.amplitude.to_radians(), ..pitch };
        let at_rest = [self.heave, self.lag, self.pitch].iter().all(Option::is_none);
        let pushed = at_rest && self.body == Shape::Cylinder;
        let coordinates = self.operator.as_deref().map(|file| {
            let text = read_text(file)?;
            Ok::<_, BoxedError>(coordinates_of_text(&file.display().to_string(), &text)?)
        });
        Ok(WingSettings {
            coordinates: coordinates.transpose()?,
            motion: Motion {
                heave: self.heave.unwrap_or_default(),
                lag: self.lag.unwrap_or_default(),
                pitch: self.pitch.map(in_radians).unwrap_or_default(),
                incidence: self.incidence.to_radians(),
                push: pushed.then(Shove::default),
            },
            reynolds: self.reynolds.unwrap_or(reynolds),
            size: self.size,
            radius: self.radius,
            courant: self.courant,
            cycles: self.cycles,
            solver: self.solver.clone(),
            ..WingSettings::new(body)
        })
    }

    /// The error of a flow. An invalid metric is a fault of the coordinates' file.
    fn fault(&self, error: Error) -> BoxedError {
        match (&self.operator, &error) {
            (Some(file), Error::Metric { .. }) => {
                BoxedError::from(format!("{}: function metric: {error}", file.display()))
            }
            (Some(_), Error::Stream(StreamError::Gl(GlError::Compile { .. }))) => {
                BoxedError::from(error.to_string())
            }
            _ => error.into(),
        }
    }
}

impl scene::Settings for Settings {
    fn check(&self) -> Done {
        self.solver.check()?;
        self.flow()?.check()?;
        Setting::positive("the vorticity of the brightest colour", self.bright)?;
        Ok(check_memory(self.size, NODE)?)
    }

    fn texels(&self) -> usize {
        self.size.0 as usize * self.size.1 as usize / 4
    }

    fn resize(&mut self, side: u32) {
        self.size = (side + 1, side + 1);
    }

    fn resolved(&self) -> Result<Flat, BoxedError> {
        let reynolds = Some(self.flow()?.reynolds);
        Ok(flat(&Self { reynolds, ..self.clone() }))
    }

    fn start(&self, machine: &Machine, _: Drawn) -> Result<Box<dyn scene::Scene>, BoxedError> {
        let wing = Wing::new(machine, self.flow()?).map_err(|error| self.fault(error))?;
        let view = View { most: self.bright, ..View::default() };
        let painter = WingPainter::new(&wing, view)?;
        Ok(Box::new(Scene { wing, painter }))
    }

    #[rustfmt::skip]
    fn presets() -> Vec<Preset<Self>> {
        let usual = Self::default();
        let frequency = 0.3;
        let phase = 90.0;
        // Nose up while the wing moves up: the angle of attack is smaller.
        let plate = Self {
            heave: Some(Oscillation { amplitude: 0.5, frequency, phase: 0.0 }),
            pitch: Some(Oscillation { amplitude: 20.0, frequency, phase }),
            size: (97, 129),
            radius: 30.0,
            // Starting from the stream function of the previous step, one V(1, 1)-cycle suffices.
            solver: SolverSettings {
                cycle: Cycle::v(1, 1),
                coarsest_sweeps: 2,
                ..usual.solver.clone()
            },
            ..usual.clone()
        };
        // Figure 3 has the parameters of this flow: all levels, and eight sweeps on each.
        let eight = SolverSettings { cycle: Cycle::v(4, 4), coarsest_sweeps: 8, ..plate.solver.clone() };
        let paper = Self { solver: eight, ..plate.clone() };
        let solver = SolverSettings { hazard: Hazard::Copy, ..plate.solver.clone() };
        let copied = Self { solver, ..plate.clone() };
        let street = Self {
            body: Shape::Cylinder,
            courant: 0.45,
            solver: plate.solver.clone(),
            ..usual.clone()
        };
        let film = Self { size: (9, 17), reynolds: Some(100.0), ..usual.clone() };
        vec![
            Preset::new("rest", "an airfoil at rest in the flow", 4000, usual),
            Preset::new("plate1", "an airfoil heaves and pitches (colour plate 1), with two sweeps on each level", 8000, plate),
            Preset::new("paper", "the same, with eight sweeps on each level (Fig. 3)", 8000, paper),
            Preset::new("copied", "the same, and no pass reads its target: a browser has no barrier", 8000, copied),
            Preset::new("street", "the vortex street behind a cylinder", 20_000, street),
            Preset::new("film", "small, for a film", 3, film),
        ]
    }
}

/// A flow with its picture.
pub struct Scene {
    wing: Wing,
    painter: WingPainter,
}

impl scene::Scene for Scene {
    fn step(&mut self, _measured: bool) -> Done {
        Ok(self.wing.step()?)
    }

    fn draw(&mut self, _view: usize, canvas: &Canvas) -> Done {
        Ok(self.painter.draw(&self.wing, canvas)?)
    }

    fn size(&self) -> Size {
        self.wing.settings().size
    }

    fn grid(&self) -> String {
        let (radial, angular) = self.size();
        format!("{radial}x{angular} nodes")
    }

    fn shape(&self, _view: usize) -> Size {
        (9, 4)
    }

    /// The grid is wrapped around the body: the mouse pushes nothing.
    fn cell(&self, _view: usize, _place: [f32; 2]) -> Option<[f32; 2]> {
        None
    }

    fn reset(&mut self) -> Done {
        self.wing = Wing::new(self.wing.machine(), self.wing.settings().clone())?;
        Ok(())
    }

    fn effort(&self) -> Effort {
        Effort { iterations: self.wing.settings().cycles, residual: f64::NAN }
    }

    fn streams(&self) -> Vec<(String, &Stream)> {
        let streams = [
            ("vorticity", self.wing.vorticity()),
            ("stream function", self.wing.stream_function()),
        ];
        streams.map(|(name, stream)| (name.to_owned(), stream)).into()
    }

    /// Only after the force was measured, which is every tenth step.
    fn row(&mut self) -> Result<Option<Fields>, BoxedError> {
        let last = self.wing.history().last();
        let sample = last.filter(|sample| sample.steps == self.wing.steps());
        Ok(sample.map(|sample| {
            vec![
                ("step", sample.steps as f64),
                ("time", sample.time),
                ("step_length", sample.step),
                ("drag", sample.forces.drag),
                ("lift", sample.forces.lift),
            ]
        }))
    }

    /// Strouhal number and mean drag of the second half: oscillations of the lift while the stream passes a
    /// chord.
    fn summary(&self) -> Fields {
        let history = self.wing.history();
        let lift: Vec<(f64, f64)> = history.iter().map(|s| (s.time, s.forces.lift)).collect();
        let half = lift.last().map_or(0.0, |(time, _)| 0.5 * time);
        let Some(frequency) = frequency(&lift, half) else {
            return Vec::new();
        };
        let late = history.iter().filter(|s| s.time >= half);
        let (count, drag) = late.fold((0.0, 0.0), |(n, sum), s| (n + 1.0, sum + s.forces.drag));
        vec![("strouhal_number", frequency), ("mean_drag", drag / count)]
    }

    fn history(&self) -> Vec<String> {
        let heading = "time,drag,lift,circulation,step".to_owned();
        let samples = self.wing.history().iter().map(|sample| {
            let (drag, lift) = (sample.forces.drag, sample.forces.lift);
            format!(
                "{:.6},{drag:.6},{lift:.6},{:.6},{:.3e}",
                sample.time, sample.circulation, sample.step
            )
        });
        std::iter::once(heading).chain(samples).collect()
    }

    #[cfg(feature = "plot")]
    fn chart(&self) -> Option<Chart> {
        let history = self.wing.history();
        // At the first instants the force is unbounded, because the vortex sheet is still thin.
        let end = history.last().map_or(0.0, |sample| sample.time);
        let shown = || history.iter().filter(move |sample| sample.time >= 0.03 * end);
        let series = |label: &str, value: fn(&Sample) -> f64| {
            let points = shown().map(|sample| (sample.time, value(sample)));
            Series::new(label, Style::Line, points)
        };
        let lift = series("lift", |sample| sample.forces.lift);
        let drag = series("drag", |sample| sample.forces.drag);
        let axes = ["time (chords passed)", "force / (½ ρ U² chord)"].map(Axis::linear);
        Some(Chart::new("Force on the body", axes, [lift, drag]))
    }
}
