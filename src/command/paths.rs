//! Places that results go to.

use std::path::Path;

use super::failure::Failure;

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
