//! A liquid in a glass box (batty2003): its pressure is solved for in textures, everything else on the CPU, as in the
//! paper. Strokes push it, and the other button pours more.

use std::path::PathBuf;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::batty2003::scenes::flip::{Liquid, Scene as Box3, Shape, Step};
use crate::batty2003::scenes::picture::{GlassBox, Surface};
use crate::batty2003::{
    Error, GpuSolver, NORM_EVERY, Preconditioner, PressureSolver, Settings as SolverSettings,
    host_solver,
};
use crate::mesh::TriangleMesh;
use crate::picture::Canvas;
use crate::scene::{
    self, BoxedError, Done, Drawn, Effort, Entry, Fields, Filmed, Interactive, Output, Preset,
    Push, Tool, Typed,
};
use crate::settings::{Flat, extend, flat};
use crate::solver::Criteria;
use crate::stream::{Machine, Size, Stream};

use super::scene_file::read_scene;

/// The entry of the registry.
pub static LIQUID: Entry = Entry {
    name: "liquid",
    alias: None,
    paper: "batty2003",
    section: "Background",
    about: "Simulate a liquid in a glass box; its pressure is solved for in textures (batty2003)",
    details: "Particles carry the liquid, a grid its pressure. As in the paper, the CPU computes everything except the \
              pressure. Lengths are in metres, and y is up. A scene file describes liquid, solids and inflows as \
              boxes or spheres.\n\n\
              The table has one row per tenth of the steps: iterations and residual of the pressure's solve, the \
              volume in cubic metres, and the lowest and the highest pressure in pascals. Where solids divide the box, \
              --csv has the volume of each part.",
    views: &["surface"],
    every: 4,
    outputs: &[Output::Surface],
    interactive: Interactive {
        preset: "small",
        motion: "tap",
        second: "pour",
        unit: "time step",
        counted: "iterations",
        detail: 0.35,
        coarser: 4,
        exercise: None,
    },
    film: Filmed {
        preset: "film",
        title: "A dam breaks: conjugate gradients for the pressure",
        start: "",
        step: "",
        reads: false,
        side: None,
    },
    settings: Typed::of::<Settings>(),
};

/// Width and height of a view of the box.
const VIEW: Size = (4, 3);

/// Fraction of the mouse's speed that the liquid takes.
const SHARE: f64 = 0.2;

/// Maximum speed from a stroke, in sides of the box per second.
const FASTEST: f64 = 3.0;

/// Speed of poured liquid, in sides of the box per second.
const POURED: f64 = 1.0;

/// Cells by which a stroke extends beyond its width: a coarse grid cannot resolve narrower ones.
const REACH: f64 = 1.5;

/// Settings of a liquid.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = arrange)]
pub struct Settings {
    /// Scene (TOML)
    #[schemars(extend("positional" = true, "takes" = "SCENE.toml", "instead_of" = "scene",
                       "needs" = "files"))]
    pub file: Option<PathBuf>,
    /// Bundled scene, in a box of one metre
    pub scene: Named,
    /// Number of cells along the longest side of the box [default: 32, or the scene file's]
    #[schemars(range(min = 1, max = 640))]
    pub size: Option<u16>,
    /// Time step in seconds [default: 1/120, or the scene file's]
    #[schemars(extend("exclusiveMinimum" = 0.0, "takes" = "SECONDS"))]
    pub dt: Option<f64>,
    /// Correct volume that was lost or gained, through the divergence; keep_volume = true in a scene file
    pub keep_volume: bool,
    /// Let a tap run
    pub tap: bool,
    /// Processor that solves for the pressure [default: gpu; cpu with --preconditioner ic or mic]
    pub on: Option<On>,
    /// Preconditioner
    pub preconditioner: Preconditioner,
    /// The solver on the GPU.
    #[serde(flatten)]
    pub solver: SolverSettings,
    /// Stopping criteria of a solve.
    #[serde(flatten)]
    pub criteria: Criteria,
    /// Number of iterations between two norms of the residual; about 13 in the paper
    #[schemars(range(min = 1, max = 10_000))]
    pub norm_every: u32,
}

/// The settings of the pressure have a heading in the help.
fn arrange(schema: &mut Schema) {
    let pressure = ["on", "preconditioner", "rtol", "atol", "maxiter", "norm_every"];
    let steps = ["layout", "index", "offsets", "guess", "grouping", "finish", "scalars", "stop_at"];
    extend(schema, &pressure, "heading", "Pressure");
    extend(schema, &steps, "heading", "Steps of Appendix C");
    extend(schema, &["atol"], "hidden", true);
}

/// Bundled scenes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Named {
    /// A column of water is let go
    Dam,
    /// A ball of water falls into a pool
    Drop,
    /// A column of water is let go towards a pillar and a ball
    Obstacle,
}

/// Processor that solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum On {
    /// Fragment programs
    Gpu,
    /// All cores of the CPU, in double precision
    Cpu,
}

/// Number of cells along a side unless given.
const CELLS: usize = 32;

impl Default for Settings {
    /// The paper's: a million cells, and its stopping criteria.
    fn default() -> Self {
        Self {
            file: None,
            scene: Named::Dam,
            size: Some(100),
            dt: None,
            keep_volume: false,
            tap: false,
            on: None,
            preconditioner: Preconditioner::Diagonal,
            solver: SolverSettings::default(),
            criteria: Criteria::to(1e-4),
            norm_every: NORM_EVERY as u32,
        }
    }
}

impl Settings {
    /// The box, checked. Reads its file.
    pub fn read(&self) -> Result<Box3, BoxedError> {
        let cells = self.size.map(usize::from);
        let usual = cells.unwrap_or(CELLS);
        let mut scene = match (&self.file, self.scene) {
            (Some(file), _) => read_scene(file, cells)?,
            (None, Named::Dam) => Box3::dam(usual),
            (None, Named::Drop) => Box3::drop(usual),
            (None, Named::Obstacle) => Box3::obstacle(usual),
        };
        scene.time_step = self.dt.unwrap_or(scene.time_step);
        scene.keep_volume |= self.keep_volume;
        scene.check()?;
        Ok(scene)
    }

    fn is_for_cpu(&self) -> bool {
        matches!(self.preconditioner, Preconditioner::Ic | Preconditioner::Mic)
    }

    fn place(&self) -> On {
        let usual = if self.is_for_cpu() { On::Cpu } else { On::Gpu };
        self.on.unwrap_or(usual)
    }

    /// The solver's settings on the GPU.
    pub fn on_gpu(&self) -> SolverSettings {
        let preconditioned = self.preconditioner == Preconditioner::Diagonal;
        SolverSettings { preconditioned, ..self.solver }
    }

    /// Stopping criteria with the paper's norms.
    pub fn criteria(&self) -> Criteria {
        Criteria { norm_every: self.norm_every as usize, ..self.criteria }
    }

    /// The solver, for a grid of this size.
    fn solver(
        &self,
        machine: &Machine,
        size: [usize; 3],
    ) -> Result<Box<dyn PressureSolver>, Error> {
        Ok(match self.place() {
            On::Cpu => Box::new(host_solver::<f64>(self.preconditioner)),
            On::Gpu => Box::new(GpuSolver::new(machine, size, self.on_gpu())?),
        })
    }
}

impl scene::Settings for Settings {
    fn check(&self) -> Done {
        self.read()?;
        if self.on == Some(On::Gpu) && self.is_for_cpu() {
            let what = "--preconditioner ic and mic run on the CPU. Leave out --on gpu";
            return Err(BoxedError::from(what));
        }
        let usual = SolverSettings::default();
        let steps = [
            ("--layout", self.solver.storage != usual.storage),
            ("--index", self.solver.index != usual.index),
            ("a step of Appendix C", self.solver != usual),
        ];
        match steps.into_iter().find(|step| step.1) {
            Some((name, _)) if self.place() == On::Cpu => {
                Err(BoxedError::from(format!("{name} applies to the GPU. Leave it out")))
            }
            _ => Ok(()),
        }
    }

    fn texels(&self) -> usize {
        self.read().map_or(0, |scene| scene.size.iter().product::<usize>() / 4)
    }

    fn resize(&mut self, side: u32) {
        self.size = Some(u16::try_from(side).unwrap_or(u16::MAX));
    }

    fn resolved(&self) -> Result<Flat, BoxedError> {
        let scene = self.read()?;
        let size = scene.size.into_iter().max().and_then(|side| u16::try_from(side).ok());
        let (dt, on) = (Some(scene.time_step), Some(self.place()));
        Ok(flat(&Self { size, dt, on, ..self.clone() }))
    }

    fn start(&self, machine: &Machine, drawn: Drawn) -> Result<Box<dyn scene::Scene>, BoxedError> {
        let scene = self.read()?;
        let solver = self.solver(machine, scene.size).map_err(|error| match &self.file {
            Some(file) => BoxedError::from(format!("{}: size: {error}", file.display())),
            None => error.into(),
        })?;
        // In a window or a page the mouse pours.
        let bodies = scene.liquids.len() + scene.inflows.len();
        if drawn != Drawn::Any && !self.tap && scene.without_effect().len() == bodies {
            let file =
                self.file.as_ref().map_or(String::new(), |file| format!("{}: ", file.display()));
            let what = "there is no liquid. Add a [[liquid]] or an [[inflow]] in the box and outside of solids, or \
                        give --tap";
            return Err(BoxedError::from(format!("{file}{what}")));
        }
        let mut scene = Scene::new(machine, scene, solver, self.criteria())?;
        scene.tap = self.tap;
        Ok(Box::new(scene))
    }

    #[rustfmt::skip]
    fn presets() -> Vec<Preset<Self>> {
        let paper = Self::default();
        let criteria = Criteria::to(1e-3);
        let usual = Self { size: None, criteria, norm_every: 1, ..paper.clone() };
        vec![
            Preset::new("dam", "a dam of 32 cells along a side, with a looser criterion (fragstream's variant)",
                120, usual.clone()),
            Preset::new("paper", "a dam of a million cells, and the paper's stopping criteria", 51, paper),
            Preset::new("small", "16 cells along a side, for the mouse", 120, usual.clone().on(16)),
            Preset::new("film", "8 cells along a side, for a film", 2, usual.on(8)),
        ]
    }
}

/// A liquid with its picture.
pub struct Scene {
    /// The liquid.
    pub liquid: Liquid,
    glass_box: GlassBox,
    /// True while a tap above the box is open.
    tap: bool,
    solver: Box<dyn PressureSolver>,
    criteria: Criteria,
    /// Records of the steps.
    steps: Vec<Step>,
}

impl Scene {
    /// A liquid at its start.
    pub fn new(
        machine: &Machine,
        scene: Box3,
        solver: Box<dyn PressureSolver>,
        criteria: Criteria,
    ) -> Result<Self, Error> {
        Ok(Self {
            glass_box: GlassBox::new(machine, &scene)?,
            liquid: Liquid::new(scene)?,
            tap: false,
            solver,
            criteria,
            steps: Vec::new(),
        })
    }

    /// Record of the last step.
    pub fn last(&self) -> Option<&Step> {
        self.steps.last()
    }

    /// Adds the tap's liquid in a step.
    fn pour(&mut self) -> Result<(), Error> {
        let [x, y, z] = self.liquid.scene().grid().extent();
        let jet =
            Shape::Sphere { centre: [0.7 * x, 0.88 * y, 0.5 * z], radius: 0.08 * x.min(y).min(z) };
        Ok(self.liquid.pour(&jet, [0.0, -y, 0.0])?)
    }
}

/// A stroke is in the middle plane of the box, x to the right and y up.
impl scene::Scene for Scene {
    fn step(&mut self, _measured: bool) -> Done {
        if self.tap {
            self.pour()?;
        }
        let step = self.liquid.step(&mut *self.solver, &self.criteria)?;
        self.steps.push(step);
        Ok(())
    }

    fn draw(&mut self, _view: usize, canvas: &Canvas) -> Done {
        Ok(self.glass_box.draw(&Surface::of(self.liquid.surface()), canvas)?)
    }

    fn size(&self) -> Size {
        let [x, y, _] = self.liquid.scene().size;
        (x as u32, y as u32)
    }

    fn grid(&self) -> String {
        let [x, y, z] = self.liquid.scene().size;
        format!("{x}x{y}x{z} cells")
    }

    fn shape(&self, _view: usize) -> Size {
        VIEW
    }

    fn cell(&self, _view: usize, place: [f32; 2]) -> Option<[f32; 2]> {
        let grid = self.liquid.scene().grid();
        let camera = self.glass_box.camera(f64::from(VIEW.0) / f64::from(VIEW.1));
        let ray = camera.ray(place);
        let depth = (0.5 * grid.extent()[2] as f32 - camera.eye[2]) / ray[2];
        let cell = [0, 1].map(|k| (camera.eye[k] + depth * ray[k]) / grid.spacing as f32);
        (depth > 0.0).then_some(cell)
    }

    /// The first button pushes through the whole depth of the box, by a fraction of the mouse's speed. The
    /// second pours.
    fn push(&mut self, push: &Push) -> Done {
        let scene = self.liquid.scene();
        let (grid, time_step) = (scene.grid(), scene.time_step);
        let extent = grid.extent();
        let longest = extent.into_iter().fold(0.0, f64::max);
        let radius = (f64::from(push.radius) + REACH) * grid.spacing;
        let [from, to] =
            [push.from, push.to].map(|cell| cell.map(|at| f64::from(at) * grid.spacing));
        match push.tool {
            Tool::First => {
                let speed = [0, 1].map(|k| SHARE * (to[k] - from[k]) / time_step);
                let slower = (FASTEST * longest / speed[0].hypot(speed[1])).min(1.0);
                let velocity = [speed[0] * slower, speed[1] * slower, 0.0];
                let [x, y] = [0, 1].map(|k| 0.5 * (from[k] + to[k]));
                let layers = (extent[2] / radius).ceil();
                for layer in 0..layers as usize {
                    let z = extent[2] * (layer as f64 + 0.5) / layers;
                    self.liquid.push([x, y, z], velocity, radius);
                }
                Ok(())
            }
            Tool::Second => {
                let centre = [to[0], to[1], 0.5 * extent[2]];
                let poured = Shape::Sphere { centre, radius };
                Ok(self.liquid.pour(&poured, [0.0, -POURED * longest, 0.0])?)
            }
        }
    }

    fn motion(&mut self) -> Option<&mut bool> {
        Some(&mut self.tap)
    }

    fn reset(&mut self) -> Done {
        self.liquid = Liquid::new(self.liquid.scene().clone())?;
        Ok(())
    }

    fn effort(&self) -> Effort {
        self.last().map_or(Effort { iterations: 0, residual: 0.0 }, |step| Effort {
            iterations: step.outcome.iterations,
            residual: step.outcome.residual,
        })
    }

    fn streams(&self) -> Vec<(String, &Stream)> {
        [self.solver.streams(), self.glass_box.streams()].concat()
    }

    fn surface(&self) -> Option<TriangleMesh> {
        Some(Surface::of(self.liquid.surface()).mesh)
    }

    fn row(&mut self) -> Result<Option<Fields>, BoxedError> {
        let number = self.liquid.steps() as f64;
        Ok(self.last().map(|step| {
            let [low, high] = step.pressure;
            vec![
                ("step", number),
                ("iterations", step.outcome.iterations as f64),
                ("residual", step.outcome.residual),
                ("volume", step.volume),
                ("lowest_pressure", low),
                ("highest_pressure", high),
            ]
        }))
    }

    fn notes(&self) -> Vec<String> {
        self.liquid.scene().without_effect()
    }

    fn history(&self) -> Vec<String> {
        let names = "step,iterations,residual,volume,unknowns,closed_pockets,divergence_before,\
                     divergence_after,lowest_pressure,highest_pressure";
        let regions = self.steps.first().map_or(0, |step| step.regions.len());
        let regions: String = (1..=regions).map(|region| format!(",volume_{region}")).collect();
        let mut lines = vec![format!("{names}{regions}")];
        lines.extend((1..).zip(&self.steps).map(|(number, step)| {
            let regions: String = step.regions.iter().map(|v| format!(",{v:e}")).collect();
            format!(
                "{number},{},{:e},{:e},{},{},{:e},{:e},{:e},{:e}{regions}",
                step.outcome.iterations,
                step.outcome.residual,
                step.volume,
                step.unknowns,
                step.closed_pockets,
                step.divergence_before,
                step.divergence_after,
                step.pressure[0],
                step.pressure[1]
            )
        }));
        lines
    }

    fn progress(&self) -> String {
        self.last().map_or_else(String::new, |step| {
            let [low, high] = step.pressure;
            format!(
                "{} iterations, {:.4} m³, {low:.0} to {high:.0} Pa",
                step.outcome.iterations, step.volume
            )
        })
    }

    fn summary(&self) -> Fields {
        let steps = &self.steps;
        let mean = |of: &dyn Fn(&Step) -> f64| {
            steps.iter().map(of).sum::<f64>() / steps.len().max(1) as f64
        };
        let solve = mean(&|step| step.solve_seconds);
        let pockets = steps.iter().map(|step| step.closed_pockets).max();
        vec![
            ("iterations_per_step", mean(&|step| step.outcome.iterations as f64)),
            ("seconds_per_solve", solve),
            ("seconds_per_step_around_it", mean(&|step| step.seconds) - solve),
            ("closed_pockets", pockets.unwrap_or(0) as f64),
        ]
    }
}
