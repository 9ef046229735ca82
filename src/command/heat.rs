//! `fragstream heat`: the steady temperature on a plate (goodnight2003, section 5.1).

use std::fmt::Display;

use clap::Args;
use serde_json::json;

use crate::goodnight2003::scenes::heat::Steady;
use crate::goodnight2003::solves::heat;
use crate::goodnight2003::{Error, Hazard, Strategy, Test};
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
/// Or --problem states one of the paper's experiments, whose unknown has no unit.
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
        let scene = task.scene()?;
        let (columns, rows) = scene.nodes();
        let size = GridSize::new(columns, rows);
        session.resolved("size", format!("{columns}x{rows}"));
        if u64::from(columns) * u64::from(rows) > LARGE {
            check_limit(&session.machine()?, size).map_err(|error| of_input(&error))?;
        }
        size.check_memory(NODE).map_err(|error| of_input(&error))?;
        let plate = task.plate(&scene).map_err(|what| of_input(&what))?;
        let [width, height] = plate.extent;
        session.resolved("extent", format!("{width}x{height}"));
        session.resolved("conductivity", plate.conductivity);
        session.resolved("levels", plate.problem.levels());
        session.resolved("norm", json!(settings.norm));
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
        let mut found = found.map_err(|error| match error {
            Error::TooLarge { .. } => of_input(&format_args!("{error} (--size, --storage)")),
            error => error.into(),
        })?;

        found.error = task.error(&found.plate.problem, &found.values)?;
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

/// Hint for a plate without a converged temperature.
fn hint(found: &Steady) -> Option<&'static str> {
    let solved = &found.solved;
    match *solved.reason {
        Reason::MaximumIterations if found.plate.problem.grid.elongation() > 3.0 => Some(
            "Relaxation by points is slow where cells are far from square: choose another --size, or \
             allow more with --maxiter",
        ),
        // The error is estimated from two cycles, whatever the tolerance.
        Reason::MaximumIterations => Some("Allow more with --maxiter"),
        Reason::Stagnated if solved.corrections == 0 && solved.is_solved() => Some(
            "The precision of the textures is exhausted: allow corrections with --refine, or choose a larger --rtol",
        ),
        Reason::Diverged => Some(
            "A side whose alpha and beta have opposite signs amplifies errors: give them the same sign",
        ),
        _ => None,
    }
}
