//! Files that are there completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind};
use std::path::Path;

use super::error::WriteError;

/// Writes a file so that at `path` stands either all of it or what stood there before.
///
/// The bytes go to a new file in the same folder, which is flushed, synced to the disk and renamed.
/// On any failure (of `write` itself, a full disk, a panic) the part is removed. On Linux it has no name
/// before it is complete, so that not even a program that is killed leaves one. An existing file keeps its permissions; a symbolic link stays one, and the file behind it is replaced. Devices and
/// pipes such as `/dev/stdout` cannot be replaced and are written to directly.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), WriteError> {
    // But for the bytes all is compiled once, not anew for each that writes.
    let mut write = Some(write);
    let mut write = |out: &mut BufWriter<File>| write.take().map_or(Ok(()), |write| write(out));
    replace(path, &mut write).map_err(|source| WriteError::Io {
        path: path.to_path_buf(),
        source,
    })
}

/// What puts bytes into a file.
type Write<'a> = &'a mut dyn FnMut(&mut BufWriter<File>) -> io::Result<()>;

fn replace(path: &Path, write: Write<'_>) -> io::Result<()> {
    // Behind symbolic links; a path at which nothing stands yet is its own target.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    match fs::metadata(&target) {
        Ok(old) if old.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(old) if !old.is_file() => {
            fill(OpenOptions::new().write(true).open(&target)?, write).map(drop)
        }
        old => {
            // The folder of a bare name is empty, not absent.
            let folder = target.parent().ok_or(ErrorKind::InvalidFilename)?;
            let permissions = old.ok().map(|old| old.permissions());
            #[cfg(target_os = "linux")]
            if let Some(file) = unnamed::file_in(folder) {
                if let Some(permissions) = permissions {
                    file.set_permissions(permissions)?;
                }
                let file = fill(file, write)?;
                file.sync_all()?;
                return unnamed::name(&file, folder, &target);
            }
            // Not tempfile's own way to open it: only its owner could read the result.
            let create = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
            let part = tempfile::Builder::new()
                .suffix(".part")
                .make_in(folder, create)?;
            let (file, part) = part.into_parts();
            if let Some(permissions) = permissions {
                file.set_permissions(permissions)?;
            }
            fill(file, write)?.sync_all()?;
            Ok(part.persist(&target)?)
        }
    }
}

/// Writes through a buffer and gives the file back when all of it has gone through.
fn fill(file: File, write: Write<'_>) -> io::Result<File> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)
}

/// Files without a name, which are gone when the program is.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    /// A new one, to be named in this folder; none where the file system has no such files.
    pub fn file_in(folder: &Path) -> Option<File> {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let flags = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
        // Not all may be allowed: the mask of the process takes away from these.
        let file = open(folder, flags, Mode::from_raw_mode(0o666)).ok()?;
        // Without the files that stand for descriptors it could not be named.
        let is_nameable = Path::new("/proc/self/fd").is_dir();
        is_nameable.then(|| File::from(file))
    }

    /// Gives it a name; what had the name is replaced.
    pub fn name(file: &File, folder: &Path, target: &Path) -> io::Result<()> {
        let descriptor = format!("/proc/self/fd/{}", file.as_raw_fd());
        let link = |path: &Path| {
            linkat(CWD, &descriptor, CWD, path, AtFlags::SYMLINK_FOLLOW).map_err(io::Error::from)
        };
        match link(target) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => return other,
        }
        // A name cannot be taken over but by renaming.
        let part = tempfile::Builder::new()
            .suffix(".part")
            .make_in(folder, link)?;
        Ok(part.into_temp_path().persist(target)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
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
        let WriteError::Io { source, .. } = error else {
            panic!("{error}")
        };
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
        assert_eq!(
            fs::metadata(&file).unwrap().permissions().mode() & 0o777,
            0o640
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn until_it_is_complete_a_file_has_no_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result");
        for before in [Vec::new(), vec!["result".to_owned()]] {
            write_atomically(&path, |out| {
                out.write_all(&[1; 100_000])?;
                out.flush()?;
                // Whoever is killed here leaves what was there before.
                assert_eq!(names(folder.path()), before);
                Ok(())
            })
            .unwrap();
        }
        assert_eq!(names(folder.path()), ["result"]);
    }
}
