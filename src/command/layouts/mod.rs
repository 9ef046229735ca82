//! `fragstream layouts`: a matrix, a grid or a vector in every layout of the papers, side by side.

mod examples;
mod input;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use serde_json::json;

use crate::io::write_atomically;
use crate::layouts::Layout;
use crate::layouts::compare::products::FOR_MATRICES;
use crate::layouts::compare::table;
use crate::layouts::solve::Method;
use crate::timing::Effort;

use super::failure::Failure;
use super::files::check_targets;
use super::session::{Session, spinner};
use input::Input;

pub use examples::exhibits;

/// Lay a matrix, a grid or a vector out in every way of the papers, side by side
///
/// Counts are those of the ledger. Times are medians of alternating runs on this machine. The ceiling is
/// the speed relative to a trivial program with as many fetches. The cards of 2003 are a model that was
/// fitted to the papers' timings, but not to scattered fetches or V-cycles. A product's error is the largest |y - A x| by |A| |x|, compared with
/// double precision. A layout that does not fit has a line that says what it would take.
#[derive(Args)]
#[command(group = ArgGroup::new("what").required(true).args(["matrix", "grid", "vector"]))]
pub struct Arguments {
    /// A square matrix in the Matrix Market format, or one that is bundled: airfoil, bcsstk01, knot,
    /// unit_cube
    #[arg(value_name = "A.mtx")]
    matrix: Option<PathBuf>,

    /// A grid with N nodes per side, as 1025: products with stencils, and V-cycles
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(3..))]
    grid: Option<u32>,

    /// Number of dimensions (with --grid): in three, a stencil of seven points on N³ cells
    #[arg(long, value_name = "2|3", default_value_t = 2, requires = "grid",
          value_parser = clap::value_parser!(u8).range(2..=3))]
    dimensions: u8,

    /// A vector with N entries: a sum of two, and the sum of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    vector: Option<u64>,

    /// The layouts, in this order (with a matrix)
    /// [default: rows,diagonals,quarters,columns,points,ellpack,ellpack-r,slices]
    #[arg(
        long,
        value_enum,
        value_name = "NAME,NAME,…",
        value_delimiter = ',',
        requires = "matrix"
    )]
    layouts: Vec<Layout>,

    /// Also solve a system by this method, in single precision (with a matrix)
    #[arg(long, value_enum, requires = "matrix")]
    method: Option<Method>,

    /// Number of rounds that are timed, after one to warm up
    #[arg(long, value_name = "N", default_value_t = 7)]
    rounds: usize,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Write the tables as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw how each layout lies in memory, every row or node in one colour (with a matrix, or a grid of
    /// two dimensions)
    #[arg(long, value_name = "FILE", conflicts_with = "vector")]
    png: Option<PathBuf>,
}

/// Compares, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let [csv, png] = [&arguments.csv, &arguments.png].map(Option::as_deref);
    check_targets([csv, png])?;
    let input = arguments.input()?;
    let machine = session.machine()?;
    input.check(&machine)?;
    let sign = spinner();
    sign.set_message("timing layouts");
    let sections = input.sections(&machine, arguments.effort())?;
    sign.finish_and_clear();
    if let Some(file) = png {
        let picture = input.picture(&machine)?;
        write_atomically(file, |out| out.write_all(&picture))?;
    }
    if let Some(file) = csv {
        write_atomically(file, |out| out.write_all(table::csv(&sections).as_bytes()))?;
    }
    if arguments.json {
        let value = json!({ "sections": sections });
        return Ok(writeln!(session.out, "{value:#}")?);
    }
    let texts: Vec<String> = sections.iter().map(table::text).collect();
    write!(session.out, "{}", texts.join("\n\n"))?;
    Ok(())
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
            [] => FOR_MATRICES.to_vec(),
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
