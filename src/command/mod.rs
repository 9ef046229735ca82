//! The subcommands, one a file, and what they share.

mod arguments;
pub mod failure;
mod fluid;
mod info;
mod list;
mod nearest;
mod paths;
mod registry;
mod reproduce;
pub mod session;
mod smooth;
mod solve;
pub mod usage;

use clap::Subcommand;

use failure::Failure;
use session::Session;

/// What can be asked for.
#[derive(Subcommand)]
pub enum Command {
    /// Run the papers' experiments and report what became of their claims
    Reproduce(reproduce::Arguments),
    /// List every experiment: its paper, section and claims
    List,
    /// Tell what the graphics driver is and can do
    Info(info::Arguments),
    /// Smooth a triangle mesh by geometric flow (bolz2003, section 3)
    Smooth(smooth::Arguments),
    /// Simulate a fluid, with pictures (bolz2003, section 4.1)
    Fluid(fluid::Arguments),
    /// Solve A x = b by conjugate gradients, in textures
    Solve(solve::Arguments),
}

impl Default for Command {
    fn default() -> Self {
        Command::Reproduce(reproduce::Arguments::quick())
    }
}

/// Does what was asked for.
pub fn run(command: Command, session: &mut Session) -> Result<(), Failure> {
    match command {
        Command::Reproduce(arguments) => reproduce::run(&arguments, session),
        Command::List => list::run(session),
        Command::Info(arguments) => info::run(&arguments, session),
        Command::Smooth(arguments) => smooth::run(&arguments, session),
        Command::Fluid(arguments) => fluid::run(&arguments, session),
        Command::Solve(arguments) => solve::run(&arguments, session),
    }
}
