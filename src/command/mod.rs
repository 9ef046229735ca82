//! The subcommands, one a file, and what they share.

mod animation;
pub mod arguments;
pub mod failure;
mod fem;
pub mod files;
mod film;
mod fluid;
mod heat;
mod info;
mod layouts;
mod liquid;
mod navier_stokes;
mod poisson;
mod registry;
pub mod session;
mod smooth;
mod solve;
mod tonemap;
#[cfg(feature = "view")]
mod view;
mod water;
mod wing;

use std::io::{self, Write};

use clap::Subcommand;

use failure::Failure;
use registry::{bench, card, list, reproduce};
use session::Session;

/// What can be asked for; what each does is said at its arguments.
#[derive(Subcommand)]
pub enum Command {
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

/// Says what will be done without a command.
pub fn announce() {
    // Where standard error is closed, the report says what was done.
    let _ = writeln!(io::stderr(), "{}", reproduce::announcement());
}

/// Does what was asked for.
pub fn run(command: Command, session: &mut Session) -> Result<(), Failure> {
    match command {
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
