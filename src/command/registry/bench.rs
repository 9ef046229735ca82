//! `fragstream bench`: kernels compared with their ceilings and with CPU programs.

use std::cell::RefCell;
use std::io::{self, Write};

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::arguments::GridSize;
use crate::base::error::BoxedError;
use crate::batty2003;
use crate::bolz2003;
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bundled;
use crate::geveler2011;
use crate::goodnight2003;
use crate::io::read_valid_mesh;
use crate::kruger2003;
use crate::timing::{Bench, Effort, Origin};

use super::super::failure::Failure;
use super::super::session::{Progress, Session, warned};

/// Time kernels compared with their ceiling and a tuned CPU program
///
/// The ceiling of a kernel is the time of a trivial kernel with the same fetches and the same output. All times
/// of a line are measured alternately in one run: compare the ratios, not the milliseconds. With --json the
/// lines are printed at the end.
#[derive(Args)]
pub struct Arguments {
    /// Paper whose kernels are timed [default: all]
    #[arg(value_name = "PAPER")]
    paper: Option<Paper>,

    /// Fewer repetitions, and a generated mesh with 50 000 instead of 500 000 vertices
    #[arg(long)]
    quick: bool,

    /// Mesh for bolz2003, besides the generated ones [default: the bundled scan]
    #[arg(long, value_name = "MESH")]
    mesh: Option<std::path::PathBuf>,

    /// Width and height in texels of the rectangles that rows are packed into in bolz2003 [default: 26x18]
    #[arg(long, value_name = "WxH")]
    rect: Option<GridSize>,
}

/// The papers; all have kernels to time.
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
    for (option, given) in
        [("--mesh", arguments.mesh.is_some()), ("--rect", arguments.rect.is_some())]
    {
        if given && !is_wanted(Paper::Bolz2003) {
            let what = format!("{option} is for bolz2003, which is not timed. Leave it out");
            return Err(Failure::input(what));
        }
    }
    let scan = match &arguments.mesh {
        Some(path) => read_valid_mesh(path)?,
        None => bundled::scan().map_err(Failure::input)?,
    };
    let machine = session.machine()?;
    let mut packing = PackingOptions::of(&machine);
    if let Some(GridSize { columns, rows }) = arguments.rect {
        packing.rectangle = [columns, rows];
    }
    let progress = RefCell::new(None);
    let busy = |what: Option<&str>| {
        progress.replace(what.map(Progress::of));
    };
    let mut nowhere = io::sink();
    let is_json = session.json;
    let out: &mut dyn Write = if is_json { &mut nowhere } else { &mut session.out };
    let mut bench = Bench {
        machine: &machine,
        quick: arguments.quick,
        effort: Effort::of(arguments.quick),
        busy: &busy,
        out,
        section: String::new(),
        lines: Vec::new(),
    };
    let warnings = warned();
    let [width, height] = packing.rectangle;
    let renderer = &machine.description().renderer;
    let origin = Origin::of(&machine);
    bench.text(format_args!(
        "on {renderer}\nrectangles of {width}x{height}; medians, in milliseconds"
    ))?;
    bench.headings()?;
    if is_wanted(Paper::Bolz2003) {
        bolz2003::study::cases::bench(&mut bench, &scan, &packing)?;
    }
    type Measure = fn(&mut Bench<'_>) -> Result<(), BoxedError>;
    let others: [(_, Measure); 4] = [
        (Paper::Kruger2003, kruger2003::study::cases::bench),
        (Paper::Goodnight2003, goodnight2003::study::cases::bench),
        (Paper::Batty2003, batty2003::study::cases::bench),
        (Paper::Geveler2011, geveler2011::study::cases::bench),
    ];
    for (_, measure) in others.into_iter().filter(|(paper, _)| is_wanted(*paper)) {
        measure(&mut bench)?;
    }
    let lines = bench.lines;
    let result = json!({
        "renderer": renderer,
        "origin": origin,
        "rectangle": packing.rectangle,
        "quick": arguments.quick,
        "lines": lines,
        "warnings": warnings,
    });
    session.print_as(&result, |_| Ok(()))
}
