//! Settings as options: the only place where they meet clap.

use clap::builder::{PossibleValue, PossibleValuesParser, Resettable, Str};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::Value;

use crate::experiment::Experiment;
use crate::settings::{Field, Flat, Refused, summary};

/// Adds the fields as options with these defaults.
pub fn augment(command: Command, fields: Vec<Field>, usual: &Flat) -> Command {
    fields.into_iter().fold(command, |command, field| {
        let value = usual.get(field.name()).unwrap_or(&Value::Null);
        match field.is_flag() {
            true => command.args(flag(&field, value == true)),
            false => command.arg(option(field, value)),
        }
    })
}

/// An option for each state of a flag, because a preset may have either; the help shows the one that changes the
/// default.
fn flag(field: &Field, is_on: bool) -> [Arg; 2] {
    let (on, off) = (field.name().to_owned(), format!("no_{}", field.name()));
    let arg = |id: &str, other: &str, help: String, is_shown: bool| {
        let is_hidden = !is_shown || field.is_hidden();
        let arg = Arg::new(id.to_owned()).long(id.replace('_', "-")).help(help).hide(is_hidden);
        arg.help_heading(heading(field)).action(ArgAction::SetTrue).overrides_with(other.to_owned())
    };
    let off_arg = arg(&off, &on, field.without(), is_on);
    [arg(&on, &off, field.text(), !is_on), off_arg.aliases(former(field))]
}

fn option(field: Field, value: &Value) -> Arg {
    let arg = Arg::new(field.name().to_owned())
        .value_name(field.takes())
        .help(field.text())
        .help_heading(heading(&field))
        .conflicts_with_all(field.instead_of().map(str::to_owned))
        .hide(field.is_hidden());
    let arg = match field.is_positional() {
        true => arg,
        false => arg.long(field.option()).aliases(former(&field)),
    };
    let arg = match field.alone() {
        Some(word) => arg.num_args(0..=1).default_missing_value(word.to_owned()),
        // The word after an option without a value, and a positional one, may be an option.
        None => arg.allow_hyphen_values(!field.is_positional()),
    };
    let arg = if field.several().is_some() { arg.action(ArgAction::Append) } else { arg };
    let arg = if value.is_null() { arg } else { arg.default_value(field.word(value)) };
    let choices: Vec<PossibleValue> = field.choices().into_iter().map(choice).collect();
    if choices.is_empty() {
        let value = move |word: &str| field.value(word).map(|_| word.to_owned());
        return arg.value_parser(move |word: &str| value(word).map_err(|refused| refused.remedy));
    }
    let nothing = PossibleValue::new(field.nothing().to_owned()).hide(true);
    arg.value_parser(PossibleValuesParser::new(
        choices.into_iter().chain(field.is_optional().then_some(nothing)),
    ))
}

fn heading(field: &Field) -> Resettable<Str> {
    field.heading().map(|heading| Str::from(heading.to_owned())).into()
}

fn former(field: &Field) -> Option<Str> {
    field.formerly().map(|name| Str::from(name.to_owned()))
}

fn choice([name, text]: [&str; 2]) -> PossibleValue {
    let choice = PossibleValue::new(name.to_owned());
    if text.is_empty() { choice } else { choice.help(summary(text)) }
}

/// Gives an experiment the settings of a command line.
pub fn given(
    experiment: &mut Experiment,
    fields: &[Field],
    matches: &ArgMatches,
) -> Result<(), Refused> {
    words(fields, matches).iter().try_for_each(|[name, word]| experiment.set(name, word))
}

/// Names and words of the settings that a command line gives.
pub fn words(fields: &[Field], matches: &ArgMatches) -> Vec<[String; 2]> {
    let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let word = |field: &Field| {
        let name = field.name();
        if field.is_flag() {
            let states = [(name.to_owned(), "true"), (format!("no_{name}"), "false")];
            let mut given = states.iter().filter(|(id, _)| is_given(id) && matches.get_flag(id));
            return given.next_back().map(|(_, state)| (*state).to_owned());
        }
        let words = matches.get_raw(name).filter(|_| is_given(name))?;
        let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
        Some(words.join(field.several().unwrap_or_default()))
    };
    let words = fields.iter().filter_map(|field| Some([field.name().to_owned(), word(field)?]));
    words.collect()
}
