//! `fragstream aged`: the papers' advice on later machines, from their reports.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::aged::{AgedError, Machine, PAGE, advice, files};

use super::failure::Failure;
use super::session::Session;

/// Judge the papers' performance advice on several machines, from their reports
///
/// Prints the ratio of the times without and with each advice, with its interval: above 1 the advice pays.
#[derive(Args)]
pub struct Arguments {
    /// Folders or files of reports, one machine each. The first one also gives the models of the papers' cards
    /// [default: llvmpipe, NVIDIA H200, NVIDIA H100]
    #[arg(value_name = "REPORT")]
    reports: Vec<PathBuf>,
}

/// Prints the table.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let page = match arguments.reports.as_slice() {
        [] => PAGE.to_owned(),
        reports => page(reports).map_err(Failure::input)?,
    };
    session.print(&json!({}), &json!({ "advice": advice(&page) }))
}

fn page(reports: &[PathBuf]) -> Result<String, AgedError> {
    let machines: Vec<Machine> =
        reports.iter().map(|folder| Machine::read(folder)).collect::<Result<_, _>>()?;
    let [(_, page), ..] = files(&machines)?;
    Ok(page)
}
