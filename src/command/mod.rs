//! The command line: it is parsed here, and a failure becomes an exit code. The subcommands, one a file, and what
//! they share.

mod animation;
mod arguments;
mod failure;
mod fem;
mod files;
mod film;
mod fluid;
mod heat;
mod info;
mod layouts;
mod liquid;
mod navier_stokes;
mod poisson;
mod registry;
mod session;
mod smooth;
mod solve;
mod tonemap;
#[cfg(feature = "view")]
mod view;
mod water;
mod wing;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::{gl, parallel};

use failure::Failure;
use files::check_file;
use registry::{bench, card, list, reproduce};
use session::filming::Filming;
use session::{LedgerForm, Session};

/// Numerical solvers on the 2003 graphics pipeline.
///
/// Without a command: `reproduce --quick`.
///
/// Results go to standard output, everything else to standard error. No display is needed but for
/// `view`; the variable FRAGSTREAM_DEVICE (a number from 0) picks one of several graphics devices.
#[derive(Parser)]
#[command(name = "fragstream", version, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    /// Print at the end, on standard error, what the machine was made to do: passes, fragments,
    /// fetches, transfers; `--ledger=json` for all of it
    #[arg(long, global = true, value_name = "FORM", num_args = 0..=1, require_equals = true,
          default_missing_value = "table", display_order = 100)]
    ledger: Option<LedgerForm>,

    /// Record the first 20000 passes as a page in which any browser replays them (see `fragstream film`)
    #[arg(long, global = true, value_name = "FILE", display_order = 101)]
    film: Option<PathBuf>,
}

const EXIT_CODES: &str = "Exit codes:
  0  done
  1  an exact or tolerance claim failed
  2  bad usage or input, or a result that cannot be written
  3  a solver did not converge
  4  no usable OpenGL";

/// What can be asked for; what each does is said at its arguments.
#[derive(Subcommand)]
enum Command {
    Reproduce(reproduce::Arguments),
    List(list::Arguments),
    Info(info::Arguments),
    Bench(bench::Arguments),
    Card(card::Arguments),
    Poisson(poisson::Arguments),
    Heat(Box<heat::Arguments>),
    Smooth(smooth::Arguments),
    Fem(fem::Arguments),
    Film(film::Arguments),
    /// Simulate a fluid, with pictures (bolz2003, section 4.1)
    Fluid(fluid::Arguments),
    Layouts(layouts::Arguments),
    Liquid(Box<liquid::Arguments>),
    Solve(solve::Arguments),
    Tonemap(Box<tonemap::Arguments>),
    Water(water::Arguments),
    NavierStokes(navier_stokes::Arguments),
    #[cfg(feature = "view")]
    View(view::Arguments),
    Wing(wing::Arguments),
}

impl Default for Command {
    fn default() -> Self {
        Command::Reproduce(reproduce::Arguments::quick())
    }
}

impl Command {
    /// Does what was asked for.
    fn run(self, session: &mut Session) -> Result<(), Failure> {
        match self {
            Command::Reproduce(arguments) => reproduce::run(&arguments, session),
            Command::List(arguments) => list::run(&arguments, session),
            Command::Info(arguments) => info::run(&arguments, session),
            Command::Bench(arguments) => bench::run(&arguments, session),
            Command::Card(arguments) => card::run(&arguments, session),
            Command::Poisson(arguments) => poisson::run(&arguments, session),
            Command::Heat(arguments) => heat::run(&arguments, session),
            Command::Smooth(arguments) => smooth::run(&arguments, session),
            Command::Fem(arguments) => fem::run(&arguments, session),
            Command::Film(arguments) => film::run(&arguments, session),
            Command::Fluid(arguments) => fluid::run(&arguments, session),
            Command::Layouts(arguments) => layouts::run(&arguments, session),
            Command::Liquid(arguments) => liquid::run(&arguments, session),
            Command::Solve(arguments) => solve::run(&arguments, session),
            Command::Tonemap(arguments) => tonemap::run(&arguments, session),
            Command::Water(arguments) => water::run(&arguments, session),
            Command::NavierStokes(arguments) => navier_stokes::run(&arguments, session),
            #[cfg(feature = "view")]
            Command::View(arguments) => view::run(arguments, session),
            Command::Wing(arguments) => wing::run(&arguments, session),
        }
    }
}

/// Returns the grammar of the command line: commands, arguments, and their help.
pub fn grammar() -> clap::Command {
    Cli::command()
}

/// What the program does with its arguments: the whole command.
pub fn main() -> ExitCode {
    gl::ignore_file_size_signal();
    if !parallel::has_threads() {
        gl::without_threads();
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return arguments::usage::report(&error),
    };
    if cli.command.is_none() {
        // Where standard error is closed, the report says what was done.
        let _ = writeln!(io::stderr(), "{}", reproduce::announcement());
    }
    match session(&cli) {
        Ok(mut session) => finish(cli, &mut session),
        Err(failure) => failure.report(),
    }
}

/// What every command has, as it was asked for.
fn session(cli: &Cli) -> Result<Session, Failure> {
    let film = match &cli.film {
        None => None,
        Some(file) => {
            check_file(file)?;
            if let Some(Command::List(_) | Command::Card(_)) = &cli.command {
                let what = "no film: this command draws nothing that can be recorded";
                return Err(Failure::in_file(file, what));
            }
            Some(Filming::new(file.clone(), std::env::args_os()))
        }
    };
    Ok(Session::new(cli.ledger, film))
}

fn finish(cli: Cli, session: &mut Session) -> ExitCode {
    let result = cli.command.unwrap_or_default().run(session);
    let filmed = session.write_film();
    let result = result.and(filmed).and_then(|()| session.flush());
    session.print_ledger();
    result.map_or_else(Failure::report, |()| ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::PAPERS;

    #[test]
    fn the_commands_of_claims_are_commands() {
        for (paper, claim) in PAPERS
            .iter()
            .flat_map(|p| p.claims.iter().map(move |c| (p, c)))
        {
            let again = format!("fragstream reproduce {}/{} --quick", paper.id, claim.id);
            for line in [claim.command, again.as_str()] {
                if !line.is_empty()
                    && let Err(error) = Cli::try_parse_from(line.split_whitespace())
                {
                    panic!("{}: {line}: {error}", claim.id);
                }
            }
        }
    }
}
