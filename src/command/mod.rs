//! The command line: the grammar, the exit codes, the subcommands (one per file) and the code they share.

mod aged;
mod animation;
mod arguments;
mod completions;
mod experiment;
mod failure;
mod fem;
mod film;
mod heat;
mod info;
mod interrupt;
mod layouts;
mod listing;
mod options;
mod outcome;
mod output;
mod poisson;
mod printer;
mod registry;
mod scene;
mod session;
mod smooth;
mod solve;
mod task;
mod tonemap;
#[cfg(feature = "view")]
mod window;

use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::base::parallel;
use crate::bolz2003::solves::{POISSON, SMOOTH};
use crate::experiment::{Experiment, Subject};
use crate::geveler2011::solves::FEM;
use crate::gl;
use crate::goodnight2003::solves::{HEAT, TONEMAP};
use crate::io::reading::{arguments, listen_to_remarks, words};
use crate::program::formats::Registers;
use crate::scene::Entry;
use crate::scenes::{SCENES, find};
use crate::solve::SOLVE;
use crate::stream::Backend;

use failure::Failure;
use output::Target;
use registry::{bench, card, kit, list, reproduce, run};
use session::filming::Filming;
use session::{LedgerForm, Session};
use task::Solving;

/// Numerical solvers on the 2003 graphics pipeline
///
/// Without a command: `reproduce --quick`.
///
/// Results go to standard output, everything else to standard error. Only windows (`view`, `--window`) need a display. The
/// variable FRAGSTREAM_DEVICE (a number from 0) selects one of several graphics devices.
#[derive(Parser)]
#[command(name = "fragstream", version = VERSION, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    every: EveryCommand,
}

/// Options of every command.
#[derive(Args)]
struct EveryCommand {
    /// Print the result as one JSON object
    #[arg(long, global = true, display_order = 99, help_heading = "Every command")]
    json: bool,

    /// Print a ledger of the work on the GPU to standard error: passes, fragments, fetches, transfers
    #[arg(long, global = true, value_name = "FORM", num_args = 0..=1, require_equals = true,
          default_missing_value = "table", display_order = 100, help_heading = "Every command")]
    ledger: Option<LedgerForm>,

    /// Print the passes in their order to standard error, repeated groups once: kernel, target, switches, rectangles,
    /// fragments, fetches and bytes
    #[arg(long, global = true, display_order = 101, help_heading = "Every command")]
    passes: bool,

    /// Write a result over a file that the command reads
    #[arg(long, global = true, display_order = 103, help_heading = "Every command")]
    force: bool,

    /// Engine of the programs: a driver in glsl, or in arb, the assembly of 2003 (see `fragstream listing`; programs
    /// that it cannot express run as GLSL); or fragstream's interpreter, which needs no OpenGL
    #[arg(long, global = true, value_name = "NAME", value_parser = backend, display_order = 102,
          help_heading = "Every command")]
    backend: Option<Backend>,

    /// Registers of the programs, which the interpreter then runs: 32 bits, NV30's half precision (32 bits for
    /// positions), or R300's 24 bits, truncated or rounded
    #[arg(
        long,
        global = true,
        value_name = "REGISTERS",
        display_order = 102,
        help_heading = "Every command"
    )]
    arithmetic: Option<Registers>,

    /// Record the first 20000 passes, or as many as 8 MB hold, as a page in which a browser replays them (see
    /// `fragstream film`)
    #[arg(long, global = true, value_name = "FILE.html", value_parser = output::file("html"),
          display_order = 101, help_heading = "Every command")]
    film: Option<Target>,
}

/// The version, with the commit that it was built from.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("FRAGSTREAM_COMMIT"), ")");

fn backend(name: &str) -> Result<Backend, String> {
    Backend::named(name).ok_or_else(|| "write glsl, arb or interpreter".to_owned())
}

const EXIT_CODES: &str = "Exit codes:
  0  done
  1  an exact or tolerance claim failed
  2  bad usage or input, or a result that cannot be written
  3  a solver did not converge
  4  no usable OpenGL, and too much work for the interpreter
  129, 130, 131, 143, 152
     ended by HUP, INT (Ctrl-C), QUIT, TERM, XCPU; reproduce and animations keep what is
     finished, and a second signal ends them at once";

/// The subcommands; each is described at its arguments.
#[derive(Subcommand)]
enum Command {
    Reproduce(reproduce::Arguments),
    List(list::Arguments),
    Card(card::Arguments),
    Kit(kit::Arguments),
    Aged(aged::Arguments),
    Bench(bench::Arguments),
    Info(info::Arguments),
    Layouts(layouts::Arguments),
    Listing(listing::Arguments),
    Film(film::Arguments),
    Completions(completions::Arguments),
}

impl Default for Command {
    fn default() -> Self {
        Command::Reproduce(reproduce::Arguments::quick())
    }
}

impl Command {
    /// Tests whether a film of the command would show anything.
    fn draws(&self) -> bool {
        use Command::{Aged, Card, Completions, Film, Info, Kit, List, Listing};
        match self {
            Film(arguments) => arguments.draws(),
            List(_) | Card(_) | Kit(_) | Aged(_) | Completions(_) | Info(_) | Listing(_) => false,
            _ => true,
        }
    }

    /// Runs the subcommand.
    fn run(self, session: &mut Session) -> Result<(), Failure> {
        match self {
            Command::Reproduce(arguments) => reproduce::run(&arguments, session),
            Command::List(arguments) => list::run(&arguments, session),
            Command::Info(arguments) => info::run(&arguments, session),
            Command::Bench(arguments) => bench::run(&arguments, session),
            Command::Completions(arguments) => completions::run(&arguments, session),
            Command::Card(arguments) => card::run(&arguments, session),
            Command::Kit(arguments) => kit::run(&arguments, session),
            Command::Aged(arguments) => aged::run(&arguments, session),
            Command::Film(arguments) => film::run(&arguments, session),
            Command::Layouts(arguments) => layouts::run(&arguments, session),
            Command::Listing(arguments) => listing::run(&arguments, session),
        }
    }
}

/// The solves.
static SOLVES: &[Solving] = &[
    Solving::by::<solve::Files>(&SOLVE),
    Solving::by::<poisson::Files>(&POISSON),
    Solving::by::<heat::Files>(&HEAT),
    Solving::by::<fem::Files>(&FEM),
    Solving::by::<smooth::Files>(&SMOOTH),
    Solving::by::<tonemap::Files>(&TONEMAP),
];

/// Returns the grammar of the command line: commands, arguments, and their help.
pub fn grammar() -> clap::Command {
    let grammar = Cli::command().mut_subcommand("reproduce", reproduce::with_settings);
    with_scenes(grammar.subcommands(SOLVES.iter().map(Solving::grammar)), Some(run::grammar()))
}

/// Adds the scenes, a further command, and the options of every command.
fn with_scenes(grammar: clap::Command, run: Option<clap::Command>) -> clap::Command {
    let scenes = SCENES.iter().map(|entry| scene::grammar(entry));
    let grammar = grammar.subcommands(scenes).subcommands(run);
    #[cfg(feature = "view")]
    let grammar = grammar.subcommand(scene::view());
    let every = grammar.get_arguments().filter(|argument| argument.is_global_set()).cloned();
    let every: Vec<_> = every.map(|argument| argument.hide(true)).collect();
    with_negative_numbers(grammar.mut_subcommands(|command| with_every(command, &every)))
}

/// Parses the command line. The settings of all claims and studies are most of the grammar: it is complete only where a line
/// names their commands, or is not valid without them.
fn parsed() -> (clap::Command, Result<ArgMatches, clap::Error>) {
    if !words().any(|word| ["reproduce", "run"].contains(&&*word)) {
        let grammar =
            with_scenes(Cli::command().subcommands(SOLVES.iter().map(Solving::grammar)), None);
        let matches = grammar.clone().try_get_matches_from(arguments());
        if matches.as_ref().is_ok_and(|matches| matches.subcommand().is_some()) {
            return (grammar, matches);
        }
    }
    let grammar = reproduce::with_settings_of(grammar(), arguments());
    let matches = grammar.clone().try_get_matches_from(arguments());
    (grammar, matches)
}

/// Names the options of every command in one line of the help, and describes them only in that of the program.
fn with_every(command: clap::Command, every: &[clap::Arg]) -> clap::Command {
    let names: Vec<_> = every.iter().filter_map(clap::Arg::get_long).collect();
    let line =
        format!("Every command also takes --{}: see `fragstream --help`", names.join(", --"));
    let after = |own: Option<&StyledStr>| match own {
        Some(own) => format!("{own}\n\n{line}"),
        None => line.clone(),
    };
    let long = command.get_after_long_help().map(|own| after(Some(own)));
    let short = after(command.get_after_help());
    let command = command.after_help(short).args(every);
    let command = if let Some(long) = long { command.after_long_help(long) } else { command };
    command.mut_subcommands(|inner| with_every(inner, every))
}

/// The experiment of the command line of a scene, of a solve, or of what `run` names.
pub fn experiment_of(
    subject: &'static dyn Subject,
    matches: &ArgMatches,
) -> Result<Experiment, String> {
    let experiment = match find(subject.command()) {
        Some(entry) => scene::experiment(entry, matches),
        None if subject.command().contains('/') => run::experiment(subject, matches),
        None => experiment::of(subject, matches),
    };
    experiment.map_err(|failure| failure.message)
}

/// Accepts negative numbers as values, so that `--dt -1` is rejected for its value.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let allowed = |argument: clap::Arg| {
        if argument.get_action().takes_values() {
            argument.allow_negative_numbers(true)
        } else {
            argument
        }
    };
    command.mut_args(allowed).mut_subcommands(with_negative_numbers)
}

/// Runs the program with its arguments.
pub fn main() -> ExitCode {
    gl::ignore_file_size_signal();
    interrupt::listen();
    if !parallel::has_threads() {
        gl::without_threads();
    }
    let (grammar, matches) = parsed();
    let matches = match matches {
        Ok(matches) => matches,
        Err(error) => return output::report_usage(&explained(error)),
    };
    listen_to_remarks(|remark| output::note(remark));
    let invoked = Invoked::from(&matches);
    let every = EveryCommand::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if let Err(failure) = output::check(&matches) {
        return output::report(failure);
    }
    if matches.subcommand().is_none() {
        output::tip(reproduce::announcement());
    }
    let name = name(&matches);
    if let Some(file) = every.film.as_ref().filter(|_| !invoked.draws()) {
        let what = format!("{name} draws nothing that can be recorded. Leave out --film");
        return output::report(Failure::in_file(file.path(), what));
    }
    match (every.backend, every.arithmetic) {
        (Some(Backend::Driver(_)), Some(_)) => {
            let what = "--arithmetic needs the interpreter, not a driver. Leave out --backend";
            return output::report(Failure::input(what));
        }
        (_, Some(registers)) => Backend::Interpreter(registers).choose(),
        (Some(backend), None) => backend.choose(),
        (None, None) => {}
    }
    let film = every.film.map(|file| Filming::new(file, words()));
    let mut session = Session::new(name, every.json, every.ledger, film, every.passes);
    let result = finish(invoked, &mut session);
    if result.is_ok() && !session.json {
        output::offer_picture(&grammar, &matches);
    }
    session.end(result)
}

/// The error of a command line; of `layouts NAME`, with the subcommand that takes a name.
fn explained(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && words().any(|word| word == "layouts")
    {
        let tip = format!("a matrix has its own command: fragstream layouts matrix {word}");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// The command as it was typed, such as `layouts matrix`.
fn name(matches: &ArgMatches) -> String {
    let path = std::iter::successors(matches.subcommand(), |(_, inner)| inner.subcommand());
    let name = path.map(|(name, _)| name).collect::<Vec<_>>().join(" ");
    if name.is_empty() { "reproduce".to_owned() } else { name }
}

/// The invoked command.
enum Invoked<'a> {
    /// A scene, in a window if true.
    Scene(&'static Entry, &'a ArgMatches, bool),
    /// A solve.
    Solve(&'static Solving, &'a ArgMatches),
    /// Anything that gives a record.
    Record(&'a ArgMatches),
    /// Another command.
    Other(Command),
}

impl Invoked<'_> {
    /// Tests whether a film of it would show anything.
    fn draws(&self) -> bool {
        match self {
            Self::Scene(..) | Self::Solve(..) | Self::Record(_) => true,
            Self::Other(command) => command.draws(),
        }
    }
}

impl<'a> From<&'a ArgMatches> for Invoked<'a> {
    fn from(matches: &'a ArgMatches) -> Self {
        let (within, in_window) = match matches.subcommand() {
            Some(("view", inner)) => (inner, true),
            _ => (matches, false),
        };
        if let Some((name, own)) = within.subcommand() {
            if name == "run" {
                return Self::Record(own);
            }
            if let Some(entry) = find(name) {
                return Self::Scene(entry, own, in_window);
            }
            if let Some(solving) = SOLVES.iter().find(|all| all.solve.command() == name) {
                return Self::Solve(solving, own);
            }
        }
        let cli = Cli::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
        Self::Other(cli.command.unwrap_or_default())
    }
}

/// Runs the subcommand, and writes the film and what is buffered.
fn finish(run: Invoked<'_>, session: &mut Session) -> Result<(), Failure> {
    let result = match run {
        Invoked::Scene(entry, matches, in_window) => scene::run(entry, matches, in_window, session),
        Invoked::Solve(solving, matches) => solving.run(matches, session),
        Invoked::Record(matches) => run::run(matches, session),
        Invoked::Other(command) => command.run(session),
    };
    let filmed = session.write_film();
    result.and(filmed).and_then(|()| session.flush()).and_then(|()| session.interruption())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::PAPERS;

    #[test]
    fn the_grammar_is_valid() {
        grammar().debug_assert();
    }

    #[test]
    fn the_commands_of_claims_are_commands() {
        for (paper, claim) in PAPERS.iter().flat_map(|p| p.claims.iter().map(move |c| (p, c))) {
            let again = format!("fragstream reproduce {}/{} --quick", paper.id, claim.id);
            if let Err(error) = grammar().try_get_matches_from(again.split_whitespace()) {
                panic!("{again}: {error}");
            }
        }
    }
}
