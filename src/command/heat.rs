//! `fragstream heat`: the steady temperature on a plate (goodnight2003, section 5.1).

use std::fmt::Display;

use clap::Args;
use serde_json::json;

use crate::bundled::PLATE;
use crate::goodnight2003::heat::{Plate, Scene, SideConditions, Steady, parse_scene, read_input};
use crate::goodnight2003::solves::heat::{self, Extent};
use crate::goodnight2003::{Equations, Error, Hazard, Side, Strategy, Test};
use crate::io::extension;
use crate::io::raw::write_floats;
use crate::picture::colour::map::GLOWING;
use crate::picture::plot::{Field, field};
use crate::settings::GridSize;
use crate::solver::Reason;

use super::arguments::check_limit;
use super::failure::Failure;
use super::outcome::Outcome;
use super::output::{Target, file, note};
use super::session::{COPIES, Session, cycles_shown};
use super::task::Task;

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
pub struct Files {
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

impl Task for Files {
    type Settings = heat::Settings;

    fn run(&self, task: &heat::Settings, session: &mut Session) -> Result<(), Failure> {
        let Self { out, png, csv, history } = self;
        let mut settings = task.method.settings();
        let of_input = |what: &dyn Display| match &task.input {
            Some(path) => Failure::in_file(path, what),
            None => Failure::input(what),
        };
        settings.check()?;
        let scene = scene_of(task)?;
        let (columns, rows) = scene.nodes();
        let size = GridSize::new(columns, rows);
        if u64::from(columns) * u64::from(rows) > LARGE {
            check_limit(&session.machine()?, size).map_err(|error| of_input(&error))?;
        }
        size.check_memory(NODE).map_err(|error| of_input(&error))?;
        let plate = plate_of(&scene, task.make_up).map_err(|what| of_input(&what))?;
        let machine = session.machine_for(columns as usize * rows as usize / 4)?;
        let (criteria, refine) = (task.method.criteria(), task.refine);
        if !machine.description().texture_barrier
            && settings.hazard.reads_target()
            && settings.storage != Strategy::Two
        {
            note(COPIES);
            settings.hazard = Hazard::Copy;
            session.replaced("hazard", "copy");
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
        let tests =
            || solved.history.iter().enumerate().map(|(test, found)| (cycles(test), *found));
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
                "norm": settings.norm,
            }),
            &found,
        )
    }
}

/// The scene of the input, with the changes of the settings.
fn scene_of(settings: &heat::Settings) -> Result<Scene, Failure> {
    let mut scene = match &settings.input {
        Some(path) => match extension(&path.to_string_lossy()).as_str() {
            "toml" | "png" | "gif" | "hdr" | "exr" => read_input(path)?,
            _ => {
                let what = "is not a scene (.toml) nor a picture of heat sources (.png, .gif, .hdr, .exr). \
                                Give one of these";
                return Err(Failure::in_file(path, what));
            }
        },
        None => parse_scene(PLATE).map_err(Failure::input)?,
    };
    let &heat::Settings { west, east, south, north, sides, periodic, .. } = settings;
    // A condition on a joined side is rejected when the plate is made.
    periodic.into_iter().for_each(|periodic| scene.join(periodic));
    for (side, given) in Side::ALL.into_iter().zip([west, east, south, north]) {
        given.into_iter().for_each(|c| *scene.side(side) = SideConditions::all(c));
    }
    sides.into_iter().for_each(|c| scene.otherwise = SideConditions::all(c));
    scene.size = settings.size.map(|size| (size.columns, size.rows)).or(scene.size);
    scene.extent = settings.extent.map(|Extent(sides)| sides).or(scene.extent);
    scene.conductivity = settings.conductivity.unwrap_or(scene.conductivity);
    match (settings.white, &mut scene.picture) {
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
fn plate_of(scene: &Scene, make_up: bool) -> Result<Plate, String> {
    let mut plate = Plate::new(scene).map_err(|error| match error {
        Error::NoCondition(side) => format!(
            "the {side} side has no condition. Give it one, as in --{side} value=20, or all sides \
                 without one by --sides slope=0, or join it with its opposite by --periodic"
        ),
        error => error.to_string(),
    })?;
    let balance = if make_up {
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
    use super::*;
    use crate::experiment::Subject;
    use crate::goodnight2003::Condition;
    use crate::goodnight2003::solves::HEAT;
    use crate::settings::typed;

    #[test]
    fn options_take_the_place_of_what_the_scene_says() {
        let all = SideConditions::all;
        let scene = |options: &[[&str; 2]]| {
            let mut experiment = HEAT.experiment("").unwrap();
            options.iter().for_each(|[name, word]| experiment.set(name, word).unwrap());
            scene_of(&typed(experiment.settings()).unwrap())
        };
        let mut hot = scene(&[["north", "value=9"], ["sides", "slope=1"]]).unwrap();
        assert_eq!(*hot.side(Side::North), all(Condition::value(9.0)));
        assert_eq!(*hot.side(Side::West), all(Condition::value(20.0)));
        assert_eq!(hot.otherwise, all(Condition::slope(1.0)));
        let mut ring = scene(&[["periodic", "x"]]).unwrap();
        assert!(ring.side(Side::West).0.is_empty() && !ring.side(Side::North).0.is_empty());
        // A condition on a joined side is rejected when the plate is made.
        let mut both = scene(&[["periodic", "x"], ["west", "value=1"]]).unwrap();
        assert!(!both.side(Side::West).0.is_empty() && both.periodic[0]);
        assert!(scene(&[["input", "a.jpg"]]).is_err());
    }
}
