//! `fragstream heat`: the steady temperature on a plate (goodnight2003, section 5.1).

mod conditions;
mod files;
mod input;
mod result;

use std::fmt::Display;

use clap::Args;

use crate::goodnight2003::heat::{Plate, Scene, SceneError};
use crate::goodnight2003::{ProblemError, Solver, SolverError};
use crate::solver::Reason;
use crate::stream::Machine;

use super::arguments::boundary_value::BoundaryValue;
use super::arguments::finite;
use super::arguments::size::{GridSize, check_limit};
use super::failure::{Failure, OUT_OF_RANGE};
use super::session::{Session, cycles_shown};
use conditions::Sides;
use files::Files;
use input::Input;
use result::Found;

/// More nodes than these are held against the driver's limit first.
const LARGE: u64 = 1 << 24;

/// Bytes of memory per node.
const NODE: u64 = 340;

/// Corrections at most so long as nothing else is said.
const CORRECTIONS: usize = 10;

/// Compute the steady temperature on a plate, by multigrid on a graphics card of 2003
/// (goodnight2003, section 5.1).
///
/// k lap T = -S on a rectangle. Sources S, the conductivity k and what holds along the sides come
/// from a scene, a TOML file; figures/input/plate.toml is one, with comments, and is solved when none
/// is given. Or S is a picture, whose grey levels heat, and the sides are given here.
///
/// Along a side holds alpha T + beta dT/dn = gamma, n outwards: `value=20` is a temperature,
/// `slope=0` insulates. Where no side holds a temperature there is a steady state only if sources and
/// sides balance; --make-up sees to that.
///
/// Ends with exit code 3 if the residual does not fall to the tolerance. The history is written all
/// the same, and so is the temperature unless it is not finite.
#[derive(Args)]
pub struct Arguments {
    /// A scene (.toml), or a picture of heat sources (.png, .gif, .hdr, .exr) [default: the bundled
    /// scene]
    #[arg(value_name = "SCENE|PICTURE")]
    input: Option<Input>,

    /// Columns and rows of nodes [default: the scene's, the picture's, or square cells, 257 nodes
    /// along the longer side]
    #[arg(long, value_name = "WxH")]
    size: Option<GridSize>,

    /// Width and height of the plate [default: the scene's, or square cells and height 1]
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = extent)]
    extent: Option<[f64; 2]>,

    /// The thermal conductivity k [default: the scene's, or 1]
    #[arg(long, value_name = "NUMBER", value_parser = super::arguments::positive,
          allow_negative_numbers = true)]
    conductivity: Option<f64>,

    /// The heat an area of a picture's white [default: the scene's, or 1]
    #[arg(long, value_name = "NUMBER", value_parser = finite,
          allow_negative_numbers = true)]
    white: Option<f64>,

    /// Where no side holds a temperature, make up for what sources and sides bring too much or too
    /// little by an even sink or source
    #[arg(long)]
    make_up: bool,

    #[command(flatten)]
    sides: Sides,

    #[command(flatten)]
    method: BoundaryValue,

    /// Corrections in double precision at most, where single precision leads no closer; 0: single
    /// precision throughout, as in the paper
    #[arg(long, value_name = "N", default_value_t = CORRECTIONS, help_heading = "Solver")]
    refine: usize,

    #[command(flatten)]
    files: Files,

    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// Two numbers above zero, as in 4x3.
fn extent(text: &str) -> Result<[f64; 2], &'static str> {
    let number = |text: &str| super::arguments::positive(text).ok();
    let numbers = text
        .split_once(['x', '×'])
        .and_then(|(width, height)| Some([number(width)?, number(height)?]));
    numbers.ok_or("give width and height, both above zero, as in 4x3")
}

/// Reads, solves, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    arguments.files.check()?;
    arguments.method.check()?;
    let scene = scene(arguments)?;
    let (columns, rows) = scene.nodes();
    if u64::from(columns) * u64::from(rows) > LARGE {
        let fits = check_limit(&session.machine()?, columns, rows);
        fits.map_err(|error| arguments.of_input(&error))?;
    }
    let size = GridSize { columns, rows };
    size.check_memory(NODE)
        .map_err(|error| arguments.of_input(&error))?;
    let (plate, made_up) = plate(arguments, &scene)?;
    let machine = session.machine_for(columns as usize * rows as usize / 4)?;
    let found = solve(&machine, arguments, plate, made_up)?;
    arguments.files.write(&found, &arguments.method)?;
    if arguments.json {
        session.out.json(&found.json(arguments))?;
    } else {
        found.print(arguments, &mut session.out)?;
    }
    match found.solved.reason {
        Reason::Converged => Ok(()),
        _ => Err(unconverged(&found)),
    }
}

/// What is read, with what the options say in the place of what it says.
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
            let what =
                "--white is the heat of a picture's white, and there is no picture; give one";
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
    let made_up = match arguments.make_up {
        true => plate.make_up(),
        false => {
            let scales = plate.problem.scales();
            scales.and_then(|scales| plate.problem.balance(&scales).map(|()| 0.0))
        }
    };
    match made_up {
        Ok(heat) => Ok((plate, heat)),
        Err(ProblemError::Incompatible(sum)) => Err(of_input(&format_args!(
            "no side holds a temperature, and sources and sides bring {:.4e} in all instead of \
             nothing, so there is no steady state; hold a temperature on a side, or add --make-up",
            -plate.conductivity * sum
        ))),
        Err(error) => Err(of_input(&error)),
    }
}

/// The library's message, with the remedies that the command has.
fn remedied(error: &SceneError) -> String {
    match error {
        SceneError::NoCondition(side) => format!(
            "the {side} side has no condition; give it one, as in --{side} value=20, or all sides \
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
) -> Result<Found, Failure> {
    let start = std::time::Instant::now();
    let settings = arguments.method.settings();
    let failure = |error| solver_failure(arguments, error);
    let solver = Solver::new(machine, &plate.problem, &settings).map_err(failure)?;
    let set_up = start.elapsed();
    let (criteria, most) = (arguments.method.criteria(), arguments.refine);
    let refined = solver.solve_refined(&criteria, most, cycles_shown());
    let refined = refined.map_err(failure)?;
    let seconds = [set_up, start.elapsed() - set_up].map(|time| time.as_secs_f64());
    Ok(Found::new(plate, made_up, refined, seconds)?)
}

/// The library's errors, with the remedies that the command has.
fn solver_failure(arguments: &Arguments, error: SolverError) -> Failure {
    match error {
        SolverError::TooLarge(error) => {
            arguments.of_input(&format_args!("{error} (--size, --storage)"))
        }
        error => error.into(),
    }
}

impl Arguments {
    /// What is wrong with the input.
    fn of_input(&self, what: &dyn Display) -> Failure {
        match &self.input {
            Some(input) => Failure::in_file(input.path(), what),
            None => Failure::input(what),
        }
    }
}

/// Why there is no solution, and what may help.
fn unconverged(found: &Found) -> Failure {
    let solved = &found.solved;
    let is_elongated = found.plate.problem.grid.elongation() > 3.0;
    let remedy = match solved.reason {
        Reason::MaximumIterations if is_elongated => {
            "relaxation by points is slow where cells are far from square: choose another --size, or \
             allow more with --maxiter"
        }
        Reason::MaximumIterations => {
            "allow more with --maxiter, take --cycle w or more sweeps (--pre, --post), or choose a \
             larger --rtol"
        }
        Reason::Stagnated if found.corrections == 0 && solved.is_solved() => {
            "this is what rounding leaves in single precision: allow corrections with --refine, or \
             choose a larger --rtol"
        }
        Reason::Stagnated => "further cycles lead no closer: choose a larger --rtol",
        Reason::Diverged => {
            "a side with alpha and beta of opposite signs feeds what it should damp"
        }
        _ => OUT_OF_RANGE,
    };
    let unwritten = match found.is_finite() {
        true => "",
        false => "; the temperature is not finite and was not written",
    };
    Failure::unconverged(
        "multigrid",
        solved.reason,
        format_args!("{} cycles", solved.cycles),
        [solved.residual, solved.tolerance],
        format_args!("{remedy}{unwritten}"),
    )
}
