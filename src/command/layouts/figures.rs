//! The page on which layout to take when, with its pictures and tables.

use std::fs;
use std::io::Write;
use std::path::Path;

use fragstream::io::{WriteError, write_atomically};
use fragstream::layouts::examples::examples;
use fragstream::layouts::race::Section;
use fragstream::layouts::table;
use fragstream::timing::Effort;

use super::super::failure::Failure;
use super::super::session::{Session, spinner};
use super::input::{self, Input};
use super::write_sections;

/// The page, where `{{name}}` stands for a table.
const PAGE: &str = include_str!("page.md");

/// The grids and the vector whose tables are shown, by their names.
const OTHERS: [(&str, Input); 3] = [
    ("plane", Input::Plane(513)),
    ("space", Input::Space(48)),
    ("vector", Input::Vector(1 << 20)),
];

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
    let (mut tables, mut pictures) = (Vec::new(), Vec::new());
    let sign = spinner();
    for example in examples().map_err(Failure::input)? {
        sign.set_message(example.name);
        let named = format!("{}, {}", example.name, example.what);
        let input = input::of(&named, example.matrix, example.layouts);
        tables.push((example.name, input.sections(&machine, effort)?));
        pictures.push((example.name, input.picture(&machine)?));
    }
    for (name, input) in OTHERS {
        sign.set_message(name);
        input.check(&machine)?;
        tables.push((name, input.sections(&machine, effort)?));
        if let Input::Plane(_) = input {
            pictures.push((name, input.picture(&machine)?));
        }
    }
    sign.finish_and_clear();
    for (name, picture) in pictures {
        let file = folder.join(format!("{name}.png"));
        write_atomically(&file, |out| out.write_all(&picture))?;
    }
    for (name, sections) in &tables {
        write_sections(&folder.join(format!("{name}.csv")), sections)?;
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
