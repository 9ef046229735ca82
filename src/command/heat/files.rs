//! The files that a temperature is written to.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::io::raw::write_floats;
use crate::io::{WriteError, write_atomically};
use crate::picture::colour::map::GLOWING;
use crate::picture::plot::{Field, field};

use super::super::arguments::boundary_value::BoundaryValue;
use super::super::failure::Failure;
use super::super::files::{check_targets, write_csv};
use super::result::Found;

/// What is written.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub struct Files {
    /// Draw the temperature to this file, as PNG: colours, isotherms, and a bar that explains them
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the temperature to this file, as CSV: x, y, T, a node a line
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the temperature to this file as little-endian 32-bit floats, row by row from the south
    #[arg(long, value_name = "FILE")]
    raw: Option<PathBuf>,

    /// Write the residual at the start and at each test to this file, as CSV; with --test occlusion,
    /// the nodes that exceed the tolerance
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
}

impl Files {
    /// That each can be written, and is another one than the others.
    pub fn check(&self) -> Result<(), Failure> {
        check_targets([
            self.out.as_deref(),
            self.csv.as_deref(),
            self.raw.as_deref(),
            self.history.as_deref(),
        ])
    }

    /// Writes what was asked for; a temperature that is not finite is not written.
    pub fn write(&self, found: &Found, method: &BoundaryValue) -> Result<(), WriteError> {
        if let Some(path) = &self.history {
            let names = match method.counts_nodes() {
                true => "cycle,nodes",
                false => "cycle,residual",
            };
            let lines = found.solved.history.iter().enumerate();
            let cycles = |test: usize| (test * method.every).min(found.solved.cycles);
            let line = |(test, measured)| format!("{},{measured:e}", cycles(test));
            write_csv(path, names, lines.map(line))?;
        }
        if !found.is_finite() {
            return Ok(());
        }
        if let Some(path) = &self.out {
            let png = field(&Field {
                title: "Steady temperature".into(),
                note: found.summary(),
                columns: found.columns(),
                values: &found.temperature,
                extent: found.plate.extent,
                colours: &GLOWING,
            });
            write_atomically(path, |out| {
                out.write_all(&png.map_err(std::io::Error::other)?)
            })?;
        }
        if let Some(path) = &self.csv {
            let lines = found.nodes().map(|[x, y, t]| format!("{x},{y},{t}"));
            write_csv(path, "x,y,temperature", lines)?;
        }
        if let Some(path) = &self.raw {
            write_floats(path, found.temperature.iter().map(|t| *t as f32))?;
        }
        Ok(())
    }
}
