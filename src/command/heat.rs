//! `fragstream heat`: the steady temperature on a plate (goodnight2003, section 5.1).

mod conditions;
mod input;
mod result;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use fragstream::experiment::plot::colours::GLOW;
use fragstream::experiment::plot::{Field, field};
use fragstream::goodnight2003::heat::{Plate, Scene, SceneError};
use fragstream::goodnight2003::{ProblemError, Solver, SolverError};
use fragstream::io::raw::write_floats;
use fragstream::io::{WriteError, write_atomically};
use fragstream::stream::Machine;

use super::boundary_value::BoundaryValue;
use super::failure::{Failure, Status};
use super::paths::check_folder_of;
use super::poisson::Size;
use super::session::{Session, spinner};
use conditions::Sides;
use input::Input;
use result::Found;

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
    #[arg(long, value_name = "COLUMNSxROWS")]
    size: Option<Size>,

    /// Width and height of the plate [default: the scene's, or square cells and height 1]
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = extent)]
    extent: Option<[f64; 2]>,

    /// The thermal conductivity k [default: the scene's, or 1]
    #[arg(long, value_name = "NUMBER", value_parser = super::arguments::positive,
          allow_negative_numbers = true)]
    conductivity: Option<f64>,

    /// The heat an area of a picture's white [default: the scene's, or 1]
    #[arg(long, value_name = "NUMBER", value_parser = super::poisson::finite,
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

    #[command(flatten)]
    files: Files,

    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// What is written.
#[derive(Args)]
#[command(next_help_heading = "Output")]
struct Files {
    /// Draw the temperature to this file, as PNG: colours, isotherms, and a bar that explains them
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the temperature to this file, as CSV: x, y, T, a node a line
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the temperature to this file as little-endian 32-bit floats, row by row from the south
    #[arg(long, value_name = "FILE")]
    raw: Option<PathBuf>,

    /// Write the residual at the start and after each cycle to this file, as CSV
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
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
    let (plate, made_up) = plate(arguments)?;
    let machine = session.machine()?;
    let found = solve(&machine, arguments, plate, made_up)?;
    arguments.files.write(&found).map_err(Failure::input)?;
    if arguments.json {
        session.out.json(&found.printed(arguments))?;
    } else {
        found.print(arguments, &mut session.out)?;
    }
    match found.solved.is_solved() {
        true => Ok(()),
        false => Err(unconverged(&found)),
    }
}

/// The plate, and the heat that [`Plate::make_up`] has added.
fn plate(arguments: &Arguments) -> Result<(Plate, f64), Failure> {
    let input = arguments.input.as_ref();
    let mut scene = input::read(input)?;
    apply(arguments, &mut scene)?;
    let of_input = |what: &dyn std::fmt::Display| match input {
        Some(input) => Failure::in_file(input.path(), what),
        None => Failure::input(what),
    };
    let mut plate = Plate::new(&scene).map_err(|error| of_input(&remedied(&error)))?;
    if arguments.make_up {
        let made_up = plate.make_up();
        return made_up
            .map(|heat| (plate, heat))
            .map_err(|error| of_input(&error));
    }
    let scales = plate.problem.scales();
    let balance = scales.and_then(|scales| plate.problem.balance(&scales));
    match balance {
        Ok(()) => Ok((plate, 0.0)),
        Err(ProblemError::Incompatible { sum }) => Err(of_input(&format_args!(
            "no side holds a temperature, and sources and sides bring {:.4e} more than they take, so \
             there is no steady state; hold a temperature on a side, or add --make-up",
            -plate.conductivity * sum
        ))),
        Err(error) => Err(of_input(&error)),
    }
}

/// Puts what the options say in the place of what the scene says.
fn apply(arguments: &Arguments, scene: &mut Scene) -> Result<(), Failure> {
    arguments.sides.apply(scene);
    if let Some(size) = arguments.size {
        let [columns, rows] = size.0.map(|nodes| nodes as u32);
        scene.size = Some((columns, rows));
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
    Ok(())
}

/// The library's message, with the remedies that the command has.
fn remedied(error: &SceneError) -> String {
    match error {
        SceneError::NoCondition { side } => format!(
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
    let mut solver = Solver::new(machine, &plate.problem, &settings).map_err(solver_failure)?;
    let set_up = start.elapsed();
    let bar = spinner();
    let solved = solver.solve(&arguments.method.criteria(), |cycle, residual| {
        bar.set_message(format!("cycle {cycle}: residual {residual:.2e}"));
    });
    bar.finish_and_clear();
    let solved = solved.map_err(solver_failure)?;
    let seconds = [set_up, start.elapsed() - set_up].map(|time| time.as_secs_f64());
    let solution = solver.solution().map_err(solver_failure)?;
    Found::new(plate, made_up, &solution, solved, seconds).map_err(Failure::input)
}

fn solver_failure(error: SolverError) -> Failure {
    match error {
        SolverError::TooLarge(error) => Failure::input(format_args!("{error} (--size, --storage)")),
        error => error.into(),
    }
}

impl Files {
    fn all(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let named = [
            ("--out", &self.out),
            ("--csv", &self.csv),
            ("--raw", &self.raw),
            ("--history", &self.history),
        ];
        named
            .into_iter()
            .filter_map(|(name, path)| Some((name, path.as_deref()?)))
    }

    fn check(&self) -> Result<(), Failure> {
        for (index, (name, path)) in self.all().enumerate() {
            check_folder_of(path)?;
            if let Some((other, _)) = self.all().take(index).find(|(_, other)| *other == path) {
                let what = format!("named for both {other} and {name}; name two files");
                return Err(Failure::in_file(path, what));
            }
        }
        Ok(())
    }

    /// Writes what was asked for; a temperature that is not finite is not written.
    fn write(&self, found: &Found) -> Result<(), WriteError> {
        if let Some(path) = &self.history {
            write_atomically(path, |out| {
                writeln!(out, "cycle,residual")?;
                let mut rows = found.solved.history.iter().enumerate();
                rows.try_for_each(|(cycle, residual)| writeln!(out, "{cycle},{residual:e}"))
            })?;
        }
        if !found.is_finite() {
            return Ok(());
        }
        if let Some(path) = &self.out {
            let png = field(&Field {
                title: "Steady temperature".into(),
                note: found.summary(),
                columns: found.columns(),
                values: &found.temperature,
                extent: found.plate.extent,
                colours: GLOW,
            });
            write_atomically(path, |out| {
                out.write_all(&png.map_err(std::io::Error::other)?)
            })?;
        }
        if let Some(path) = &self.csv {
            write_atomically(path, |out| {
                writeln!(out, "x,y,temperature")?;
                let mut rows = found.nodes();
                rows.try_for_each(|[x, y, t]| writeln!(out, "{x},{y},{}", t as f32))
            })?;
        }
        if let Some(path) = &self.raw {
            write_floats(path, found.temperature.iter().map(|t| *t as f32))?;
        }
        Ok(())
    }
}

/// Why there is no solution, and what may help.
fn unconverged(found: &Found) -> Failure {
    use fragstream::solver::Reason;
    let solved = &found.solved;
    let remedy = match solved.reason {
        Reason::MaximumIterations => "allow more with --maxcycles, or choose a larger --rtol",
        Reason::Stagnated => "further cycles lead no closer: choose a larger --rtol",
        Reason::Diverged => {
            "choose more sweeps (--pre, --post); a side with alpha and beta of opposite signs feeds \
             what it should damp"
        }
        _ => "numbers left the range of single precision",
    };
    let unwritten = match found.is_finite() {
        true => "",
        false => "; the temperature is not finite and was not written",
    };
    let message = format!(
        "multigrid stopped as {} after {} cycles at the residual {:.3e} (goal {:.3e}); \
         {remedy}{unwritten}",
        solved.reason, solved.cycles, solved.residual, solved.tolerance,
    );
    Failure::new(Status::Unconverged, message)
}
