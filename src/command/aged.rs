//! `fragstream aged`: the papers' advice on later machines, from their reports.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::aged::{FOLDERS, Machine, files};
use crate::io::write_atomically;

use super::failure::Failure;
use super::output::Folder;
use super::session::Session;

/// Judge the papers' performance advice on several machines, from their reports
///
/// Writes a page with a chart and a table. The first report also gives the models of the papers' cards, the last one the
/// result in the first paragraph.
#[derive(Args)]
pub struct Arguments {
    /// Folders or files of reports, one machine each [default: figures figures/h200 figures/h100]
    #[arg(value_name = "REPORT")]
    reports: Vec<PathBuf>,

    /// Folder of README.md, aged.svg and aged.csv
    #[arg(long, value_name = "DIR", default_value = "figures/aged")]
    out: Folder,
}

/// Texts in the files of this command: in the page and the chart, and in the table.
const MARKS: [&str; 2] = ["Which advice of 2003 aged", "key,paper,section,mechanism,"];

/// Writes the page.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let usual = FOLDERS.map(PathBuf::from);
    let folders = if arguments.reports.is_empty() { &usual[..] } else { &arguments.reports };
    let machines =
        folders.iter().map(|folder| Machine::read(folder)).collect::<Result<Vec<_>, _>>();
    let machines = machines.map_err(Failure::input)?;
    let files = files(&machines).map_err(Failure::input)?;
    for (name, text) in &files {
        let mark = MARKS.into_iter().find(|mark| text.contains(mark)).unwrap_or_default();
        arguments.out.check_own(name, mark)?;
    }
    arguments.out.make()?;
    for (name, text) in files {
        let path = arguments.out.path().join(name);
        write_atomically(&path, |file| file.write_all(text.as_bytes())).map_err(Failure::input)?;
    }
    arguments.out.report("README.md, aged.csv and aged.svg");
    let names: Vec<&str> = machines.iter().map(|machine| &*machine.name).collect();
    session.print(&json!({}), &json!({ "machines": names, "folder": arguments.out.path() }))
}
