//! Files that are there completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind};
use std::path::Path;

use super::error::WriteError;

/// Writes a file so that at `path` stands either all of it or what stood there before.
///
/// The bytes go to a new file in the same folder, which is flushed, synced to the disk and renamed.
/// On any failure (of `write` itself, a full disk, a panic) the part is removed. An existing file
/// keeps its permissions; a symbolic link stays one, and the file behind it is replaced. Devices and
/// pipes such as `/dev/stdout` cannot be replaced and are written to directly.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), WriteError> {
    let attempt = || {
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
                // Not tempfile's own way to open it: only its owner could read the result.
                let create =
                    |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
                let part = tempfile::Builder::new()
                    .suffix(".part")
                    .make_in(folder, create)?;
                let (file, part) = part.into_parts();
                if let Ok(old) = old {
                    file.set_permissions(old.permissions())?;
                }
                fill(file, write)?.sync_all()?;
                Ok(part.persist(&target)?)
            }
        }
    };
    attempt().map_err(|source| WriteError::Io {
        path: path.to_path_buf(),
        source,
    })
}

/// Writes through a buffer and gives the file back when all of it has gone through.
fn fill(
    file: File,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<File> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)
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
}
