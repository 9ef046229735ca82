//! `fragstream run`: anything that can be run, and its record.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Value, json};

use crate::experiment::{Experiment, Kept, Place, Subject};
use crate::experiments::{ALL, studies, subject};

use super::super::experiment::{Origin, with_presets};
use super::super::failure::{Failure, Status};
use super::super::options;
use super::super::session::Session;
use super::super::with_negative_numbers;

/// Values of a setting that are run one after the other.
#[derive(Args)]
struct Each {
    /// Run once for each of these values of a setting, as in size=129,257,513, and print a table
    #[arg(long, value_name = "SETTING=VALUE,VALUE,…")]
    each: Option<String>,
}

/// Help of the command.
const ABOUT: &str = "Run a scene, a solve or a study of a paper, and print its record";
const DETAILS: &str = "The record has every number of a run by name: those that the claims judge, the work (passes, \
                       fetches, instructions, bytes), the time on cards of 2003 by the model, and the settings. A study \
                       is a measurement of a claim, or a work that it times; its options are the settings that it \
                       reads, and no others. A solve that does not converge says so in its record, and is no error \
                       here.";

/// The grammar: a subcommand for each subject, whose options are made when it is named.
pub fn grammar() -> Command {
    let named = |name: &'static str, about: String| {
        Command::new(name).about(about).defer(|command| {
            let Ok(subject) = subject(command.get_name()) else { return command };
            let usual = subject.experiment("").map(|usual| usual.settings().clone());
            // What is flattened in has an `about` of its own.
            let about = command.get_about().cloned().unwrap_or_default();
            let command = Each::augment_args(Origin::augment_args(command));
            let command = command.about(about.clone()).long_about(about);
            let fields = subject.fields();
            let command = options::augment(command, fields, &usual.unwrap_or_default());
            let command = if subject.presets().is_empty() {
                command.mut_arg("preset", |argument| argument.hide(true))
            } else {
                with_presets(command, subject, "")
            };
            with_negative_numbers(command)
        })
    };
    let commands = ALL.iter().map(|one| one.command());
    let commands = commands.map(|name| named(name, format!("The same as fragstream {name}")));
    let studies = studies().map(|study| named(study.command(), study.about.to_owned()));
    let run = Command::new("run").about(ABOUT).long_about(format!("{ABOUT}\n\n{DETAILS}"));
    run.subcommand_required(true).subcommands(commands.chain(studies))
}

/// Runs the subject that the command line names.
pub fn run(matches: &ArgMatches, session: &mut Session) -> Result<(), Failure> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(()) };
    let subject: &'static dyn Subject = subject(name)?;
    let origin = Origin::from_arg_matches(matches).map_err(Failure::input)?;
    if origin.is_schema(subject, session)? {
        return Ok(());
    }
    let experiment = experiment(subject, matches)?;
    session.begin(experiment.described(), experiment.headline());
    experiment.check()?;
    let machine = session.machine()?;
    experiment.check_on(Some(&machine)).map_err(|reason| Failure::new(Status::NoGl, reason))?;
    let kept = Kept::default();
    let record = |experiment: &Experiment| -> Result<Value, Failure> {
        Ok(experiment.run(Place { machine: &machine, kept: &kept })?.json())
    };
    let Each { each } = Each::from_arg_matches(matches).map_err(Failure::input)?;
    let Some(each) = each else { return session.print(&(), &record(&experiment)?) };
    let (name, words) = each.split_once('=').ok_or_else(|| {
        Failure::input(format_args!(
            "--each {each}: write a setting and its values, as in size=33,65"
        ))
    })?;
    let name = name.replace('-', "_");
    let runs = words.split(',').map(|word| {
        let mut experiment = experiment.clone();
        experiment.set(&name, word)?;
        let mut all = json!({ name.clone(): word });
        if let (Value::Object(all), Value::Object(record)) = (&mut all, record(&experiment)?) {
            // A line of the table has numbers alone, the last of a series; the settings are above.
            let shown = |(name, value): (String, Value)| match value {
                _ if session.json => Some((name, value)),
                Value::Array(series) => Some((name, series.last()?.clone())),
                _ => value.is_number().then_some((name, value)),
            };
            let record = record.into_iter().filter(|(name, _)| {
                session.json || !["settings.", "model."].iter().any(|part| name.starts_with(part))
            });
            all.extend(record.filter_map(shown));
        }
        Ok(all)
    });
    let runs = runs.collect::<Result<Vec<_>, Failure>>()?;
    session.print(&(), &json!({ "runs": runs }))
}

/// The experiment of a command line.
pub fn experiment(
    subject: &'static dyn Subject,
    matches: &ArgMatches,
) -> Result<Experiment, Failure> {
    let origin = Origin::from_arg_matches(matches).map_err(Failure::input)?;
    origin.experiment_with(subject, "", &subject.fields(), matches)
}
