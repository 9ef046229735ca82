//! Reading a file to its end, if it has one; unpacked, if gzip has compressed it.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::error::{FETCH, Fault, InputError};
use crate::memory;

/// The most bytes of what has no length of its own: a pipe or a device, which may never end.
const ENDLESS: u64 = 1 << 30;
/// The most bytes of a text that a person writes.
const TEXT: u64 = 1 << 24;

/// Reads a whole file and parses it.
pub(super) fn parse_file<T>(
    path: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, Fault>,
) -> Result<T, InputError> {
    let bytes = in_file(path, read(path, u64::MAX))?;
    parse(&bytes).map_err(|fault| InputError::Malformed {
        path: path.to_path_buf(),
        fault,
    })
}

/// Reads a text that a person writes, a scene for example.
///
/// # Errors
/// [`InputError::Unreadable`] for a file that cannot be read, is no UTF-8, or has more than 16 MiB.
pub fn read_text(path: &Path) -> Result<String, InputError> {
    let text = read(path, TEXT).and_then(|bytes| {
        String::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "no UTF-8"))
    });
    in_file(path, text)
}

fn in_file<T>(path: &Path, result: io::Result<T>) -> Result<T, InputError> {
    result.map_err(|source| InputError::Unreadable {
        path: path.to_path_buf(),
        source,
    })
}

/// The bytes of a file, `most` at most. A file is to fit into a quarter of the free memory; the rest is for what is
/// made of it. What has no length is cut short.
fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    let limit = if about.is_file() {
        memory::available().map_or(u64::MAX, |free| free / 4)
    } else {
        ENDLESS
    };
    let limit = limit.min(most);
    let too_long = || {
        let what = match limit {
            TEXT | ENDLESS => format!("it has more than {} MiB", limit / MIB),
            _ => format!("it has more than {limit} bytes, a quarter of the free memory"),
        };
        io::Error::new(ErrorKind::FileTooLarge, what)
    };
    if about.len() > limit {
        return Err(too_long());
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        Err(too_long())
    } else {
        Ok(bytes)
    }
}

/// Bytes of a mebibyte.
const MIB: u64 = 1 << 20;

/// The first two bytes of what gzip has compressed.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Bytes that a file may unpack to where the system does not tell how much memory is free.
const MOST: u64 = 1 << 32;

/// What gzip makes of a byte of numbers at most. Numbers that repeat without end make up to a thousand.
const RATIO: u64 = 100;

/// What any file may unpack to.
const SMALL: u64 = 1 << 24;

/// The contents, unpacked if gzip has compressed them: to a quarter of the free memory at most, and a hundred times
/// their length, since a few bytes can stand for any number.
pub(super) fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Fault> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(Cow::Borrowed(bytes));
    }
    let free = memory::available().map_or(MOST, |free| free / 4);
    let most = free.min(SMALL.max(RATIO * bytes.len() as u64));
    let mut contents = Vec::new();
    let decoder = MultiGzDecoder::new(bytes);
    match decoder.take(most + 1).read_to_end(&mut contents) {
        Err(error) => Err(Fault::in_file(format!("gzip: {error}"), FETCH)),
        Ok(length) if length as u64 > most => {
            let (what, remedy) = if most == free {
                (
                    "a quarter of the free memory",
                    "free some, or give a smaller one",
                )
            } else {
                (
                    "a hundred times its length",
                    "if it is right, unpack it with gunzip",
                )
            };
            let what = format!("unpacks to more than {most} bytes, {what}");
            Err(Fault::in_file(what, remedy))
        }
        Ok(_) => Ok(Cow::Owned(contents)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_does_not_end_is_refused() {
        let error = read_text(Path::new("/dev/zero")).unwrap_err();
        let expected = "/dev/zero: cannot read: it has more than 16 MiB; ";
        assert!(error.to_string().starts_with(expected), "{error}");
    }

    #[test]
    fn a_few_bytes_do_not_unpack_to_many() {
        use std::io::Write;
        let packed = |lines: usize| {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            packed
                .write_all("1 1 1\n".repeat(lines).as_bytes())
                .unwrap();
            packed.finish().unwrap()
        };
        assert_eq!(unpacked(&packed(1_000_000)).unwrap().len(), 6_000_000);
        let fault = unpacked(&packed(3_000_000)).unwrap_err().to_string();
        assert!(
            fault.contains("a hundred times its length; if it is right"),
            "{fault}"
        );
    }

    #[test]
    fn a_text_is_utf_8() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        std::fs::write(&path, [0xff]).unwrap();
        assert!(
            read_text(&path)
                .unwrap_err()
                .to_string()
                .contains("no UTF-8")
        );
        std::fs::write(&path, "å").unwrap();
        assert_eq!(read_text(&path).unwrap(), "å");
    }
}
