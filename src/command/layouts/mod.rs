//! `fragstream layouts`: a matrix, a grid or a vector in layouts of the papers, side by side.

mod examples;
mod families;
mod input;
mod several;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;

use crate::arguments::{GridSize, bytes, count};
use crate::io::names::system;
use crate::layouts::compare::{answer::advice, table};
use crate::layouts::named::NAMES;
use crate::layouts::{self, Layout};
use crate::solve::Method;
use crate::timing::{Effort, Origin};

use super::failure::Failure;
use super::output::{Target, file};
use super::session::{Progress, Session, warned};
use input::Input;

pub use examples::exhibits;

/// Columns of the tables where there is no terminal.
const WIDTH: usize = 80;
/// Largest number of timed rounds.
const ROUNDS: usize = 10_000;

/// Lay out a matrix, a grid or a vector in all layouts of the papers, side by side
///
/// Counts are those of the ledger. Times are those of rounds in random order after several uploads. The ceiling is the
/// speed relative to a trivial program with the same number of fetches. The cards of 2003 are a model fitted to
/// the papers' timings, but not to scattered fetches or V-cycles. The error of a product is the largest |y - A
/// x| divided by |A| |x|, where A x is computed in double precision. A layout that does not fit has a line with
/// the size it would need.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

/// Subcommands, by what they lay out.
#[derive(Subcommand)]
enum What {
    /// Lay out a sparse matrix: matrix-vector products, and optionally a solve
    Matrix(MatrixArguments),
    /// Lay out a grid: stencil products, and V-cycles
    Grid(GridArguments),
    /// Lay out a vector: a sum of two vectors, and the sum of all entries
    Vector(VectorArguments),
    /// Lay out families of matrices, from a thousand rows to a million: curves, and maps
    Families(families::Arguments),
}

#[derive(Args)]
struct MatrixArguments {
    #[arg(value_name = "A.mtx", required = true, help = matrices())]
    matrices: Vec<PathBuf>,

    /// Layouts, in this order
    #[arg(long, value_enum, value_name = "NAME,NAME,…", value_delimiter = ',', help = usual())]
    layouts: Vec<Layout>,

    /// Also solve a system by this method, in single precision
    #[arg(long, value_enum)]
    method: Option<Method>,

    /// Leave out layouts that would take more memory than this, as in 2GB [default: the free memory]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    limit: Option<u64>,

    /// Draw the memory of each layout, each row in one colour
    #[arg(long, value_name = "FILE.png", value_parser = file("png"))]
    png: Option<Target>,

    #[command(flatten)]
    common: Common,
}

/// The help for matrices.
fn matrices() -> String {
    format!(
        "Matrices in the Matrix Market format or of SciPy (.npz), folders of them, bundled ones (airfoil, bcsstk01, knot, \
         unit_cube), or computed ones: {NAMES}. Several give one table"
    )
}

/// The help for layouts.
fn usual() -> String {
    let names: Vec<&str> = layouts::usual().iter().map(|layout| layout.name).collect();
    format!("Layouts, in this order [default: {}]", names.join(","))
}

/// The sides of a grid: two, or one for both.
fn sides(text: &str) -> Result<GridSize, &'static str> {
    let size = match text.parse() {
        Ok(side) => GridSize::new(side, side),
        Err(_) => text.parse()?,
    };
    match size.columns.min(size.rows) {
        0..3 => Err("give at least three nodes per side"),
        _ => Ok(size),
    }
}

#[derive(Args)]
struct GridArguments {
    /// Number of nodes along the sides, such as 1025 or 513x257; in three dimensions, number of cells per side
    #[arg(long, value_name = "N|WxH", value_parser = sides)]
    size: GridSize,

    /// Number of dimensions: 2, or 3 for a stencil of seven points
    #[arg(long, value_name = "2|3", default_value_t = 2, value_parser = count(2..=3_u8))]
    dimensions: u8,

    /// Draw the memory of each layout, each node in one colour (in two dimensions)
    #[arg(long, value_name = "FILE.png", value_parser = file("png"))]
    png: Option<Target>,

    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct VectorArguments {
    /// Number of entries
    #[arg(long, value_name = "N", value_parser = count(1..=u64::MAX))]
    size: u64,

    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct Common {
    /// Number of timed rounds after each of four uploads; fewer than four are also the number of uploads
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = count(1..=ROUNDS))]
    rounds: usize,

    /// Write the tables
    #[arg(long, value_name = "FILE.csv", value_parser = file("csv"))]
    csv: Option<Target>,
}

impl Common {
    fn effort(&self) -> Effort {
        Effort { rounds: self.rounds, chain: 4 }
    }
}

/// Compares, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    // The input is read before a driver is needed.
    let (input, common, png) = match &arguments.what {
        What::Matrix(several) if several.is_several() => return several::run(several, session),
        What::Matrix(matrix) => {
            (matrix.input(&matrix.matrices[0])?, &matrix.common, matrix.png.as_ref())
        }
        What::Grid(grid) => (grid.input()?, &grid.common, grid.png.as_ref()),
        What::Vector(vector) => {
            let entries = usize::try_from(vector.size).map_err(Failure::input)?;
            (Input::Vector(entries), &vector.common, None)
        }
        What::Families(families) => return families::run(families, session),
    };
    let machine = session.machine()?;
    input.check(&machine)?;
    let warnings = warned();
    let progress = Progress::of("timing layouts");
    let effort = common.effort();
    let origin = Some(Origin::of(&machine));
    let mut sections = input.sections(&machine, effort)?;
    sections.iter_mut().for_each(|section| section.origin.clone_from(&origin));
    drop(progress);
    if let Some(file) = png {
        file.bytes(&input.picture(&machine)?)?;
    }
    if let Some(file) = &common.csv {
        file.bytes(table::csv(&sections).as_bytes())?;
    }
    let result = json!({ "sections": sections, "advice": advice(&sections), "warnings": warnings });
    session.print_as(&result, |out| {
        let width = out.columns(WIDTH);
        let texts: Vec<String> =
            sections.iter().map(|section| table::text(section, width)).collect();
        write!(out, "{}", texts.join("\n\n"))
    })
}

impl GridArguments {
    fn input(&self) -> Result<Input, Failure> {
        let GridSize { columns, rows } = self.size;
        match self.dimensions {
            3 if self.png.is_some() => Err(Failure::input(
                "--png draws grids in two dimensions. Leave out --png or --dimensions 3",
            )),
            3 if columns != rows => Err(Failure::input(
                "a grid in three dimensions has equal sides here. Give one number",
            )),
            3 => Ok(Input::Space(columns as usize)),
            _ => Ok(Input::Plane(self.size)),
        }
    }
}

impl MatrixArguments {
    fn is_several(&self) -> bool {
        self.matrices.len() > 1 || system(&self.matrices[0]).is_dir()
    }

    fn input(&self, matrix: &Path) -> Result<Input, Failure> {
        if self.method == Some(Method::Multigrid) {
            return Err(Failure::input(
                "multigrid needs levels. Choose another method, or run `fragstream solve --prolongation`",
            ));
        }
        let layouts = match self.layouts.as_slice() {
            [] => layouts::usual(),
            named => named.to_vec(),
        };
        let mut input = input::read(matrix, layouts, self.method)?;
        if let Input::Matrix { limit, leaves_out, .. } = &mut input {
            (*limit, *leaves_out) = (self.limit, self.layouts.is_empty());
        }
        Ok(input)
    }
}
