//! Files that results are written to.

use std::fmt::Display;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::io::{WriteError, behind_links, is_descriptor, write_atomically};

use super::failure::Failure;

/// The extension of a file's name, in lower case; empty where there is none.
pub fn extension(name: &str) -> String {
    let extension = Path::new(name).extension().and_then(|end| end.to_str());
    extension.unwrap_or_default().to_ascii_lowercase()
}

/// The files that results are to be written to, behind links: one result per file.
static TARGETS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Checks that a file can be written, before the work, and that no other result goes to it.
pub fn check_file(file: &Path) -> Result<(), Failure> {
    let target = behind_links(file).map_err(|error| {
        let folder = file.parent().unwrap_or(file);
        if folder.as_os_str().is_empty() || folder.is_dir() {
            return Failure::in_file(
                file,
                format!("cannot write there: {error}; choose another file"),
            );
        }
        let what = format!("there is no folder {}; make it first", folder.display());
        Failure::in_file(file, what)
    })?;
    match fs::metadata(&target) {
        Ok(there) if there.is_dir() => {
            return Err(Failure::in_file(file, "is a folder; name a file in it"));
        }
        // Devices and pipes are not replaced, and show only when they are written to.
        Ok(there) if !there.is_file() => return Ok(()),
        _ => {}
    }
    if is_descriptor(&target) {
        return Ok(());
    }
    if let Some(folder) = target.parent() {
        check_writable(folder)?;
    }
    let mut targets = TARGETS.lock().unwrap_or_else(PoisonError::into_inner);
    if targets.contains(&target) {
        let what = "two results would be written to this file; name two files";
        return Err(Failure::in_file(file, what));
    }
    targets.push(target);
    Ok(())
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

/// Checks that these files can be written.
pub fn check_targets<'a>(files: impl IntoIterator<Item = Option<&'a Path>>) -> Result<(), Failure> {
    files.into_iter().flatten().try_for_each(check_file)
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
