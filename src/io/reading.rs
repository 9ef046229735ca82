//! Reading a file to its end, with limits for endless ones; gzip is decompressed. A command's results do not replace
//! the files that it reads, also those that a file names.

#![allow(clippy::disallowed_methods)]

use std::borrow::Cow;
use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use flate2::bufread::GzDecoder;

use super::error::{FETCH, Fault, InputError};
use super::names::system;
use super::text::decoded;
use crate::base::memory;

/// Maximum number of bytes from a source without a length: a pipe or a device, which may never end.
const ENDLESS: u64 = 1 << 30;
/// Maximum number of bytes of a text written by a person.
const TEXT: u64 = 1 << 24;
/// Maximum number of bytes of a report or a table that fragstream wrote.
#[cfg(feature = "plot")]
const STORED: u64 = 1 << 26;

/// The words of the command line, from the program's name on. In a word that is not UTF-8 the wrong bytes are replaced.
#[cfg(feature = "plot")]
pub(crate) fn words() -> impl Iterator<Item = String> {
    std::env::args_os().map(|word| word.to_string_lossy().into_owned())
}

/// The words of the command line as texts that keep the names of files.
#[cfg(feature = "cli")]
pub(crate) fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().map(|word| super::names::text(&word))
}

/// Reads a whole file and parses it.
pub(super) fn parse_file<T>(
    path: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, Fault>,
) -> Result<T, InputError> {
    let parsed = parse(&bytes_of(path)?);
    tell_remarks(path);
    parsed.map_err(|fault| InputError::Malformed { path: path.to_path_buf(), fault })
}

thread_local! {
    /// Remarks on the file that is being read.
    static REMARKS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Receives each remark with the name of its file.
static LISTENER: OnceLock<fn(&str)> = OnceLock::new();

/// Remarks that a part of the file with a meaning is not used, or how it is used.
pub(crate) fn remark(what: impl Into<String>) {
    REMARKS.with_borrow_mut(|all| all.push(what.into()));
}

/// Passes the remarks on a file on.
pub(super) fn tell_remarks(path: &Path) {
    let remarks = REMARKS.take();
    if let (Some(listener), [_, ..]) = (LISTENER.get(), &remarks[..]) {
        listener(&format!("{}: {}", path.display(), remarks.join("; ")));
    }
}

/// From now on remarks are passed to this function.
#[cfg(feature = "cli")]
pub(crate) fn listen_to_remarks(listener: fn(&str)) {
    let _ = LISTENER.set(listener);
}

/// The bytes of a file.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>, InputError> {
    REMARKS.take();
    note_input(path)?;
    in_file(path, read(path, u64::MAX))
}

/// The first bytes of a file, if it is one and not a pipe, from which they would be gone.
#[cfg(feature = "cli")]
pub(super) fn head_of(path: &Path) -> Option<Vec<u8>> {
    let file = File::open(system(path)).ok()?;
    let mut head = Vec::new();
    file.metadata().ok()?.is_file().then(|| file.take(HEAD).read_to_end(&mut head).ok())??;
    Some(head)
}

/// Number of bytes of a head.
#[cfg(feature = "cli")]
const HEAD: u64 = 1 << 16;

/// Files that a command reads and files for its results, as the system names them.
struct Files {
    read: Vec<PathBuf>,
    results: Vec<PathBuf>,
}

/// The files of the command; `None` if results may replace what was read.
static FILES: Mutex<Option<Files>> = Mutex::new(None);

fn files() -> MutexGuard<'static, Option<Files>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on no file that was read is replaced, and none of these results is read.
#[cfg(feature = "cli")]
pub(crate) fn protect_inputs(results: Vec<PathBuf>) {
    *files() = Some(Files { read: Vec::new(), results });
}

/// Tests whether files are protected: the command has no `--force`.
#[cfg(feature = "cli")]
pub(crate) fn are_protected() -> bool {
    files().is_some()
}

/// Notes that a file is read, which must not be replaced.
fn note_input(path: &Path) -> Result<(), InputError> {
    if let (Some(files), Ok(file)) = (&mut *files(), fs::canonicalize(system(path))) {
        if files.results.contains(&file) {
            return Err(InputError::Replaced { path: path.to_path_buf() });
        }
        files.read.push(file);
    }
    Ok(())
}

/// Tests whether this file was read and is not to be replaced.
pub(super) fn is_input(path: &Path) -> bool {
    let is_read =
        |files: &Files| fs::canonicalize(system(path)).is_ok_and(|file| files.read.contains(&file));
    files().as_ref().is_some_and(is_read)
}

/// Reads a text written by a person, such as a scene.
///
/// # Errors
/// [`InputError::Unreadable`] for a file that cannot be read, is not UTF-8, or has more than 16 MiB.
pub fn read_text(path: &Path) -> Result<String, InputError> {
    note_input(path)?;
    in_file(path, text_of(path, TEXT))
}

/// Reads a text that fragstream wrote, at most 64 MiB. A result may replace it.
#[cfg(feature = "plot")]
pub(crate) fn read_stored(path: &Path) -> io::Result<String> {
    text_of(path, STORED)
}

fn text_of(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(decoded(read(path, most)?.into()).into_owned())
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
}

fn in_file<T>(path: &Path, result: io::Result<T>) -> Result<T, InputError> {
    let path = path.to_path_buf();
    result.map_err(|source| match source.kind() {
        ErrorKind::FileTooLarge => {
            let remedy = "free memory, or give a smaller file";
            InputError::Malformed {
                path,
                fault: Fault::in_file(format!("cannot read: {source}"), remedy),
            }
        }
        _ => InputError::Unreadable { path, source },
    })
}

/// Reads the bytes of a file, at most `most`. A file must fit in a quarter of the free memory; the rest is for
/// the data structures made from it. A source without a length is read up to its limit.
fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // As in other commands, `-` is the standard input.
    let path = if path == Path::new("-") { Path::new("/dev/stdin") } else { path };
    let file = File::open(system(path))?;
    let about = file.metadata()?;
    let limit = if about.is_file() {
        memory::available().map_or(u64::MAX, |free| free / 4)
    } else {
        ENDLESS
    };
    let limit = limit.min(most);
    let too_long = || {
        let what = match limit {
            _ if limit == most.min(ENDLESS) => format!("it has more than {} MiB", limit / MIB),
            _ => format!("it has more than {limit} bytes, a quarter of the free memory"),
        };
        io::Error::new(ErrorKind::FileTooLarge, what)
    };
    if about.len() > limit {
        return Err(too_long());
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_long()) } else { Ok(bytes) }
}

/// Bytes of a mebibyte.
const MIB: u64 = 1 << 20;

/// The first two bytes of gzip data.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Maximum number of decompressed bytes if the free memory is unknown.
const MOST: u64 = 1 << 32;

/// Maximum compression of numbers by gzip. Numbers that repeat without end reach a factor of a thousand.
const RATIO: u64 = 100;

/// Number of decompressed bytes that is always allowed.
const SMALL: u64 = 1 << 24;

/// Limit on decompressed bytes: a quarter of the free memory, and a hundred times the compressed length, because a few bytes
/// can expand to any number.
pub(super) struct Unpacked {
    most: u64,
    free: u64,
}

impl Unpacked {
    /// The limit for this number of compressed bytes.
    pub(super) fn of(packed: usize) -> Self {
        let free = memory::available().map_or(MOST, |free| free / 4);
        Self { most: free.min(SMALL.max(RATIO * packed as u64)), free }
    }

    /// Appends decompressed bytes to `contents`. `name` is where they are from, `remedy` that of a correct file with more than
    /// a hundred times its length.
    pub(super) fn read(
        &self,
        (name, from): (&str, impl Read),
        contents: &mut Vec<u8>,
        remedy: &'static str,
    ) -> Result<(), Fault> {
        let left = (self.most + 1).saturating_sub(contents.len() as u64);
        from.take(left)
            .read_to_end(contents)
            .map_err(|error| Fault::in_file(format!("{name}: {error}"), FETCH))?;
        if contents.len() as u64 <= self.most {
            return Ok(());
        }
        let (what, remedy) = match self.most == self.free {
            true => ("a quarter of the free memory", "free some memory, or give a smaller file"),
            false => ("a hundred times its length", remedy),
        };
        let what = format!("unpacks to more than {} bytes, {what}", self.most);
        Err(Fault::in_file(what, remedy))
    }
}

/// The contents, decompressed if necessary, within the limit of [`Unpacked`].
pub(crate) fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Fault> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(Cow::Borrowed(bytes));
    }
    let limit = Unpacked::of(bytes.len());
    let (mut contents, mut rest) = (Vec::new(), bytes);
    // Several members may follow each other; what is not one is padding.
    while rest.starts_with(&MAGIC) {
        let mut decoder = GzDecoder::new(rest);
        let remedy = "if the file is correct, unpack it with gunzip";
        limit.read(("gzip", &mut decoder), &mut contents, remedy)?;
        rest = decoder.into_inner();
    }
    Ok(Cow::Owned(contents))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_does_not_end_is_refused() {
        let error = read_text(Path::new("/dev/zero")).unwrap_err();
        let expected = "/dev/zero: cannot read: it has more than 16 MiB. ";
        assert!(error.to_string().starts_with(expected), "{error}");
    }

    #[test]
    fn a_few_bytes_do_not_unpack_to_many() {
        use std::io::Write;
        let packed = |lines: usize| {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            packed.write_all("1 1 1\n".repeat(lines).as_bytes()).unwrap();
            packed.finish().unwrap()
        };
        assert_eq!(unpacked(&packed(1_000_000)).unwrap().len(), 6_000_000);
        // Two members, and padding after them.
        let padded = [packed(1), packed(2), vec![0; 512]].concat();
        assert_eq!(&unpacked(&padded).unwrap()[..], b"1 1 1\n1 1 1\n1 1 1\n");
        let fault = unpacked(&packed(3_000_000)).unwrap_err().to_string();
        assert!(fault.contains("a hundred times its length. If the file is correct"), "{fault}");
    }

    #[test]
    fn a_text_is_utf_8() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        std::fs::write(&path, [0xff]).unwrap();
        assert!(read_text(&path).unwrap_err().to_string().contains("not UTF-8"));
        std::fs::write(&path, "å").unwrap();
        assert_eq!(read_text(&path).unwrap(), "å");
    }
}
