//! Files that results are written to.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use fragstream::io::{WriteError, write_atomically};

use super::failure::Failure;

/// The extension of a file's name, in lower case; empty where there is none.
pub fn extension(name: &str) -> String {
    let extension = Path::new(name).extension().and_then(|end| end.to_str());
    extension.unwrap_or_default().to_ascii_lowercase()
}

/// That the folder of a file to be written is there: better known before the work than after it.
pub fn check_folder_of(file: &Path) -> Result<(), Failure> {
    if file.is_dir() {
        return Err(Failure::in_file(file, "is a folder; name a file in it"));
    }
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            let what = format!("there is no folder {}; make it first", folder.display());
            Err(Failure::in_file(file, what))
        }
        _ => Ok(()),
    }
}

/// That these files, with the options that name them, can be written, each another than the others.
pub fn check_targets(named: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    for (index, &(name, file)) in named.iter().enumerate() {
        let Some(path) = file else { continue };
        check_folder_of(path)?;
        if let Some((other, _)) = named[..index].iter().find(|(_, other)| *other == file) {
            let what = format!("named for both {other} and {name}; name two files");
            return Err(Failure::in_file(path, what));
        }
    }
    Ok(())
}

/// Writes lines of comma-separated values below their names.
pub fn write_csv(
    file: &Path,
    names: &str,
    lines: impl IntoIterator<Item = impl Display>,
) -> Result<(), WriteError> {
    write_atomically(file, |out| {
        writeln!(out, "{names}")?;
        let mut lines = lines.into_iter();
        lines.try_for_each(|line| writeln!(out, "{line}"))
    })
}
