//! `fragstream aged`: the papers' advice on later machines, from their reports.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::aged::{FOLDERS, Machine, PAGE, advice, files};
use crate::io::write_atomically;

use super::failure::Failure;
use super::output::Folder;
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

    /// Write a page with a chart and a table, too
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<Folder>,
}

/// Texts in the files that this command writes: in the page and the chart, and in the table.
const MARKS: [&str; 2] = ["Which advice of 2003 aged", "key,paper,section,mechanism,"];

/// Prints the table, and writes the page if that is asked for.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let usual = FOLDERS.map(PathBuf::from);
    let folders = match arguments.reports.as_slice() {
        [] if arguments.out.is_none() => {
            return session.print(&json!({}), &json!({ "advice": advice(PAGE) }));
        }
        [] => &usual[..],
        reports => reports,
    };
    let machines =
        folders.iter().map(|folder| Machine::read(folder)).collect::<Result<Vec<_>, _>>();
    let files = machines.and_then(|machines| files(&machines)).map_err(Failure::input)?;
    if let Some(out) = &arguments.out {
        for (name, text) in &files {
            let mark = MARKS.into_iter().find(|mark| text.contains(mark)).unwrap_or_default();
            out.check_own(name, mark)?;
        }
        out.make()?;
        for (name, text) in &files {
            let path = out.path().join(name);
            write_atomically(&path, |file| file.write_all(text.as_bytes()))
                .map_err(Failure::input)?;
        }
        out.report("README.md, aged.csv and aged.svg");
    }
    let [(_, page), ..] = &files;
    session.print(&json!({}), &json!({ "advice": advice(page) }))
}
