//! `fragstream layouts`: one matrix, grid or vector in every layout of the papers, side by side.

mod input;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use fragstream::io::write_atomically;
use fragstream::layouts::matrices::{MatrixLayout, compare};
use fragstream::layouts::picture::{matrices, sheet};
use fragstream::layouts::race::Line;
use fragstream::layouts::table;
use fragstream::timing::Effort;

use super::failure::Failure;
use super::files::{check_targets, write_csv};
use super::session::{Session, spinner};

/// Lay one matrix out in every way of the papers, and multiply each with a vector
///
/// Counts are those of the ledger; times are medians of runs in turns, on this machine; the cards of
/// 2003 are a model that was fitted to the papers' timings. A product's error is the largest
/// |y - A x| by |A| |x|, beside double precision. A layout that does not fit has a line that says
/// what it would take.
#[derive(Args)]
pub struct Arguments {
    /// A square matrix in the Matrix Market format, or one that is bundled: airfoil, bcsstk01, knot,
    /// unit_cube
    #[arg(value_name = "A.mtx")]
    matrix: PathBuf,

    /// The layouts, in this order [default: rows,diagonals,columns,points,ellpack,ellpack-r,slices]
    #[arg(long, value_enum, value_name = "NAME,NAME,…", value_delimiter = ',')]
    layouts: Vec<MatrixLayout>,

    /// How often everything is timed, after once to warm up
    #[arg(long, value_name = "N", default_value_t = 7)]
    rounds: usize,

    /// Write everything as one JSON object
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the table as comma-separated values
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw how each layout lies in memory, every row in one colour
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
}

/// Compares, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let [json, csv, png] = [&arguments.json, &arguments.csv, &arguments.png].map(Option::as_deref);
    check_targets(&[("--json", json), ("--csv", csv), ("--png", png)])?;
    let input = input::read(&arguments.matrix)?;
    let layouts = match arguments.layouts.as_slice() {
        [] => &MatrixLayout::FOR_MATRICES,
        named => named,
    };
    let machine = session.machine()?;
    let sign = spinner();
    sign.set_message("products in turns");
    let lines = compare(&machine, &input.matrix, layouts, arguments.effort())?;
    sign.finish_and_clear();
    if let Some(file) = png {
        let panels = matrices::panels(&machine, &input.matrix, layouts)?;
        let picture = sheet(&input.title, matrices::LEGEND, &panels).map_err(Failure::input)?;
        write_atomically(file, |out| out.write_all(&picture))?;
    }
    if let Some(file) = csv {
        write_csv(file, &table::csv_names(), lines.iter().map(table::csv))?;
    }
    if let Some(file) = json {
        write_json(file, &input.title, &lines)?;
    }
    write!(
        session.out,
        "{}\n\n{}",
        input.title,
        table::text(&lines, "product")
    )?;
    Ok(())
}

impl Arguments {
    fn effort(&self) -> Effort {
        Effort {
            rounds: self.rounds.max(1),
            chain: 4,
        }
    }
}

fn write_json(file: &Path, title: &str, lines: &[Line]) -> Result<(), Failure> {
    let text = json!({ "what": title, "layouts": lines });
    Ok(write_atomically(file, |out| writeln!(out, "{text:#}"))?)
}
