//! `fragstream heat`: the steady temperature on a plate (goodnight2003, section 5.1).

use std::fmt::Display;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::arguments::{GridSize, count, finite, positive};
use crate::bundled::PLATE;
use crate::goodnight2003::heat::{
    Periodic, Plate, Scene, SideConditions, Steady, parse_scene, read_input,
};
use crate::goodnight2003::{Condition, Equations, Error, Hazard, Settings, Side, Strategy, Test};
use crate::io::extension;
use crate::io::raw::write_floats;
use crate::picture::colour::map::GLOWING;
use crate::picture::plot::{Field, field};
use crate::solver::{Criteria, Reason, multigrid};

use super::arguments::check_limit;
use super::failure::Failure;
use super::outcome::Outcome;
use super::output::{Target, file, note};
use super::session::{COPIES, Session, cycles_shown};

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
    #[arg(value_name = "SCENE|PICTURE", value_parser = input)]
    input: Option<PathBuf>,

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
    #[arg(long, value_name = "FILE.f32", value_parser = file("f32"), help_heading = "Output")]
    out: Option<Target>,

    /// Draw the temperature, with isotherms and a scale
    #[arg(long, value_name = "FILE.png", value_parser = file("png"), help_heading = "Output")]
    png: Option<Target>,

    /// Write the temperature as x, y, T, one node per line
    #[arg(long, value_name = "FILE.csv", value_parser = file("csv"), help_heading = "Output")]
    csv: Option<Target>,

    /// Write the residual at the start and at each test; with --test occlusion, the number of nodes that
    /// exceed the tolerance
    #[arg(long, value_name = "FILE.csv", value_parser = file("csv"), help_heading = "Output")]
    history: Option<Target>,
}

/// Conditions on the sides, which replace the scene's.
#[derive(Args)]
#[command(next_help_heading = "Sides")]
struct Sides {
    /// Condition on the west side: value=20, slope=0 (the outward normal derivative) or
    /// alpha=1,beta=2,gamma=3
    #[arg(long, value_name = "CONDITION")]
    west: Option<Condition>,

    /// Condition on the east side
    #[arg(long, value_name = "CONDITION")]
    east: Option<Condition>,

    /// Condition on the south side, the lower one
    #[arg(long, value_name = "CONDITION")]
    south: Option<Condition>,

    /// Condition on the north side
    #[arg(long, value_name = "CONDITION")]
    north: Option<Condition>,

    /// Condition on all other sides
    #[arg(long, value_name = "CONDITION")]
    sides: Option<Condition>,

    /// Periodic directions
    #[arg(long, value_enum)]
    periodic: Option<Periodic>,
}

/// The name of a scene or a picture.
fn input(name: &str) -> Result<PathBuf, &'static str> {
    match extension(name).as_str() {
        "toml" | "png" | "gif" | "hdr" | "exr" => Ok(name.into()),
        _ => Err("give a scene (.toml) or a picture of heat sources (.png, .gif, .hdr, .exr)"),
    }
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
    let Arguments { settings, out, png, csv, history, .. } = arguments;
    let of_input = |what: &dyn Display| match &arguments.input {
        Some(path) => Failure::in_file(path, what),
        None => Failure::input(what),
    };
    settings.check()?;
    let scene = arguments.scene()?;
    let (columns, rows) = scene.nodes();
    let size = GridSize::new(columns, rows);
    if u64::from(columns) * u64::from(rows) > LARGE {
        check_limit(&session.machine()?, size).map_err(|error| of_input(&error))?;
    }
    size.check_memory(NODE).map_err(|error| of_input(&error))?;
    let plate = arguments.plate(&scene).map_err(|what| of_input(&what))?;
    let machine = session.machine_for(columns as usize * rows as usize / 4)?;
    let criteria =
        Criteria { patience: multigrid::default_criteria().patience, ..arguments.criteria };
    let refine = arguments.refine;
    let mut settings = settings.clone();
    if !machine.description().texture_barrier
        && settings.hazard.reads_target()
        && settings.storage != Strategy::Two
    {
        note(COPIES);
        settings.hazard = Hazard::Copy;
    }
    let settings = &settings;
    let found = Steady::solve(&machine, plate, settings, &criteria, refine, cycles_shown());
    let found = found.map_err(|error| match error {
        Error::TooLarge { .. } => of_input(&format_args!("{error} (--size, --storage)")),
        error => error.into(),
    })?;

    let (solved, values) = (&found.solved, &found.values);
    let heading = match settings.test {
        Test::Occlusion => "cycle,nodes",
        Test::ReadBack | Test::Reduction => "cycle,residual",
    };
    let cycles = |test: usize| (test * settings.every).min(solved.cycles);
    let tests = || solved.history.iter().enumerate().map(|(test, found)| (cycles(test), *found));
    let picture = || {
        field(&Field {
            title: "Steady temperature".into(),
            note: found.summary(),
            columns: columns as usize,
            values,
            extent: found.plate.extent,
            colours: &GLOWING,
        })
    };
    let lines = || found.nodes().map(|[x, y, t]| format!("{x},{y},{t}"));
    let is_finite = values.iter().all(|t| t.is_finite());
    let norms = [solved.residual, solved.tolerance];
    let hint = hint(&found).map(str::to_owned);
    let outcome = Outcome { hint, ..Outcome::of_cycles(solved.reason, solved.cycles, norms) };
    outcome.end(
        &[
            (true, history.as_ref(), &|file| file.history(heading, tests())),
            (is_finite, out.as_ref(), &|file| {
                file.write(|path| write_floats(path, values.iter().map(|t| *t as f32)))
            }),
            (is_finite, png.as_ref(), &|file| file.encoded(picture())),
            (is_finite, csv.as_ref(), &|file| file.lines("x,y,temperature", lines())),
        ],
        session,
        &json!({
            "extent": found.plate.extent,
            "conductivity": found.plate.conductivity,
            "method": settings.to_string(),
            "norm": settings.norm,
        }),
        &found,
    )
}

impl Arguments {
    /// The scene of the input, with the options' changes.
    fn scene(&self) -> Result<Scene, Failure> {
        let mut scene = match &self.input {
            Some(path) => read_input(path)?,
            None => parse_scene(PLATE).map_err(Failure::input)?,
        };
        let Sides { west, east, south, north, sides, periodic } = self.sides;
        // A condition on a joined side is rejected when the plate is made.
        periodic.into_iter().for_each(|periodic| scene.join(periodic));
        for (side, given) in Side::ALL.into_iter().zip([west, east, south, north]) {
            given.into_iter().for_each(|c| *scene.side(side) = SideConditions::all(c));
        }
        sides.into_iter().for_each(|c| scene.otherwise = SideConditions::all(c));
        scene.size = self.size.map(|size| (size.columns, size.rows)).or(scene.size);
        scene.extent = self.extent.or(scene.extent);
        scene.conductivity = self.conductivity.unwrap_or(scene.conductivity);
        match (self.white, &mut scene.picture) {
            (Some(white), Some(picture)) => picture.white = white,
            (Some(_), None) => {
                let what = "--white is the heat of a white pixel, but there is no picture. Give a picture, or leave it out";
                return Err(Failure::input(what));
            }
            (None, _) => {}
        }
        Ok(scene)
    }

    /// The plate; the library's errors get the remedies of the command.
    fn plate(&self, scene: &Scene) -> Result<Plate, String> {
        let mut plate = Plate::new(scene).map_err(|error| match error {
            Error::NoCondition(side) => format!(
                "the {side} side has no condition. Give it one, as in --{side} value=20, or all sides \
                 without one by --sides slope=0, or join it with its opposite by --periodic"
            ),
            error => error.to_string(),
        })?;
        let balance = if self.make_up {
            plate.make_up().map(drop)
        } else {
            Equations::new(&plate.problem).and_then(|equations| equations.balance())
        };
        match balance {
            Ok(()) => Ok(plate),
            Err(Error::Incompatible(sum)) => Err(format!(
                "no side has a prescribed temperature, and sources and sides add up to {:.4e} instead of 0, so \
                 there is no steady state. Prescribe a temperature on a side, or add --make-up",
                -plate.conductivity * sum
            )),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Hint for a plate without a converged temperature.
fn hint(found: &Steady) -> Option<&'static str> {
    let solved = &found.solved;
    match *solved.reason {
        Reason::MaximumIterations if found.plate.problem.grid.elongation() > 3.0 => Some(
            "Relaxation by points is slow where cells are far from square: choose another --size, or \
             allow more with --maxiter",
        ),
        Reason::Stagnated if solved.corrections == 0 && solved.is_solved() => Some(
            "Single precision is exhausted: allow corrections with --refine, or choose a larger --rtol",
        ),
        Reason::Diverged => Some(
            "A side whose alpha and beta have opposite signs amplifies errors: give them the same sign",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn options_take_the_place_of_what_the_scene_says() {
        let all = SideConditions::all;
        let scene = |line: &str| Line::parse_from(line.split(' ')).arguments.scene().unwrap();
        let mut hot = scene("heat --north value=9 --sides slope=1");
        assert_eq!(*hot.side(Side::North), all(Condition::value(9.0)));
        assert_eq!(*hot.side(Side::West), all(Condition::value(20.0)));
        assert_eq!(hot.otherwise, all(Condition::slope(1.0)));
        let mut ring = scene("heat --periodic x");
        assert!(ring.side(Side::West).0.is_empty() && !ring.side(Side::North).0.is_empty());
        // A condition on a joined side is rejected when the plate is made.
        let mut both = scene("heat --periodic x --west value=1");
        assert!(!both.side(Side::West).0.is_empty() && both.periodic[0]);
        assert!(Line::try_parse_from(["heat", "a.jpg"]).is_err());
    }
}
