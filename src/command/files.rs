//! Files that results are written to.

use std::fmt::Display;
use std::fs;
use std::io::Write;
use std::path::Path;

use crate::io::{WriteError, write_atomically};

use super::failure::Failure;

/// The extension of a file's name, in lower case; empty where there is none.
pub fn extension(name: &str) -> String {
    let extension = Path::new(name).extension().and_then(|end| end.to_str());
    extension.unwrap_or_default().to_ascii_lowercase()
}

/// That this file can be written: better known before the work than after it.
pub fn check_file(file: &Path) -> Result<(), Failure> {
    // Behind symbolic links; a path at which nothing stands yet is its own target.
    let target = fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
    match fs::metadata(&target) {
        Ok(there) if there.is_dir() => {
            return Err(Failure::in_file(file, "is a folder; name a file in it"));
        }
        // Devices and pipes are not replaced, and show only when they are written to.
        Ok(there) if !there.is_file() => return Ok(()),
        _ => {}
    }
    match target.parent() {
        Some(folder) if folder.as_os_str().is_empty() => check_writable(Path::new(".")),
        Some(folder) if !folder.is_dir() => {
            let what = format!("there is no folder {}; make it first", folder.display());
            Err(Failure::in_file(file, what))
        }
        Some(folder) => check_writable(folder),
        None => Ok(()),
    }
}

/// That this is a folder in which files can be made.
pub fn check_folder(folder: &Path) -> Result<(), Failure> {
    if !folder.is_dir() {
        return Err(Failure::in_file(folder, "is no folder; make it first"));
    }
    check_writable(folder)
}

/// That a file can be made in this folder; it is removed again.
fn check_writable(folder: &Path) -> Result<(), Failure> {
    tempfile::tempfile_in(folder).map(drop).map_err(|error| {
        let what = format!("cannot write there: {error}; choose another folder");
        Failure::in_file(folder, what)
    })
}

/// That these files, with the options that name them, can be written, each another than the others.
pub fn check_targets(named: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    for (index, &(name, file)) in named.iter().enumerate() {
        let Some(path) = file else { continue };
        check_file(path)?;
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
