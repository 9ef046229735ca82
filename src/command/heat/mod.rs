//! `fragstream heat`: the steady temperature on a plate (goodnight2003, section 5.1).

mod conditions;
mod input;
mod result;

use std::fmt::Display;
use std::time::Instant;

use clap::Args;

use crate::arguments::{GridSize, count, finite, positive};
use crate::error::counted;
use crate::goodnight2003::heat::{Plate, Scene};
use crate::goodnight2003::{Equations, Error, Settings, Solver, Test};
use crate::io::raw::write_floats;
use crate::picture::colour::map::GLOWING;
use crate::picture::plot::{Field, field};
use crate::solver::{Criteria, Reason, multigrid};
use crate::stream::Machine;

use super::arguments::check_limit;
use super::failure::Failure;
use super::output::{Target, csv, floats, png};
use super::session::{Session, cycles_shown};
use conditions::Sides;
use input::Input;
use result::HeatResult;

/// Grids with more nodes than this are compared with the driver's limit first.
const LARGE: u64 = 1 << 24;

/// Bytes of memory per node.
const NODE: u64 = 340;

/// Compute the steady temperature on a plate, by multigrid in textures (goodnight2003, section 5.1)
///
/// k lap T = -S on a rectangle. Sources S, the conductivity k and the conditions on the sides come from a
/// scene, a TOML file; figures/input/plate.toml is a commented example, and is solved by default. Or S is a
/// picture, whose grey levels are heat sources, and the conditions on the sides are options.
///
/// The condition on a side is alpha T + beta dT/dn = gamma, with the normal n outwards: `value=20` prescribes
/// a temperature, `slope=0` insulates. Without a prescribed temperature there is a steady state only if
/// sources and sides balance; --make-up ensures that.
///
/// Exit code 3 means that the solver did not converge. The history is still written, and so is the temperature
/// if it is finite.
#[derive(Args)]
#[command(mut_arg("max_iterations", |arg| arg.default_value(multigrid::default_criteria().max_iterations.to_string()).help("Maximum number of cycles")),
          mut_arg("rtol", |arg| arg.help("Relative tolerance: converged is |b - A x| <= max(rtol |b|, atol), where x is T \
                  minus the printed reference temperature, the middle of those of the sides")))]
pub struct Arguments {
    /// Scene (.toml), or picture of heat sources (.png, .gif, .hdr, .exr) [default: the bundled scene]
    #[arg(value_name = "SCENE|PICTURE")]
    input: Option<Input>,

    /// Number of nodes [default: the scene's, the picture's, or square cells, 257 nodes along the longer
    /// side]
    #[arg(long, value_name = "WxH")]
    size: Option<GridSize>,

    /// Width and height of the plate [default: the scene's, or square cells and height 1]
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = extent)]
    extent: Option<[f64; 2]>,

    /// Thermal conductivity k [default: the scene's, or 1]
    #[arg(long, value_name = "NUMBER", value_parser = positive)]
    conductivity: Option<f64>,

    /// Heat per unit area of a white pixel [default: the scene's, or 1]
    #[arg(long, value_name = "NUMBER", value_parser = finite)]
    white: Option<f64>,

    /// Add a uniform source or sink so that a plate without prescribed temperatures balances
    #[arg(long)]
    make_up: bool,

    #[command(flatten)]
    sides: Sides,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten, next_help_heading = "Solver")]
    criteria: Criteria,

    /// Maximum number of corrections in double precision, after single precision is exhausted; 0: single
    /// precision throughout, as in the paper
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count(0..=usize::MAX),
          help_heading = "Solver")]
    refine: usize,

    /// Write the temperature as little-endian 32-bit floats, row by row from the south
    #[arg(long, value_name = "FILE.f32", value_parser = floats, help_heading = "Output")]
    out: Option<Target>,

    /// Draw the temperature, with isotherms and a scale
    #[arg(long, value_name = "FILE.png", value_parser = png, help_heading = "Output")]
    png: Option<Target>,

    /// Write the temperature as x, y, T, one node per line
    #[arg(long, value_name = "FILE.csv", value_parser = csv, help_heading = "Output")]
    csv: Option<Target>,

    /// Write the residual at the start and at each test; with --test occlusion, the number of nodes that
    /// exceed the tolerance
    #[arg(long, value_name = "FILE.csv", value_parser = csv, help_heading = "Output")]
    history: Option<Target>,
}

/// Two numbers above zero, as in 4x3.
fn extent(text: &str) -> Result<[f64; 2], &'static str> {
    let numbers = text
        .split_once(['x', '×'])
        .and_then(|(width, height)| Some([positive(width).ok()?, positive(height).ok()?]));
    numbers.ok_or("give width and height, both above zero, as in 4x3")
}

/// Reads, solves, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    arguments.settings.check()?;
    let scene = scene(arguments)?;
    let (columns, rows) = scene.nodes();
    if u64::from(columns) * u64::from(rows) > LARGE {
        let fits = check_limit(&session.machine()?, GridSize::new(columns, rows));
        fits.map_err(|error| arguments.of_input(&error))?;
    }
    let size = GridSize::new(columns, rows);
    let memory = size.check_memory(NODE);
    memory.map_err(|error| arguments.of_input(&error))?;
    let (plate, made_up) = plate(arguments, &scene)?;
    let machine = session.machine_for(columns as usize * rows as usize / 4)?;
    let found = solve(&machine, arguments, plate, made_up)?;
    write(arguments, &found)?;
    session.print(&found.settings(arguments), &found.result())?;
    match found.solved.reason {
        Reason::Converged => Ok(()),
        _ => Err(unconverged(&found)),
    }
}

/// Reads the scene, and replaces its settings by the options.
fn scene(arguments: &Arguments) -> Result<Scene, Failure> {
    let mut scene = input::read(arguments.input.as_ref())?;
    arguments.sides.apply(&mut scene);
    if let Some(size) = arguments.size {
        scene.size = Some((size.columns, size.rows));
    }
    scene.extent = arguments.extent.or(scene.extent);
    scene.conductivity = arguments.conductivity.unwrap_or(scene.conductivity);
    match (arguments.white, &mut scene.picture) {
        (Some(white), Some(picture)) => picture.white = white,
        (Some(_), None) => {
            let what = "--white is the heat of a white pixel, but there is no picture. Give a picture, or leave it out";
            return Err(Failure::input(what));
        }
        (None, _) => {}
    }
    Ok(scene)
}

/// The plate, and the heat that [`Plate::make_up`] has added.
fn plate(arguments: &Arguments, scene: &Scene) -> Result<(Plate, f64), Failure> {
    let of_input = |what: &dyn Display| arguments.of_input(what);
    let mut plate = Plate::new(scene).map_err(|error| of_input(&remedied(&error)))?;
    let made_up = if arguments.make_up {
        plate.make_up()
    } else {
        let balance = Equations::new(&plate.problem).and_then(|equations| equations.balance());
        balance.map(|()| 0.0)
    };
    match made_up {
        Ok(heat) => Ok((plate, heat)),
        Err(Error::Incompatible(sum)) => Err(of_input(&format_args!(
            "no side has a prescribed temperature, and sources and sides add up to {:.4e} instead of 0, so \
             there is no steady state. Prescribe a temperature on a side, or add --make-up",
            -plate.conductivity * sum
        ))),
        Err(error) => Err(of_input(&error)),
    }
}

/// The library's message, with the remedies that the command has.
fn remedied(error: &Error) -> String {
    match error {
        Error::NoCondition(side) => format!(
            "the {side} side has no condition. Give it one, as in --{side} value=20, or all sides \
             without one by --sides slope=0, or join it with its opposite by --periodic"
        ),
        error => error.to_string(),
    }
}

fn solve(
    machine: &Machine,
    arguments: &Arguments,
    plate: Plate,
    made_up: f64,
) -> Result<HeatResult, Failure> {
    let start = Instant::now();
    let failure = |error| match error {
        error @ Error::TooLarge { .. } => {
            arguments.of_input(&format_args!("{error} (--size, --storage)"))
        }
        error => error.into(),
    };
    let solver = Solver::new(machine, &plate.problem, &arguments.settings).map_err(failure)?;
    let set_up = start.elapsed();
    let criteria =
        Criteria { patience: multigrid::default_criteria().patience, ..arguments.criteria };
    let refined = solver.solve_refined(&criteria, arguments.refine, cycles_shown());
    let refined = refined.map_err(failure)?;
    let seconds = [set_up, start.elapsed() - set_up].map(|time| time.as_secs_f64());
    Ok(HeatResult::new(plate, made_up, refined, seconds)?)
}

/// Writes the requested files; a temperature that is not finite is not written.
fn write(arguments: &Arguments, found: &HeatResult) -> Result<(), Failure> {
    let settings = &arguments.settings;
    if let Some(file) = &arguments.history {
        let heading = match settings.test {
            Test::Occlusion => "cycle,nodes",
            _ => "cycle,residual",
        };
        let lines = found.solved.history.iter().enumerate();
        let cycles = |test: usize| (test * settings.every).min(found.solved.cycles);
        file.lines(
            heading,
            lines.map(|(test, measured)| format!("{},{measured:e}", cycles(test))),
        )?;
    }
    let (out, png, csv) = (&arguments.out, &arguments.png, &arguments.csv);
    if !found.is_finite() {
        out.iter().chain(png).chain(csv).for_each(Target::leave);
        return Ok(());
    }
    if let Some(file) = out {
        file.write(|path| write_floats(path, found.temperature.iter().map(|t| *t as f32)))?;
    }
    if let Some(file) = png {
        let png = field(&Field {
            title: "Steady temperature".into(),
            note: found.summary(),
            columns: found.size()[0],
            values: &found.temperature,
            extent: found.plate.extent,
            colours: &GLOWING,
        });
        file.bytes(&png.map_err(|error| Failure::in_file(file.path(), error))?)?;
    }
    if let Some(file) = csv {
        let lines = found.nodes().map(|[x, y, t]| format!("{x},{y},{t}"));
        file.lines("x,y,temperature", lines)?;
    }
    Ok(())
}

impl Arguments {
    /// A fault of the input.
    fn of_input(&self, what: &dyn Display) -> Failure {
        match &self.input {
            Some(input) => Failure::in_file(input.path(), what),
            None => Failure::input(what),
        }
    }
}

/// The failure of a solve that did not converge.
fn unconverged(found: &HeatResult) -> Failure {
    let solved = &found.solved;
    let better = match solved.reason {
        Reason::MaximumIterations if found.plate.problem.grid.elongation() > 3.0 => Some(
            "Relaxation by points is slow where cells are far from square: choose another --size, or \
             allow more with --maxiter",
        ),
        Reason::Stagnated if found.corrections == 0 && solved.is_solved() => Some(
            "Single precision is exhausted: allow corrections with --refine, or choose a larger --rtol",
        ),
        Reason::Diverged => Some(
            "A side whose alpha and beta have opposite signs amplifies errors: give them the same sign",
        ),
        _ => None,
    };
    Failure::unconverged(
        "multigrid",
        solved.reason,
        counted(solved.cycles, "cycle"),
        [solved.residual, solved.tolerance],
        better.map(str::to_owned),
    )
}
