//! Water: rain and a finger disturb it, and strokes of the mouse (Krüger and Westermann 2003, Figs. 1, 6 and 7).

use std::f64::consts::PI;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kruger2003::{Error, Stroke, Water, WaterSettings};
use crate::picture::Canvas;
use crate::scene::{
    self, BoxedError, Done, Drawn, Effort, Entry, Exercise, Fields, Filmed, Interactive, Preset,
    Push, Scale, Tool, Typed, check_memory,
};
use crate::settings::{Flat, typed};
use crate::stream::{Machine, Size, Stream};

use super::picture::{Painter, SIGNED_COLOURS, WaterShown};
use super::random;

/// The entry of the registry.
pub static WATER: Entry = Entry {
    name: "water",
    alias: None,
    paper: "kruger2003",
    section: "section 6",
    about: "Simulate waves on water by an implicit scheme, in textures (kruger2003, section 6)",
    details: "Rain falls on water at rest, and a finger circles in it. The state never leaves graphics memory; \
              pictures are drawn from it there.",
    views: &["surface", "height", "residual"],
    every: 4,
    outputs: &[],
    interactive: Interactive {
        preset: "",
        motion: "rain",
        second: "pull up",
        unit: "time step",
        counted: "iterations",
        detail: 0.75,
        coarser: 1,
        exercise: Some(Exercise {
            program: "kruger2003/simulation/water_right_hand_side",
            replace: "fetch(u, here)",
            with: "0.99 * fetch(u, here)",
            effect: "The waves die away. What does `1.01` do?",
        }),
    },
    film: Filmed {
        preset: "film",
        title: "Drops in water: five iterations per step",
        start: "",
        step: "",
        reads: true,
        side: Some(32),
    },
    settings: Typed::of::<Settings>(),
};

/// Bytes of memory per cell.
const CELL: u64 = 260;

/// Speed of a drop's push: the change of the surface's speed times the drop's radius, for waves that travel one
/// cell per step.
const DROP: f32 = 1.2;

/// Width and height of a view of the basin.
const VIEW: Size = (4, 3);

/// Settings of water with rain.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The water.
    #[serde(flatten)]
    pub water: WaterSettings,
    /// Rain on it.
    #[serde(flatten)]
    pub rain: Rain,
    /// Surface at the start
    pub start: Start,
}

/// Surface at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// At rest
    #[default]
    Rest,
    /// A standing wave, two half waves across and one up
    Wave,
    /// A hump in the middle
    Hump,
}

impl Start {
    /// Heights of all cells, rows from the bottom up; none for water at rest.
    pub fn heights(self, (width, height): Size) -> Option<Vec<f64>> {
        let middle = |cell: u32| f64::from(cell) + 0.5;
        let along =
            |cell, cells: f64, half_waves: f64| (PI * half_waves * middle(cell) / cells).cos();
        let [columns, rows] = [width, height].map(f64::from);
        let at = |x, y| match self {
            Self::Rest => None,
            Self::Wave => Some(along(x, columns, 2.0) * along(y, rows, 1.0)),
            Self::Hump => {
                let [x, y] = [middle(x) / columns, middle(y) / rows].map(|share| share - 0.5);
                Some((-40.0 * (x * x + y * y)).exp())
            }
        };
        (0..height).flat_map(|y| (0..width).map(move |x| at(x, y))).collect()
    }
}

impl Settings {
    /// Phase by which the standing wave advances per step.
    pub fn phase(&self) -> f64 {
        let (width, height) = self.water.size;
        self.water.courant * PI * (2.0 / f64::from(width)).hypot(1.0 / f64::from(height))
    }

    /// Water at the start.
    pub fn at_start(&self, machine: &Machine) -> Result<Water, Error> {
        let mut water = Water::at_rest(machine, self.water)?;
        if let Some(heights) = self.start.heights(self.water.size) {
            let before = if self.start == Start::Wave { self.phase().cos() } else { 1.0 };
            let scaled = |scale| heights.iter().map(|u| (scale * u) as f32).collect::<Vec<_>>();
            water.set(&scaled(1.0), &scaled(before))?;
        }
        Ok(water)
    }
}

impl scene::Settings for Settings {
    fn check(&self) -> Done {
        self.water.check()?;
        Ok(check_memory(self.water.size, CELL)?)
    }

    fn texels(&self) -> usize {
        let (columns, rows) = self.water.size;
        columns as usize * rows as usize / 2
    }

    /// The time between drops is in proportion, since waves need it to cross the basin.
    fn resize(&mut self, side: u32) {
        let every = u64::from(self.rain.every) * u64::from(side);
        self.rain.every = (every / u64::from(self.water.size.0.max(1))) as u32;
        self.water.size = (side, side);
    }

    fn start(&self, machine: &Machine, _: Drawn) -> Result<Box<dyn scene::Scene>, BoxedError> {
        Ok(Box::new(Scene::new(machine, self)?))
    }

    #[rustfmt::skip]
    fn presets() -> Vec<Preset<Self>> {
        let rain = |every, finger, seed| Rain { every, finger, seed };
        let film =
            Self { water: WaterSettings::new(32, 32), rain: rain(3, false, 2), ..Self::default() };
        // Waves travel two cells per step.
        let figure = |name, about, side, rain, steps| {
            let water = WaterSettings { courant: 2.0, ..WaterSettings::new(side, side) };
            Preset::new(name, about, steps, Self { water, rain, start: Start::Rest })
        };
        // Endless rain needs some damping.
        let damped = WaterSettings { damping: 0.004, ..WaterSettings::new(256, 256) };
        let calm = |start, water| Self { start, water, rain: rain(0, false, 1) };
        vec![
            Preset::new("rain", "rain and a finger on 256x256 cells, with damping (fragstream's variant)",
                300, Self { water: damped, ..Self::default() }),
            figure("fig1", "rain in a basin of 256x256 cells (Fig. 1)", 256, rain(17, false, 5), 115),
            figure("fig6", "rain on 512x512 cells (Fig. 6)", 512, rain(20, false, 8), 230),
            figure("fig7", "a finger draws a circle, on 1024x1024 cells (Fig. 7)", 1024, rain(0, true, 1), 128),
            Preset::new("paper", "the paper's water, without damping, on 1024x1024 cells", 300, Self::default()),
            Preset::new("wave", "a standing wave for ten periods, whose exact solution is known",
                1023, calm(Start::Wave, WaterSettings::new(128, 85))),
            Preset::new("hump", "a hump falls", 100, calm(Start::Hump, WaterSettings::new(64, 64))),
            Preset::new("film", "small, for a film", 8, film),
        ]
    }
}

/// Rain on water, and a finger that moves in a circle in it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Rain {
    /// Number of steps from one drop of rain to the next; 0 for no rain
    #[serde(rename = "rain")]
    pub every: u32,
    /// Draw a circle with a finger
    #[schemars(extend("without" = "Leave out the finger"))]
    pub finger: bool,
    /// Random seed of the rain
    pub seed: u64,
}

impl Default for Rain {
    fn default() -> Self {
        Self { every: 60, finger: true, seed: 1 }
    }
}

impl Rain {
    /// A typical height of the waves.
    pub const HEIGHT: f32 = 0.5;

    /// Disturbs the water before this step.
    pub fn push(&self, step: u32, water: &mut Water) -> Result<(), Error> {
        let settings = *water.settings();
        let (width, height) = (settings.size.0 as f32, settings.size.1 as f32);
        let courant = settings.courant as f32;
        let side = width.min(height);
        if self.every > 0 && step.is_multiple_of(self.every) {
            let number = 2 * u64::from(step / self.every);
            let inside = |share: f32| 0.08 + 0.84 * share;
            let place = [
                inside(random(self.seed, number)) * width,
                inside(random(self.seed, number + 1)) * height,
            ];
            let radius = side / 36.0;
            water.push(&Stroke::at(place, radius), -1.6 * courant / radius)?;
        }
        if self.finger {
            // Faster than waves, so that it leaves a wake.
            let orbit = 0.27 * side;
            let at = |step: f32| {
                let angle = 1.35 * courant * step / orbit;
                let (sine, cosine) = angle.sin_cos();
                [width / 2.0 + orbit * cosine, height / 2.0 + orbit * sine]
            };
            let radius = side / 70.0;
            let stroke = Stroke { from: at(step as f32), to: at(step as f32 + 1.0), radius };
            // A force during one step: its change of height per step grows with the square of the time step.
            water.push(&stroke, -0.16 * courant * courant / radius)?;
        }
        Ok(())
    }
}

/// Water with rain and its pictures.
pub struct Scene {
    water: Water,
    settings: Settings,
    raining: bool,
    painter: Painter,
}

impl Scene {
    /// Water at the start.
    pub fn new(machine: &Machine, settings: &Settings) -> Result<Self, Error> {
        Ok(Self {
            water: settings.at_start(machine)?,
            settings: *settings,
            raining: true,
            painter: Painter::new(machine)?,
        })
    }
}

impl scene::Scene for Scene {
    fn step(&mut self, _measured: bool) -> Done {
        if self.raining {
            self.settings.rain.push(self.water.steps() as u32, &mut self.water)?;
        }
        Ok(self.water.step()?)
    }

    fn draw(&mut self, view: usize, canvas: &Canvas) -> Done {
        Ok(self.painter.draw_water(&self.water, WaterShown::ALL[view], Rain::HEIGHT, canvas)?)
    }

    fn size(&self) -> Size {
        self.water.settings().size
    }

    fn shape(&self, view: usize) -> Size {
        if view == 0 { VIEW } else { self.size() }
    }

    fn cell(&self, view: usize, place: [f32; 2]) -> Option<[f32; 2]> {
        let (width, height) = self.shape(view);
        WaterShown::ALL[view].cell(self.size(), width as f32 / height as f32, place)
    }

    fn scale(&self, view: usize) -> Option<Scale> {
        let most = WaterShown::ALL[view].brightest(&self.water, Rain::HEIGHT)?;
        Some(Scale::signed(&SIGNED_COLOURS, most))
    }

    /// A click makes a drop. A stroke pushes in proportion to its length in a frame, up to half as much as a
    /// drop, because waves from a line fade more slowly.
    fn push(&mut self, push: &Push) -> Done {
        let strength =
            if push.begins { DROP } else { (0.4 * push.way / push.radius).min(0.5 * DROP) };
        let sign = match push.tool {
            Tool::First => -1.0,
            Tool::Second => 1.0,
        };
        let speed = sign * strength * self.water.settings().courant as f32 / push.radius;
        // Point by point: a point conserves the volume, a line takes some with it.
        let along = [0, 1].map(|k| push.to[k] - push.from[k]);
        let points = (along[0].hypot(along[1]) / push.radius).ceil().clamp(1.0, 32.0);
        for point in 1..=points as u32 {
            let share = point as f32 / points;
            let place = [0, 1].map(|k| push.from[k] + share * along[k]);
            self.water.push(&Stroke::at(place, push.radius), speed)?;
        }
        Ok(())
    }

    fn motion(&mut self) -> Option<&mut bool> {
        Some(&mut self.raining)
    }

    fn reset(&mut self) -> Done {
        self.water = self.settings.at_start(self.water.machine())?;
        Ok(())
    }

    fn steer(&mut self, settings: &Flat) -> Result<bool, BoxedError> {
        let settings: Settings = typed(settings)?;
        let steered = settings.start == self.settings.start && self.water.steer(settings.water)?;
        if steered {
            self.settings = settings;
        }
        Ok(steered)
    }

    fn effort(&self) -> Effort {
        self.water.effort()
    }

    fn streams(&self) -> Vec<(String, &Stream)> {
        self.water.streams()
    }

    fn summary(&self) -> Fields {
        vec![("residual", self.water.effort().residual)]
    }
}
