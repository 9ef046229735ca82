//! `fragstream layouts`: a matrix, a grid or a vector in every layout of the papers, side by side.

mod examples;
mod figures;
mod input;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use serde_json::json;

use crate::io::write_atomically;
use crate::layouts::matrices::MatrixLayout;
use crate::layouts::race::Section;
use crate::layouts::table;
use crate::system::Method;
use crate::timing::Effort;

use super::failure::Failure;
use super::files::check_targets;
use super::session::{Session, spinner};
use input::Input;

pub use examples::exhibits;

/// Lay a matrix, a grid or a vector out in every way of the papers, side by side
///
/// Counts are those of the ledger; times are medians of runs in turns, on this machine, and the ceiling
/// is the part of the speed of a trivial program with the same fetches; the cards of 2003 are a model that
/// was fitted to the papers' timings. A product's error is the largest |y - A x| by |A| |x|, beside
/// double precision. A layout that does not fit has a line that says what it would take.
#[derive(Args)]
#[command(group = ArgGroup::new("what").required(true).args(["matrix", "grid", "vector", "figures"]))]
pub struct Arguments {
    /// A square matrix in the Matrix Market format, or one that is bundled: airfoil, bcsstk01, knot,
    /// unit_cube
    #[arg(value_name = "A.mtx")]
    matrix: Option<PathBuf>,

    /// A grid of so many nodes a side, as 1025: products with stencils, and V-cycles
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(3..))]
    grid: Option<u32>,

    /// Of --grid, how many dimensions: in three, a stencil of seven points on N³ cells
    #[arg(long, value_name = "2|3", default_value_t = 2, requires = "grid",
          value_parser = clap::value_parser!(u8).range(2..=3))]
    dimensions: u8,

    /// A vector of so many entries: a sum of two, and the sum of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    vector: Option<u64>,

    /// Of a matrix, the layouts in this order
    /// [default: rows,diagonals,quarters,columns,points,ellpack,ellpack-r,slices]
    #[arg(
        long,
        value_enum,
        value_name = "NAME,NAME,…",
        value_delimiter = ',',
        requires = "matrix"
    )]
    layouts: Vec<MatrixLayout>,

    /// Of a matrix, solve a system by this method too, in single precision
    #[arg(long, value_enum, requires = "matrix")]
    method: Option<Method>,

    /// How often everything is timed, after once to warm up
    #[arg(long, value_name = "N", default_value_t = 7)]
    rounds: usize,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Write the tables as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Of a matrix or a grid of two dimensions, draw how each layout lies in memory: every row, or node,
    /// in one colour
    #[arg(long, value_name = "FILE", conflicts_with = "vector")]
    png: Option<PathBuf>,

    /// Write the page on which layout to take when into this folder: pictures and tables of the bundled
    /// matrices, of grids and of a vector
    #[arg(long, value_name = "DIR", conflicts_with_all = ["json", "csv", "png"])]
    figures: Option<PathBuf>,
}

/// Compares, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    if let Some(folder) = &arguments.figures {
        return figures::write(folder, arguments.effort(), session);
    }
    let [csv, png] = [&arguments.csv, &arguments.png].map(Option::as_deref);
    check_targets([csv, png])?;
    let input = arguments.input()?;
    let machine = session.machine()?;
    input.check(&machine)?;
    let sign = spinner();
    sign.set_message("layouts in turns");
    let sections = input.sections(&machine, arguments.effort())?;
    sign.finish_and_clear();
    if let Some(file) = png {
        let picture = input.picture(&machine)?;
        write_atomically(file, |out| out.write_all(&picture))?;
    }
    if let Some(file) = csv {
        write_atomically(file, |out| out.write_all(separated(&sections).as_bytes()))?;
    }
    if arguments.json {
        let value = json!({ "sections": sections });
        return Ok(writeln!(session.out, "{value:#}")?);
    }
    let texts: Vec<String> = sections.iter().map(table::text).collect();
    write!(session.out, "{}", texts.join("\n\n"))?;
    Ok(())
}

/// Tables as comma-separated values.
fn separated(sections: &[Section]) -> String {
    let lines = sections.iter().flat_map(table::csv);
    let lines = [table::csv_names()].into_iter().chain(lines);
    lines.map(|line| line + "\n").collect()
}

impl Arguments {
    fn effort(&self) -> Effort {
        Effort {
            rounds: self.rounds.max(1),
            chain: 4,
        }
    }

    /// What is laid out. Bad input is found without any driver.
    fn input(&self) -> Result<Input, Failure> {
        if let Some(n) = self.grid {
            if self.dimensions == 3 && self.png.is_some() {
                return Err(Failure::input(
                    "--png draws matrices and grids of two dimensions; leave it out, or --dimensions 3",
                ));
            }
            return Ok(match self.dimensions {
                3 => Input::Space(n as usize),
                _ => Input::Plane(n as usize),
            });
        }
        if let Some(n) = self.vector {
            return usize::try_from(n)
                .map(Input::Vector)
                .map_err(Failure::input);
        }
        let path = self.matrix.as_deref().unwrap_or(Path::new(""));
        let layouts = match self.layouts.as_slice() {
            [] => MatrixLayout::FOR_MATRICES.to_vec(),
            named => named.to_vec(),
        };
        if self.method == Some(Method::Multigrid) {
            return Err(Failure::input(
                "multigrid needs levels; take another method, or `fragstream solve --prolongation`",
            ));
        }
        input::read(path, layouts, self.method)
    }
}
