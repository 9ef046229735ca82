//! The files that a temperature is written to.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use fragstream::io::raw::write_floats;
use fragstream::io::{WriteError, write_atomically};
use fragstream::picture::colour::map::GLOWING;
use fragstream::picture::plot::{Field, field};

use super::super::boundary_value::BoundaryValue;
use super::super::failure::Failure;
use super::super::paths::check_folder_of;
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
    fn all(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let named = [
            ("--out", &self.out),
            ("--csv", &self.csv),
            ("--raw", &self.raw),
            ("--history", &self.history),
        ];
        named
            .into_iter()
            .filter_map(|(name, path)| Some((name, path.as_deref()?)))
    }

    /// That each can be written, and is another one than the others.
    pub fn check(&self) -> Result<(), Failure> {
        for (index, (name, path)) in self.all().enumerate() {
            check_folder_of(path)?;
            if let Some((other, _)) = self.all().take(index).find(|(_, other)| *other == path) {
                let what = format!("named for both {other} and {name}; name two files");
                return Err(Failure::in_file(path, what));
            }
        }
        Ok(())
    }

    /// Writes what was asked for; a temperature that is not finite is not written.
    pub fn write(&self, found: &Found, method: &BoundaryValue) -> Result<(), WriteError> {
        if let Some(path) = &self.history {
            write_atomically(path, |out| {
                let measured = if method.counts_nodes() {
                    "nodes"
                } else {
                    "residual"
                };
                writeln!(out, "cycle,{measured}")?;
                let mut rows = found.solved.history.iter().enumerate();
                rows.try_for_each(|(test, measured)| {
                    writeln!(out, "{},{measured:e}", test * method.every)
                })
            })?;
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
            write_atomically(path, |out| {
                writeln!(out, "x,y,temperature")?;
                let mut rows = found.nodes();
                rows.try_for_each(|[x, y, t]| writeln!(out, "{x},{y},{t}"))
            })?;
        }
        if let Some(path) = &self.raw {
            write_floats(path, found.temperature.iter().map(|t| *t as f32))?;
        }
        Ok(())
    }
}
