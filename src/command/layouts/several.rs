//! Several matrices, or folders of them: one table.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::base::columns::aligned;
use crate::io::names::system;
use crate::layouts::compare::answer::{Advice, answer};
use crate::layouts::compare::{Section, table};
use crate::timing::Origin;

use super::super::failure::{Failure, Status};
use super::super::session::{Progress, Session, warned};
use super::{MatrixArguments, WIDTH};

/// Compares each matrix, and prints a line for each. A matrix that is refused has a line with the reason, and then the
/// command fails at its end.
pub fn run(arguments: &MatrixArguments, session: &mut Session) -> Result<(), Failure> {
    if arguments.png.is_some() {
        return Err(Failure::input("--png draws one matrix. Leave it out, or give one matrix"));
    }
    let paths = files(&arguments.matrices)?;
    let machine = session.machine()?;
    let warnings = warned();
    let progress = Progress::of_steps(paths.len() as u64);
    let (mut sections, mut refused) = (Vec::<Section>::new(), Vec::new());
    for path in &paths {
        progress.say(|| path.display().to_string());
        let origin = Some(Origin::of(&machine));
        let compared = arguments.input(path).and_then(|input| {
            input.check(&machine)?;
            Ok(input.sections(&machine, arguments.common.effort())?)
        });
        match compared {
            Ok(own) => {
                let own =
                    own.into_iter().map(|section| Section { origin: origin.clone(), ..section });
                sections.extend(own);
            }
            Err(failure) if failure.status == Status::Input => refused.push(failure.message),
            Err(failure) => return Err(failure),
        }
        progress.step();
    }
    drop(progress);
    if let Some(file) = &arguments.common.csv {
        file.bytes(table::csv(&sections).as_bytes())?;
    }
    let advice: Vec<Advice> = sections.iter().map(answer).collect();
    let result = json!({
        "sections": sections, "advice": advice, "refused": refused, "warnings": warnings,
    });
    session.print_as(&result, |out| {
        let rows = sections.iter().zip(&advice).map(|(section, advice)| row(section, advice));
        let head = ["matrix", "one", "here", "for 2003"];
        write!(out, "{}", aligned(&head, rows.collect(), |_| true, out.columns(WIDTH)))?;
        if advice.iter().any(|advice| !advice.is_decided) {
            writeln!(out, "?: not decided on this machine; it stores the least of those that may be the fastest")?;
        }
        refused.iter().try_for_each(|why| writeln!(out, "{why}"))
    })?;
    match refused.len() {
        0 => Ok(()),
        count => {
            Err(Failure::input(format_args!("{count} of {} matrices were refused", paths.len())))
        }
    }
}

fn row(section: &Section, advice: &Advice) -> Vec<String> {
    let name = section.title.split(", ").take(2).collect::<Vec<_>>().join(", ");
    let sign = if advice.is_decided { "" } else { " ?" };
    let here = advice.here.as_ref().map_or("-".to_owned(), |here| format!("{here}{sign}"));
    let on_2003 = advice.on_2003.clone().unwrap_or("-".to_owned());
    vec![name, section.run.clone(), here, on_2003]
}

/// The matrices in folders, by name, among the others.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !system(path).is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(system(path)).map_err(|error| Failure::in_file(path, error))?;
        let mut own: Vec<PathBuf> = entries
            .filter_map(|entry| Some(path.join(entry.ok()?.file_name())))
            .filter(|file| is_matrix(file))
            .collect();
        own.sort();
        if own.is_empty() {
            return Err(Failure::in_file(
                path,
                "no .mtx, .mtx.gz or .npz is in this folder. Give one with matrices",
            ));
        }
        files.extend(own);
    }
    Ok(files)
}

fn is_matrix(file: &Path) -> bool {
    let name = file.to_string_lossy().to_ascii_lowercase();
    [".mtx", ".mtx.gz", ".npz"].iter().any(|end| name.ends_with(end))
}
