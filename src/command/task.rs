//! The command of a solve: its settings as options, and the files that it writes.

use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::experiment::{Experiment, Presets, Solve};
use crate::settings::{Need, typed};

use super::experiment::{self, Origin};
use super::failure::{Failure, Status};
use super::session::Session;

/// The files of a solve. Its documentation is the help of the command.
pub trait Task: Args {
    /// Settings of the solve.
    type Settings: Presets;

    /// Reads, solves, writes and prints.
    fn run(&self, settings: &Self::Settings, session: &mut Session) -> Result<(), Failure>;
}

/// A solve and its task, whose type is erased.
pub struct Solving {
    /// The solve.
    pub solve: &'static Solve,
    augment: fn(Command) -> Command,
    run: fn(&Experiment, &ArgMatches, &mut Session) -> Result<(), Failure>,
}

impl Solving {
    /// Erases the type of the task.
    pub const fn by<T: Task>(solve: &'static Solve) -> Self {
        Self { solve, augment: T::augment_args, run: run::<T> }
    }

    /// The grammar of the command.
    pub fn grammar(&self) -> Command {
        let command = Origin::augment_args(experiment::command(self.solve));
        (self.augment)(experiment::with_presets(command, self.solve, ""))
    }

    /// Runs the command.
    pub fn run(&self, matches: &ArgMatches, session: &mut Session) -> Result<(), Failure> {
        let origin = Origin::from_arg_matches(matches).map_err(Failure::input)?;
        if origin.is_schema(self.solve, session)? {
            return Ok(());
        }
        let experiment = origin.experiment(self.solve, "", matches)?;
        session.begin(experiment.described(), experiment.headline());
        if experiment.needs().any(|need| need != Need::Files) {
            let machine = session.machine()?;
            experiment
                .check_on(Some(&machine))
                .map_err(|reason| Failure::new(Status::NoGl, reason))?;
        }
        (self.run)(&experiment, matches, session)
    }
}

fn run<T: Task>(
    experiment: &Experiment,
    matches: &ArgMatches,
    session: &mut Session,
) -> Result<(), Failure> {
    let task = T::from_arg_matches(matches).map_err(Failure::input)?;
    let settings = typed(experiment.settings()).map_err(Failure::input)?;
    task.run(&settings, session)
}
