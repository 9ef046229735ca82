//! `fragstream aged`: the papers' advice on later machines, from their reports.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::aged::{AgedError, Machine, Ratios, records};

use super::failure::Failure;
use super::session::Session;

/// Judge the papers' performance advice on several machines, from their reports
///
/// Prints the ratio of the times without and with each advice, with its interval: above 1 the advice pays.
#[derive(Args)]
pub struct Arguments {
    /// Folders or files of reports, one machine each [default: llvmpipe, NVIDIA H200, NVIDIA H100]
    #[arg(value_name = "REPORT")]
    reports: Vec<PathBuf>,
}

/// Prints the table.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let read =
        |folder: &PathBuf| -> Result<_, AgedError> { Ok(Ratios::of(&Machine::read(folder)?)) };
    let machines = match arguments.reports.as_slice() {
        [] => Ratios::kept(),
        folders => folders.iter().map(read).collect::<Result<_, _>>().map_err(Failure::input)?,
    };
    session.print(&json!({}), &json!({ "advice": records(&machines) }))
}
