//! A jet (Bolz et al. 2003, section 4.1, Fig. 5): it enters fluid at rest, and strokes of the mouse drag the fluid
//! along.

use std::f64::consts::PI;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bolz2003::Error;
use crate::bolz2003::fluid::{
    Divergence, Domain, Dye, Fluid, Inlet, Painter, Particles, Settings as FluidSettings, Shown,
    Stroke, Walls,
};
use crate::bolz2003::grid::Grid;
use crate::picture::Canvas;
use crate::scene::{
    self, BoxedError, Done, Drawn, Effort, Entry, Exercise, Fields, Filmed, Interactive, Preset,
    Push, Typed, check_memory,
};
use crate::settings::{GridSize, pair};
use crate::solver::Cycle;
use crate::solver::multigrid::SWEEPS;
use crate::stream::{Machine, Size, Stream};

/// The entry of the registry.
pub static JET: Entry = Entry {
    name: "jet",
    alias: Some("fluid"),
    paper: "bolz2003",
    section: "section 4.1",
    about: "Simulate a fluid by Stam's method, with a multigrid solver (bolz2003, section 4.1)",
    details: "A jet enters a box of fluid at rest through an opening in the middle of its left side; the opposite side \
              is open. With `--inlet off` the box is closed, and two streams flow against each other. Along walls the \
              fluid slips; with a viscosity it sticks to them. Lengths are in grid spaces, speeds in grid spaces per \
              unit of time.\n\n\
              The table has one row per tenth of the steps: the divergence (root mean square, per unit of time) by \
              central differences before and after the projection, and that of the velocities between nodes, which \
              is the residual of the pressure's equation.",
    views: &["speed", "vorticity", "dye", "pressure"],
    every: 4,
    outputs: &[],
    interactive: Interactive {
        preset: "fused",
        motion: "",
        second: "",
        unit: "time step",
        counted: "cycles",
        detail: 0.75,
        coarser: 1,
        exercise: Some(Exercise {
            program: "bolz2003/fluid/advect",
            replace: "here - dt",
            with: "here + dt",
            effect: "Advection now looks forwards in time instead of backwards.",
        }),
    },
    film: Filmed {
        preset: "film",
        title: "A jet enters fluid at rest: two V-cycles per step",
        start: "The operators of all levels",
        step: "",
        reads: true,
        side: Some(16),
    },
    settings: Typed::of::<Settings>(),
};

/// Bytes of memory per node.
const NODE: u64 = 700;

/// Fraction of the mouse's speed that the fluid takes.
const SHARE: f32 = 0.25;

/// Settings of a jet. Lengths are in grid spaces.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Number of nodes: powers of two times a small number, plus 1
    #[serde(with = "pair")]
    #[schemars(with = "GridSize")]
    pub size: Size,
    /// Time step
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub dt: f64,
    /// Viscosity, in squared grid spaces per unit of time; the interpolation adds some of its own
    #[schemars(range(min = 0.0))]
    pub viscosity: f64,
    /// Cycles per solve
    #[schemars(range(min = 1, max = SWEEPS))]
    pub cycles: usize,
    /// Shape of a cycle.
    #[serde(flatten)]
    pub cycle: Cycle,
    /// Keep the stencils in constants and compute borders in every program: faster than the paper's stencils in
    /// textures and copied borders
    #[schemars(extend("without" = "Keep stencils in textures and copy borders, as in the paper"))]
    pub fused: bool,
    /// Speed of the jet, or `off`
    #[schemars(extend("exclusiveMinimum" = 0.0, "takes" = "SPEED", "nothing" = "off"))]
    pub inlet: Option<f64>,
    /// Number of particles that are drawn over the picture
    #[schemars(range(max = 10_000_000), extend("heading" = "Pictures"))]
    pub particles: u32,
    /// Pixels of a picture per grid space, unless a width is given
    #[schemars(range(min = 1, max = 16), extend("heading" = "Pictures"))]
    pub zoom: u32,
}

impl Default for Settings {
    fn default() -> Self {
        let FluidSettings { columns, rows, dt, viscosity, cycles, cycle, inlet, .. } =
            FluidSettings::new(513, 129);
        Self {
            size: (columns as u32, rows as u32),
            dt,
            viscosity,
            cycles,
            cycle,
            fused: false,
            inlet: inlet.map(|inlet| inlet.speed),
            particles: 60_000,
            zoom: 2,
        }
    }
}

impl Settings {
    /// The settings of the fluid.
    pub fn fluid(&self) -> FluidSettings {
        let [columns, rows] = [self.size.0, self.size.1].map(|side| side as usize);
        let settings = if self.fused {
            FluidSettings { cycle: self.cycle, ..FluidSettings::fused(columns, rows) }
        } else {
            FluidSettings::new(columns, rows).with_cycle(self.cycle)
        };
        FluidSettings {
            dt: self.dt,
            viscosity: self.viscosity,
            walls: if self.viscosity == 0.0 { Walls::Slip } else { Walls::Stick },
            inlet: self.inlet.map(|speed| Inlet::in_the_middle_of(rows, speed)),
            cycles: self.cycles,
            ..settings
        }
    }
}

impl scene::Settings for Settings {
    fn check(&self) -> Done {
        self.fluid().check()?;
        Ok(check_memory(self.size, NODE)?)
    }

    fn texels(&self) -> usize {
        self.size.0 as usize * self.size.1 as usize / 8
    }

    /// The box is twice as long as high.
    fn resize(&mut self, side: u32) {
        self.size = (2 * side + 1, side + 1);
    }

    fn start(&self, machine: &Machine, drawn: Drawn) -> Result<Box<dyn scene::Scene>, BoxedError> {
        Ok(Box::new(Scene::new(machine, *self, drawn)?))
    }

    #[rustfmt::skip]
    fn presets() -> Vec<Preset<Self>> {
        let usual = Self::default();
        vec![
            Preset::new("short", "the beginning of Fig. 5", 300, usual),
            Preset::new("fig5", "particles in a jet on 513x129 nodes (Fig. 5)", 1000, usual),
            Preset::new("paper", "the same", 1000, usual),
            Preset::new("step", "the grid whose step the paper times, 513x513 nodes",
                20, Self { size: (513, 513), ..usual }),
            Preset::new("fused", "stencils in constants and computed borders (fragstream's variant), with dye",
                300, Self { fused: true, particles: 0, ..usual })
            .seen(2),
            Preset::new("film", "small, for a film", 2, Self { particles: 0, ..usual.on(16) })
                .seen(2),
        ]
    }
}

/// The fluid in a domain, its tracers, and its picture.
struct Moving {
    fluid: Fluid,
    dye: Option<Dye>,
    particles: Option<Particles>,
    painter: Painter,
}

impl Moving {
    /// A fluid at rest with its inlet, or, without an inlet, two opposed streams.
    fn new(domain: &Rc<Domain>, particles: u32, with_dye: bool) -> Result<Self, Error> {
        let mut fluid = Fluid::at_rest(domain)?;
        let inlet = domain.settings().inlet;
        if inlet.is_none() {
            fluid.set_velocity(&shear_layer(domain.grid(), 1.0))?;
            fluid.project()?;
        }
        let number = particles as usize;
        Ok(Self {
            fluid,
            painter: Painter::new(domain, inlet.map_or(1.0, |inlet| inlet.speed))?,
            dye: with_dye.then(|| Dye::new(domain)).transpose()?,
            particles: (number > 0).then(|| Particles::new(domain, number)).transpose()?,
        })
    }
}

/// A jet with its pictures.
pub struct Scene {
    domain: Rc<Domain>,
    moving: Moving,
    zoom: u32,
    /// Divergence in the last step, if it was measured.
    divergence: Option<Divergence>,
}

impl Scene {
    /// Fluid at rest. Only pictures need dye and particles.
    pub fn new(machine: &Machine, settings: Settings, drawn: Drawn) -> Result<Self, Error> {
        let domain = Domain::new(machine, settings.fluid())?;
        let particles = if drawn == Drawn::Nothing { 0 } else { settings.particles };
        let with_dye = match drawn {
            Drawn::Nothing => false,
            Drawn::View(view) => Shown::ALL[view] == Shown::Dye,
            Drawn::Any => true,
        };
        Ok(Self {
            moving: Moving::new(&domain, particles, with_dye)?,
            domain,
            zoom: settings.zoom,
            divergence: None,
        })
    }

    /// Divergence in the last step, if it was measured.
    pub fn divergence(&self) -> Option<Divergence> {
        self.divergence
    }

    /// Vorticity of every node, in the order of the nodes.
    pub fn vorticity(&self) -> Result<Vec<f32>, Error> {
        let Moving { fluid, painter, .. } = &self.moving;
        painter.vorticity(fluid)
    }

    /// Draws a view without particles.
    pub fn draw_alone(&self, view: usize, canvas: &Canvas) -> Result<(), Error> {
        let Moving { fluid, dye, painter, .. } = &self.moving;
        painter.draw(fluid, Shown::ALL[view], dye.as_ref(), None, canvas)
    }
}

impl scene::Scene for Scene {
    fn step(&mut self, measured: bool) -> Done {
        let Moving { fluid, dye, particles, .. } = &mut self.moving;
        let divergence = if measured {
            Some(fluid.measured_step()?)
        } else {
            fluid.step()?;
            None
        };
        dye.as_mut().map_or(Ok(()), |dye| dye.step(fluid))?;
        particles.as_mut().map_or(Ok(()), |particles| particles.step(fluid))?;
        self.divergence = divergence;
        Ok(())
    }

    fn draw(&mut self, view: usize, canvas: &Canvas) -> Done {
        let Moving { fluid, dye, particles, painter } = &self.moving;
        Ok(painter.draw(fluid, Shown::ALL[view], dye.as_ref(), particles.as_ref(), canvas)?)
    }

    fn size(&self) -> Size {
        let grid = self.domain.grid();
        (grid.columns() as u32, grid.rows() as u32)
    }

    fn shape(&self, _view: usize) -> Size {
        let [width, height] = self.domain.grid().cells.map(|cells| cells as u32);
        (width, height)
    }

    fn width(&self) -> u32 {
        self.shape(0).0 * self.zoom
    }

    fn cell(&self, view: usize, place: [f32; 2]) -> Option<[f32; 2]> {
        let (width, height) = self.shape(view);
        Some([place[0] * width as f32, place[1] * height as f32])
    }

    /// Applies a force for one step, with a bell curve across the stroke.
    fn push(&mut self, push: &Push) -> Done {
        let way = [0, 1].map(|k| push.to[k] - push.from[k]);
        let squared = way[0] * way[0] + way[1] * way[1];
        if squared > 0.0 {
            let speed = (SHARE * push.way).min(3.0) / squared.sqrt();
            let (ends, radius) = ([push.from, push.to], 1.5 * push.radius.max(1.0));
            let stroke = Stroke { ends, radius, force: way.map(|part| speed * part) };
            self.moving.fluid.push(stroke);
        }
        Ok(())
    }

    fn reset(&mut self) -> Done {
        let Moving { dye, particles, .. } = &self.moving;
        let (number, with_dye) = (particles.as_ref().map_or(0, Particles::number), dye.is_some());
        self.moving = Moving::new(&self.domain, number, with_dye)?;
        Ok(())
    }

    fn effort(&self) -> Effort {
        let residual = self.divergence.map_or(f64::NAN, |divergence| divergence.residual);
        Effort { iterations: self.domain.settings().cycles, residual }
    }

    fn streams(&self) -> Vec<(String, &Stream)> {
        let Moving { fluid, dye, .. } = &self.moving;
        let streams =
            [("velocity", fluid.velocity()), ("pressure, in four quadrants", fluid.pressure())];
        let dye = dye.iter().map(|dye| ("dye", dye.concentrations()));
        streams.into_iter().chain(dye).map(|(name, stream)| (name.to_owned(), stream)).collect()
    }

    fn row(&mut self) -> Result<Option<Fields>, BoxedError> {
        let step = self.moving.fluid.steps() as f64;
        Ok(self.divergence.map(|Divergence { before, after, residual }| {
            vec![
                ("step", step),
                ("divergence_before", before),
                ("divergence_after", after),
                ("residual", residual),
            ]
        }))
    }

    fn progress(&self) -> String {
        self.divergence.map_or_else(String::new, |Divergence { before, after, .. }| {
            format!("divergence {before:.1e} to {after:.1e}")
        })
    }
}

/// Initial velocities in a closed box, one per node: two opposed streams, `speed` to the right above the middle and
/// to the left below it. A few long waves disturb the layer between them, so that it rolls up.
fn shear_layer(grid: &Grid, speed: f64) -> Vec<[f32; 2]> {
    let [width, height] = grid.cells.map(|n| n as f64);
    let thickness = height / 40.0;
    let velocity = |place: usize| {
        let [x, y] = grid.node(place).map(|index| index as f64);
        let above = (y - height / 2.0) / thickness;
        let waves = [(4.0, 0.3), (7.0, 1.1), (11.0, 2.0)];
        let disturbance: f64 =
            waves.iter().map(|(n, phase)| (n * 2.0 * PI * x / width + phase).sin()).sum();
        let near = (-(above / 4.0).powi(2)).exp();
        [speed * above.tanh(), 0.05 * speed * disturbance * near].map(|v| v as f32)
    };
    (0..grid.nodes()).map(velocity).collect()
}
