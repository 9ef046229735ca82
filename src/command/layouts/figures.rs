//! The page on which layout to take when, with its pictures and tables.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::io::{WriteError, write_atomically};
use crate::layouts::race::Section;
use crate::layouts::table;
use crate::timing::Effort;

use super::super::failure::Failure;
use super::super::session::{Session, spinner};
use super::examples::{self, Shown};
use super::separated;

/// The page, where `{{name}}` stands for a table.
const PAGE: &str = include_str!("page.md");

/// Writes `README.md`, a picture and a file of comma-separated values for each example. All is measured
/// before the first file is written.
pub fn write(folder: &Path, effort: Effort, session: &mut Session) -> Result<(), Failure> {
    let unwritable = |source| {
        let path = folder.to_owned();
        Failure::from(WriteError::Io { path, source })
    };
    fs::create_dir_all(folder).map_err(unwritable)?;
    let machine = session.machine()?;
    let renderer = machine.context().description().renderer.clone();
    let mut page = PAGE.replace("{{machine}}", &renderer);
    let sign = spinner();
    let shown = examples::all(&machine, effort, |name| sign.set_message(name))?;
    sign.finish_and_clear();
    for Shown {
        name,
        sections,
        picture,
    } in &shown
    {
        if !picture.is_empty() {
            let file = folder.join(format!("{name}.png"));
            write_atomically(&file, |out| out.write_all(picture))?;
        }
        let table = folder.join(format!("{name}.csv"));
        write_atomically(&table, |out| out.write_all(separated(sections).as_bytes()))?;
        page = page.replace(&format!("{{{{{name}}}}}"), &fenced(sections));
    }
    write_atomically(&folder.join("README.md"), |out| {
        out.write_all(page.as_bytes())
    })?;
    writeln!(session.out, "{}", folder.join("README.md").display())?;
    Ok(())
}

/// Tables as they are printed.
fn fenced(sections: &[Section]) -> String {
    let texts = sections
        .iter()
        .map(|section| format!("```\n{}```", table::text(section)));
    texts.collect::<Vec<_>>().join("\n\n")
}
