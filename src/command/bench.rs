//! `fragstream bench`: kernels and solvers beside their ceiling and their CPU twin.

mod bolz2003;
mod goodnight2003;
mod kruger2003;

use std::io::Write;

use clap::{Args, ValueEnum};

use fragstream::bolz2003::experiments::sparse::input;
use fragstream::bolz2003::sparse::packing::PackingOptions;
use fragstream::bolz2003::sparse::speed::SpeedError;
use fragstream::claim::timing::{Comparison, Effort};
use fragstream::io::read_valid_mesh;
use fragstream::stream::Machine;

use super::arguments::Rectangle;
use super::failure::Failure;
use super::session::{Output, Session, spinner};

/// Time kernels and solvers beside their ceiling and a tuned program for the CPU
///
/// The ceiling of a kernel is a trivial one with the same fetches and the same output. All figures
/// of a line come from one run in turns: compare the ratios, not the milliseconds.
#[derive(Args)]
pub struct Arguments {
    /// The paper whose kernels are timed; all if none is given
    #[arg(value_name = "PAPER")]
    paper: Option<Paper>,

    /// Fewer repetitions, and a generated mesh of 50 000 instead of 500 000 vertices
    #[arg(long)]
    quick: bool,

    /// The mesh to time beside the generated ones [default: the bundled scan]
    #[arg(long, value_name = "MESH")]
    mesh: Option<std::path::PathBuf>,

    /// Rectangles that rows are packed into: a size, or `auto` for the best one on this GPU
    #[arg(long, value_name = "WxH|auto", default_value_t = Rectangle::default())]
    rect: Rectangle,
}

/// The papers that there is something to time of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// Geometric flow of meshes, and multigrid
    Bolz2003,
    /// Operators on vectors and matrices
    Kruger2003,
    /// Multigrid for boundary value problems
    Goodnight2003,
}

/// Times everything, and prints a line as soon as it is known.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let is_wanted = |paper| arguments.paper.is_none_or(|chosen| chosen == paper);
    // Bad input is better known before the work.
    let scan = match &arguments.mesh {
        Some(path) => read_valid_mesh(path).map_err(Failure::input)?,
        None => input::scan().map_err(Failure::input)?,
    };
    let machine = session.machine()?;
    let bench = Bench {
        machine: &machine,
        packing: arguments.rect.packing(&machine)?,
        effort: Effort::of(arguments.quick),
        quick: arguments.quick,
    };
    let out = &mut session.out;
    let [width, height] = bench.packing.rectangle;
    writeln!(out, "on {}", machine.context().description().renderer)?;
    writeln!(
        out,
        "rectangles of {width}x{height}; medians, in milliseconds"
    )?;
    writeln!(
        out,
        "\n{:<44} {:>9} {:>9} {:>6} {:>6} {:>9} {:>7}",
        "", "here", "ceiling", "ratio", "goal", "CPU", "x CPU"
    )?;
    if is_wanted(Paper::Bolz2003) {
        bench.flow_and_grids(&scan, out)?;
    }
    if is_wanted(Paper::Kruger2003) {
        bench.operators(out)?;
    }
    if is_wanted(Paper::Goodnight2003) {
        bench.boundary_values(out)?;
    }
    Ok(())
}

struct Bench<'a> {
    machine: &'a Machine,
    packing: PackingOptions,
    effort: Effort,
    quick: bool,
}

/// Does something that takes a while, with a sign of life on a terminal.
fn waiting<T, E>(what: &str, work: impl FnOnce() -> Result<T, E>) -> Result<T, Failure>
where
    Failure: From<E>,
{
    let sign = spinner();
    sign.set_message(what.to_owned());
    sign.tick();
    let result = work();
    sign.finish_and_clear();
    Ok(result?)
}

impl From<SpeedError> for Failure {
    fn from(error: SpeedError) -> Self {
        match error {
            SpeedError::Stream(error) => error.into(),
            SpeedError::Matrix(_) | SpeedError::Mesh(_) => Failure::input(error),
        }
    }
}

fn line(
    out: &mut Output,
    what: &str,
    times: &Comparison,
    goal: Option<f64>,
) -> Result<(), Failure> {
    let goal = goal.map_or_else(String::new, |goal| format!("{goal:.1}"));
    writeln!(
        out,
        "{what:<44} {:>9.3} {:>9.3} {:>6.2} {goal:>6} {:>9.3} {:>7.2}",
        times.kernel * 1e3,
        times.ceiling * 1e3,
        times.of_ceiling(),
        times.cpu * 1e3,
        times.against_cpu()
    )?;
    Ok(())
}
