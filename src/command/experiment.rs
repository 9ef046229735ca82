//! The experiment of a command line: a preset or the settings of a result, with the options' changes.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Value, json};

use crate::experiment::{Experiment, Subject};
use crate::io::read_text;
use crate::settings::{Field, Flat};

use super::failure::Failure;
use super::options;
use super::session::Session;

/// Origin of the settings.
#[derive(Args)]
pub struct Origin {
    /// Start from settings with a name; other options replace some of them
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Take the settings of a result (--json); other options replace some of them
    #[arg(long, value_name = "RESULT.json", conflicts_with = "preset")]
    settings: Option<PathBuf>,

    /// Print the settings as JSON Schema, and nothing else
    #[arg(long)]
    schema: bool,
}

/// The settings of a subject, without those for which its command has options.
fn fields(subject: &dyn Subject) -> Vec<Field> {
    let mut fields = subject.fields();
    fields.retain(|field| !field.is_of_command());
    fields
}

/// The command of a subject, with its settings as options.
pub fn command(subject: &'static dyn Subject) -> Command {
    let usual = subject.experiment("");
    let usual = usual.map_or_else(|_| Flat::new(), |usual| usual.settings().clone());
    options::augment(Command::new(subject.command()), fields(subject), &usual)
}

/// Adds the names of the presets to a command that has the options of [`Origin`]. A window may have another default.
pub fn with_presets(command: Command, subject: &dyn Subject, in_window: &str) -> Command {
    let value = |[name, about]: [&'static str; 2]| PossibleValue::new(name).help(about);
    let values: Vec<PossibleValue> = subject.presets().into_iter().map(value).collect();
    command.mut_arg("preset", |argument| {
        let argument = argument.value_parser(values);
        if in_window.is_empty() {
            return argument.default_value(subject.usual());
        }
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let usual = subject.usual();
        argument.help(format!("{help} [default: {usual}; in a window: {in_window}]"))
    })
}

impl Origin {
    /// The experiment of a command line.
    pub fn experiment(
        &self,
        subject: &'static dyn Subject,
        usual: &str,
        matches: &ArgMatches,
    ) -> Result<Experiment, Failure> {
        self.experiment_with(subject, usual, &fields(subject), matches)
    }

    /// The experiment of a command line with options for these fields.
    pub fn experiment_with(
        &self,
        subject: &'static dyn Subject,
        usual: &str,
        fields: &[Field],
        matches: &ArgMatches,
    ) -> Result<Experiment, Failure> {
        let mut experiment = match &self.settings {
            Some(file) => of_result(subject, file)?,
            None => subject.experiment(self.preset.as_deref().unwrap_or(usual))?,
        };
        options::given(&mut experiment, fields, matches)?;
        Ok(experiment)
    }

    /// Prints the settings as JSON Schema if that was asked for.
    pub fn is_schema(&self, subject: &dyn Subject, session: &mut Session) -> Result<bool, Failure> {
        if self.schema {
            let schema = schema(subject);
            session.print_as(&schema, |out| writeln!(out, "{schema:#}"))?;
        }
        Ok(self.schema)
    }
}

/// The experiment of a solve's command line.
pub fn of(subject: &'static dyn Subject, matches: &ArgMatches) -> Result<Experiment, Failure> {
    let origin = Origin::from_arg_matches(matches).map_err(Failure::input)?;
    origin.experiment(subject, "", matches)
}

/// The settings as JSON Schema.
fn schema(subject: &dyn Subject) -> Value {
    let properties = subject.fields();
    let properties =
        properties.iter().map(|field| (field.name().to_owned(), field.schema().clone()));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": subject.command(),
        "type": "object", "properties": properties.collect::<Flat>(),
    })
}

/// The experiment of a result in JSON.
fn of_result(subject: &'static dyn Subject, file: &Path) -> Result<Experiment, Failure> {
    let in_file = |error: &dyn Display| Failure::in_file(file, error);
    let result: Value = serde_json::from_str(&read_text(file)?).map_err(|error| in_file(&error))?;
    let (command, experiment) = (&result["command"], &result["experiment"]);
    let Value::Object(settings) = &experiment["settings"] else {
        return Err(in_file(&"no settings. Give a result that --json printed."));
    };
    if command != subject.command() {
        let own = subject.command();
        return Err(in_file(&format_args!("a result of {command}. Give one of {own}.")));
    }
    let mut read = subject.experiment(experiment["preset"].as_str().unwrap_or_default())?;
    read.take(settings).map_err(|error| in_file(&error))?;
    Ok(read)
}
