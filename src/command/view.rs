//! `fragstream view`: simulations in a window, pushed by the mouse (kruger2003, section 6; batty2003).

use std::marker::PhantomData;

use clap::{Args, Subcommand};
use serde_json::json;

use crate::arguments::{GridSize, count, not_negative};

use crate::batty2003::picture::LiquidScene;
use crate::gl::Context;
use crate::kruger2003::WaterSettings;
use crate::kruger2003::picture::{FluidScene, WaterScene};
use crate::kruger2003::strokes::{Pens, Rain};
use crate::stream::Machine;
use crate::view::keys::KEYS;
use crate::view::stage::DETAIL;
use crate::view::{self, Demo, Options, ViewError};

use super::failure::Failure;
use super::liquid::solving::Solving;
use super::liquid::{Named, cells};
use super::navier_stokes::Physics;
use super::output::{Target, note, png};
use super::session::Session;

/// The smallest and the largest side of a window.
const SMALLEST: u32 = 16;
const LARGEST: u32 = 8192;

/// Number of cells along a side of a box of liquid, on a graphics card and with software rendering.
const FINE: u16 = 24;
const COARSE: u16 = 16;

/// Open a window with a simulation that the mouse pushes (kruger2003, section 6; batty2003)
#[derive(Args)]
#[command(arg_required_else_help = false)]
pub struct Arguments {
    #[command(subcommand)]
    demo: SimulationArguments,
}

/// Simulation in the window.
#[derive(Subcommand)]
enum SimulationArguments {
    /// Water: strokes press its surface down, and waves run from them
    Water(WaterArguments),
    /// A fluid: strokes drag it along and leave dye
    Dye(DyeArguments),
    /// A liquid in a glass box: strokes push it, and the right button pours more
    Liquid(LiquidArguments),
}

/// Water in a window.
#[derive(Args)]
#[command(after_help = keys())]
struct WaterArguments {
    /// Number of cells
    #[arg(long, value_name = "WxH", default_value_t = GridSize::new(256, 256))]
    size: GridSize,

    #[command(flatten)]
    water: WaterSettings,

    /// Let it rain: number of steps from one drop to the next
    #[arg(long, value_name = "N", value_parser = count(1..=u32::MAX))]
    rain: Option<u32>,

    /// Random seed of the rain
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count(0..=u64::MAX))]
    seed: u64,

    #[command(flatten)]
    window: Window<WaterScene>,
}

/// A fluid in a window.
#[derive(Args)]
#[command(after_help = keys())]
struct DyeArguments {
    /// Number of cells
    #[arg(long, value_name = "WxH", default_value_t = GridSize::new(192, 144))]
    size: GridSize,

    #[command(flatten)]
    physics: Physics,

    /// Let three pens stir
    #[arg(long)]
    pens: bool,

    /// Random seed of the pens
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count(0..=u64::MAX))]
    seed: u64,

    #[command(flatten)]
    window: Window<FluidScene>,
}

/// A liquid in a window.
#[derive(Args)]
#[command(after_help = keys())]
struct LiquidArguments {
    /// Scene at the start
    #[arg(long, value_enum, default_value_t = Named::Dam)]
    scene: Named,

    /// Number of cells along a side of the box [default: 24, or 16 with software rendering]
    #[arg(long, value_name = "N", value_parser = cells)]
    size: Option<u16>,

    #[command(flatten)]
    solving: Solving,

    /// Let a tap run
    #[arg(long)]
    tap: bool,

    #[command(flatten)]
    window: Window<LiquidScene>,
}

/// The window.
#[derive(Args)]
#[command(next_help_heading = "Window")]
struct Window<D: Demo + 'static> {
    /// First view
    #[arg(long, value_name = "VIEW", default_value = D::VIEWS[0], value_parser = view_of::<D>,
          help = format!("First view: {} or texture", D::VIEWS.join(", ")))]
    show: usize,

    /// Size of the window in pixels
    #[arg(long, value_name = "WxH", default_value_t = GridSize::new(800, 600))]
    window: GridSize,

    /// Samples of a picture along each side of a pixel, from 0.125 (faster) to 4 (finer) [default: 1, or
    /// less with software rendering]
    #[arg(long, value_name = "NUMBER", value_parser = detail)]
    detail: Option<f32>,

    /// Maximum number of steps per second; 0 for as many as possible
    #[arg(long, value_name = "NUMBER", default_value_t = 60.0, value_parser = not_negative)]
    rate: f64,

    /// Close after this number of steps
    #[arg(long, value_name = "N", value_parser = count(1..=u64::MAX))]
    steps: Option<u64>,

    /// Write the last contents of the window
    #[arg(long = "png", value_name = "FILE.png", value_parser = png)]
    screenshot: Option<Target>,

    #[arg(skip)]
    demo: PhantomData<D>,
}

/// Checks, opens the window, and returns when it is closed.
pub fn run(arguments: Arguments, session: &mut Session) -> Result<(), Failure> {
    match arguments.demo {
        SimulationArguments::Water(arguments) => water(&arguments, session),
        SimulationArguments::Dye(arguments) => dye(&arguments, session),
        SimulationArguments::Liquid(arguments) => liquid(&arguments, session),
    }
}

fn water(arguments: &WaterArguments, session: &mut Session) -> Result<(), Failure> {
    let settings =
        WaterSettings { size: (arguments.size.columns, arguments.size.rows), ..arguments.water };
    settings.check()?;
    let rain = Rain { every: arguments.rain.unwrap_or(60), finger: false, seed: arguments.seed };
    let (raining, instead) = (arguments.rain.is_some(), "fragstream water --gif waves.gif");
    arguments.window.open(instead, session, |machine| {
        let mut scene = WaterScene::new(machine, settings, rain)?;
        scene.raining = raining;
        Ok(scene)
    })
}

fn dye(arguments: &DyeArguments, session: &mut Session) -> Result<(), Failure> {
    let settings = arguments.physics.settings(arguments.size);
    settings.check()?;
    let pens = Pens { speed: 2.0 / settings.dt as f32, seed: arguments.seed };
    let instead = "fragstream navier-stokes --gif dye.gif";
    arguments.window.open(instead, session, |machine| {
        let mut scene = FluidScene::new(machine, settings, pens)?;
        scene.stirring = arguments.pens;
        Ok(scene)
    })
}

fn liquid(arguments: &LiquidArguments, session: &mut Session) -> Result<(), Failure> {
    let scene = |cells: u16| arguments.scene.scene(cells.into());
    scene(arguments.size.unwrap_or(FINE)).check()?;
    arguments.solving.check()?;
    // The coarse box is for software rendering.
    let cells = usize::from(arguments.size.unwrap_or(COARSE)).pow(3);
    Context::expect_passes(cells / 4);
    let (solving, tap) = (&arguments.solving, arguments.tap);
    let instead = "fragstream liquid --gif dam.gif";
    arguments.window.open(instead, session, |machine| {
        let size = arguments.size.unwrap_or_else(|| usual(machine));
        let scene = scene(size);
        let solver = solving.solver(machine, scene.size)?;
        let mut scene = LiquidScene::new(machine, scene, solver, solving.criteria())?;
        scene.tap = tap;
        Ok(scene)
    })
}

/// Default number of cells along a side of the box: few enough for twenty steps per second.
fn usual(machine: &Machine) -> u16 {
    if !machine.context().description().software {
        return FINE;
    }
    note(format_args!("software rendering: {COARSE} cells along a side (--size {FINE} is finer)"));
    COARSE
}

impl<D: Demo + 'static> Window<D> {
    fn open(
        &self,
        instead: &'static str,
        session: &mut Session,
        make: impl FnOnce(&Machine) -> Result<D, D::Error>,
    ) -> Result<(), Failure>
    where
        Failure: From<ViewError<D::Error>>,
    {
        let GridSize { columns, rows } = self.window;
        if columns.min(rows) < SMALLEST || columns.max(rows) > LARGEST {
            let message = format!(
                "the window has {columns}x{rows} pixels. Give sides from {SMALLEST} to {LARGEST}"
            );
            return Err(Failure::input(message));
        }
        let options = Options {
            window: (columns, rows),
            detail: self.detail,
            rate: self.rate,
            steps: self.steps,
            view: self.show,
            screenshot: self.screenshot.is_some(),
            instead,
        };
        let mut watched = Ok(());
        let make = |machine: &Machine| {
            watched = session.watch(machine);
            make(machine)
        };
        let ended = view::run(options, make, |text| note(text))?;
        watched?;
        session.record(ended.ledger);
        session.print(&(), &json!({ "simulation": D::NAME, "steps": ended.steps }))?;
        match (&self.screenshot, &ended.screenshot) {
            (Some(file), Some(picture)) => file.picture(picture),
            _ => Ok(()),
        }
    }
}

fn keys() -> String {
    format!("In the window:\n{KEYS}")
}

/// A number from 0.125 to 4.
fn detail(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    let fitting = number.filter(|number| DETAIL.contains(number));
    fitting.ok_or_else(|| "give a number from 0.125 to 4".to_owned())
}

/// The index of a view.
fn view_of<D: Demo>(name: &str) -> Result<usize, String> {
    let all = || D::VIEWS.iter().chain(&["texture"]);
    all()
        .position(|view| *view == name)
        .ok_or_else(|| format!("give one of {}", all().copied().collect::<Vec<_>>().join(", ")))
}
