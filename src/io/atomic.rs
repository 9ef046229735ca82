//! Atomic writes: a file is complete or unchanged.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::panic::Location;
use std::path::{Path, PathBuf};
#[cfg(not(target_family = "wasm"))]
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::base::failing::{fails, on_behalf_of};

use super::error::WriteError;
use super::names::system;
use super::reading::is_input;

/// Writes a file so that `path` holds either all of it or its former contents.
///
/// The bytes go to a new file with the suffix `.part` in the same folder, which is flushed, synced to disk and
/// renamed. On any failure (of `write` itself, a full disk, a panic) the part is removed. An existing file
/// keeps its permissions. A symbolic link remains, and the file that it names is replaced or created. Devices,
/// pipes and open descriptors such as `/dev/stdout` cannot be replaced, so they are written to directly.
#[track_caller]
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<Part>) -> io::Result<()>,
) -> Result<(), WriteError> {
    if is_input(path) {
        return Err(WriteError::Replaced { path: path.to_path_buf() });
    }
    // Everything but the bytes is compiled once, not for each caller.
    let mut write = Some(write);
    let mut write = |out: &mut BufWriter<Part>| write.take().map_or(Ok(()), |write| write(out));
    let written = on_behalf_of(Location::caller(), || replace(path, &mut write));
    written.map_err(|source| WriteError::Io { path: path.to_path_buf(), source })
}

/// Creates a folder, and those that it is in, unless it exists.
#[cfg(feature = "plot")]
#[track_caller]
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    let path = system(path);
    if path.is_dir() {
        return Ok(());
    }
    may_fail()?;
    fs::create_dir_all(path)
}

/// A file that is being written.
pub struct Part(File);

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        may_fail()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// In a test of errors, one of these calls finds the disk full.
#[track_caller]
fn may_fail() -> io::Result<()> {
    if fails("write") { Err(ErrorKind::StorageFull.into()) } else { Ok(()) }
}

/// Writes the bytes of a file.
type Fill<'a> = &'a mut dyn FnMut(&mut BufWriter<Part>) -> io::Result<()>;

fn replace(path: &Path, write: Fill<'_>) -> io::Result<()> {
    let target = behind_links(path)?;
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(ErrorKind::IsADirectory.into());
    }
    if is_descriptor(&target) || old.as_ref().is_some_and(|old| !old.is_file()) {
        // A descriptor may refer to a log, whose lines must stay.
        #[allow(clippy::disallowed_methods)]
        let file = OpenOptions::new().append(true).open(&target)?;
        return fill(file, write).map(drop);
    }
    through_part(&target, old, write)
}

/// The parts that are being written.
#[cfg(not(target_family = "wasm"))]
static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

#[cfg(not(target_family = "wasm"))]
fn parts() -> MutexGuard<'static, Vec<PathBuf>> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the parts that are being written, before the process ends. No part is created while the result is held.
/// The list is locked only while a part is created. If that takes longer than a tenth of a second, nothing is removed.
#[cfg(all(unix, feature = "cli"))]
pub(crate) fn remove_parts() -> Option<MutexGuard<'static, Vec<PathBuf>>> {
    use std::sync::TryLockError;
    let mut parts = (0..100).find_map(|_| match PARTS.try_lock() {
        Ok(parts) => Some(parts),
        Err(TryLockError::Poisoned(parts)) => Some(parts.into_inner()),
        Err(TryLockError::WouldBlock) => {
            std::thread::sleep(std::time::Duration::from_millis(1));
            None
        }
    })?;
    for part in parts.drain(..) {
        // It may have become the result just now.
        let _ = fs::remove_file(part);
    }
    Some(parts)
}

/// Writes a new file next to `target`, which then replaces it and takes the permissions of the `old` one.
#[cfg(not(target_family = "wasm"))]
fn through_part(target: &Path, old: Option<fs::Metadata>, write: Fill<'_>) -> io::Result<()> {
    let folder = target.parent().ok_or(ErrorKind::InvalidFilename)?;
    // The default options of tempfile would let only the owner read the result.
    #[allow(clippy::disallowed_methods)]
    let create = |path: &Path| {
        may_fail()?;
        OpenOptions::new().write(true).create_new(true).open(path)
    };
    let (file, part) = {
        let mut parts = parts();
        let part = tempfile::Builder::new().suffix(".part").make_in(folder, create)?;
        parts.push(part.path().to_owned());
        part.into_parts()
    };
    let name = part.to_path_buf();
    let replace = || {
        if let Some(old) = old {
            may_fail()?;
            file.set_permissions(old.permissions())?;
        }
        let file = fill(file, write)?;
        may_fail()?;
        file.sync_all()?;
        may_fail()?;
        Ok(part.persist(target)?)
    };
    let replaced = replace();
    parts().retain(|other| *other != name);
    replaced
}

/// A browser has no files.
#[cfg(target_family = "wasm")]
fn through_part(_: &Path, _: Option<fs::Metadata>, _: Fill<'_>) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Maximum number of links that are followed, as on Linux.
const LINKS: usize = 40;

/// The file that a path refers to, which need not exist. Open descriptors are not followed.
pub(crate) fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = system(path).into_owned();
    for _ in 0..LINKS {
        // The parent of a bare name is empty, not absent.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")))?;
        let Some(name) = path.file_name() else {
            return fs::canonicalize(&path);
        };
        path = folder.join(name);
        match fs::read_link(&path) {
            Ok(link) if !is_descriptor(&path) => path = folder.join(link),
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Tests whether a path denotes an open file: `/dev/fd/N`, `/proc/PID/fd/N`.
pub(crate) fn is_descriptor(path: &Path) -> bool {
    path.starts_with("/dev/fd")
        || path.starts_with("/proc") && path.parent().is_some_and(|p| p.ends_with("fd"))
}

/// Writes through a buffer, and returns the file when everything is written.
fn fill(file: File, write: Fill<'_>) -> io::Result<File> {
    let mut out = BufWriter::with_capacity(1 << 16, Part(file));
    write(&mut out)?;
    let Part(file) = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_failure_keeps_the_old_file_and_leaves_no_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result");
        fs::write(&path, "old").unwrap();
        let error = write_atomically(&path, |out| {
            out.write_all(&[0; 100_000])?;
            Err(ErrorKind::StorageFull.into())
        });
        let message = error.unwrap_err().to_string();
        assert!(message.contains("result: cannot write: "), "{message}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["result"]);
    }

    #[test]
    fn a_panic_keeps_the_old_file_and_leaves_no_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result");
        fs::write(&path, "old").unwrap();
        let panicked =
            std::panic::catch_unwind(|| write_atomically(&path, |_| panic!("on purpose")));
        assert!(panicked.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["result"]);
    }

    #[test]
    fn success_replaces_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result");
        for content in ["first", "second"] {
            write_atomically(&path, |out| out.write_all(content.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        assert_eq!(names(folder.path()), ["result"]);
    }

    #[test]
    fn a_missing_folder_and_a_folder_in_the_way_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_atomically(&folder.path().join("no/such"), |_| Ok(())).is_err());
        assert!(write_atomically(folder.path(), |_| Ok(())).is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_an_error_and_stays_a_device() {
        let full = Path::new("/dev/full");
        let error = write_atomically(full, |out| out.write_all(b"anything")).unwrap_err();
        let WriteError::Io { source, .. } = error else { panic!("{error}") };
        assert_eq!(source.kind(), ErrorKind::StorageFull);
        assert!(!fs::metadata(full).unwrap().is_file());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write_atomically(&link, |out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_log_behind_a_descriptor_keeps_its_lines_and_a_dangling_link_stays_one() {
        use std::os::fd::AsRawFd;
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        fs::write(&log, "before\n").unwrap();
        let open = OpenOptions::new().append(true).open(&log).unwrap();
        let descriptor = format!("/proc/self/fd/{}", open.as_raw_fd());
        let link = folder.path().join("to the log");
        symlink(&descriptor, &link).unwrap();
        for path in [Path::new(&descriptor), &link] {
            write_atomically(path, |out| out.write_all(b"result\n")).unwrap();
        }
        assert_eq!(fs::read_to_string(&log).unwrap(), "before\nresult\nresult\n");
        let (dangling, target) = (folder.path().join("link"), folder.path().join("new"));
        symlink("new", &dangling).unwrap();
        write_atomically(&dangling, |out| out.write_all(b"x")).unwrap();
        assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
        assert_eq!(fs::read(target).unwrap(), b"x");
    }
}
