//! The command line: it is parsed here, and a failure becomes an exit code.

mod command;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use command::failure::Failure;
use command::files::check_file;
use command::session::filming::Filming;
use command::session::{LedgerForm, Session};
use command::{Command, run};

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

    /// Record the run as a page in which any browser replays it, pass by pass (see `fragstream film`); of a
    /// window, the first 20000 passes
    #[arg(long, global = true, value_name = "FILE", display_order = 101)]
    film: Option<PathBuf>,
}

const EXIT_CODES: &str = "Exit codes:
  0  done
  1  an exact or tolerance claim failed
  2  bad usage or input, or a result that cannot be written
  3  a solver did not converge
  4  no usable OpenGL";

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return command::arguments::usage::report(&error),
    };
    if cli.command.is_none() {
        command::announce();
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
            let arguments = std::env::args_os();
            Some(Filming::new(file.clone(), &Cli::command(), arguments))
        }
    };
    Ok(Session::new(cli.ledger, film))
}

fn finish(cli: Cli, session: &mut Session) -> ExitCode {
    let result = run(cli.command.unwrap_or_default(), session);
    let filmed = session.write_film();
    let result = result.and(filmed).and_then(|()| session.flush());
    session.print_ledger();
    result.map_or_else(Failure::report, |()| ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use fragstream::claim::commands;
    use fragstream::experiments::experiments;

    use super::*;

    #[test]
    fn the_commands_of_the_report_are_commands() {
        for claim in experiments().iter().flat_map(|e| e.claims) {
            let again = commands::again(claim.id, true, "");
            for line in commands::behind(claim.id)
                .into_iter()
                .chain([again.as_str()])
            {
                if let Err(error) = Cli::try_parse_from(line.split_whitespace()) {
                    panic!("{}: {line}: {error}", claim.id);
                }
            }
        }
    }
}
