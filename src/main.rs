//! The command line: it is parsed here, and a failure becomes an exit code.

mod command;

use std::process::ExitCode;

use clap::Parser;

use command::failure::Failure;
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
    let mut session = Session::new(cli.ledger);
    let result = run(cli.command.unwrap_or_default(), &mut session);
    let result = result.and_then(|()| session.flush());
    session.print_ledger();
    result.map_or_else(Failure::report, |()| ExitCode::SUCCESS)
}
