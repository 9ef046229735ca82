//! `fragstream bench`: kernels and solvers beside their ceiling and their CPU twin.

use std::cell::RefCell;
use std::io::{self, Write};

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::batty2003;
use crate::bolz2003::grid::timing;
use crate::bolz2003::sparse;
use crate::claim::bundled;
use crate::geveler2011;
use crate::goodnight2003;
use crate::io::read_valid_mesh;
use crate::kruger2003;
use crate::timing::{Bench, Effort};

use super::super::arguments::Rectangle;
use super::super::failure::Failure;
use super::super::session::{Session, spinner};

/// Time kernels and solvers beside their ceiling and a tuned program for the CPU
///
/// The ceiling of a kernel is a trivial one with the same fetches and the same output. All figures
/// of a line come from one run, alternately: compare the ratios, not the milliseconds.
#[derive(Args)]
pub struct Arguments {
    /// The paper whose kernels are timed; all if none is given
    #[arg(value_name = "PAPER")]
    paper: Option<Paper>,

    /// Fewer repetitions, and a generated mesh of 50 000 instead of 500 000 vertices
    #[arg(long)]
    quick: bool,

    /// The mesh that bolz2003 is timed with beside the generated ones [default: the bundled scan]
    #[arg(long, value_name = "MESH")]
    mesh: Option<std::path::PathBuf>,

    /// Width and height in texels of the rectangles that rows are packed into in bolz2003 [default: 26x18]
    #[arg(long, value_name = "WxH")]
    rect: Option<Rectangle>,

    /// Print one JSON object, at the end
    #[arg(long)]
    json: bool,
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
    /// The pressure of a liquid
    Batty2003,
    /// Finite-element multigrid
    Geveler2011,
}

/// Times everything, and prints a line as soon as it is known.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let is_wanted = |paper| arguments.paper.is_none_or(|chosen| chosen == paper);
    // Bad input is better known before the work.
    for (option, given) in [
        ("--mesh", arguments.mesh.is_some()),
        ("--rect", arguments.rect.is_some()),
    ] {
        if given && !is_wanted(Paper::Bolz2003) {
            let what = format!("{option} is for bolz2003, which is not timed; leave it out");
            return Err(Failure::input(what));
        }
    }
    let scan = match &arguments.mesh {
        Some(path) => read_valid_mesh(path)?,
        None => bundled::scan().map_err(Failure::input)?,
    };
    let machine = session.machine()?;
    let packing = arguments.rect.unwrap_or_default().packing(&machine);
    let sign = RefCell::new(None);
    let busy = |what: Option<&str>| {
        let next = what.map(|what| {
            let sign = spinner();
            sign.set_message(what.to_owned());
            sign.tick();
            sign
        });
        if let Some(before) = sign.replace(next) {
            before.finish_and_clear();
        }
    };
    let mut nowhere = io::sink();
    let out: &mut dyn Write = match arguments.json {
        true => &mut nowhere,
        false => &mut session.out,
    };
    let mut bench = Bench {
        machine: &machine,
        quick: arguments.quick,
        effort: Effort::of(arguments.quick),
        busy: &busy,
        out,
        section: String::new(),
        lines: Vec::new(),
    };
    let [width, height] = packing.rectangle;
    let renderer = &machine.context().description().renderer;
    bench.text(format_args!(
        "on {renderer}\nrectangles of {width}x{height}; medians, in milliseconds"
    ))?;
    bench.headings()?;
    if is_wanted(Paper::Bolz2003) {
        sparse::speed::bench(&mut bench, &scan, &packing)?;
        timing::bench::bench(&mut bench)?;
    }
    if is_wanted(Paper::Kruger2003) {
        kruger2003::speed::bench(&mut bench)?;
    }
    if is_wanted(Paper::Goodnight2003) {
        goodnight2003::speed::bench::bench(&mut bench)?;
    }
    if is_wanted(Paper::Batty2003) {
        batty2003::speed::bench(&mut bench)?;
    }
    if is_wanted(Paper::Geveler2011) {
        geveler2011::speed::bench(&mut bench)?;
    }
    let lines = bench.lines;
    match arguments.json {
        true => session.out.json(&json!({
            "renderer": renderer,
            "rectangle": packing.rectangle,
            "quick": arguments.quick,
            "lines": lines,
        })),
        false => Ok(()),
    }
}
