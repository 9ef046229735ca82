//! Matrix Market, the exchange format of sparse matrices and of vectors (math.nist.gov/MatrixMarket).
//!
//! Matrices are read as coordinates or dense arrays, with real or integer numbers or as patterns (all 1), general,
//! symmetric or skew-symmetric. Right-hand sides are read as arrays or coordinates with one column. All may be
//! compressed by gzip. SciPy's archives (`.npz`) are read in place of a matrix, NumPy's arrays (`.npy`) and texts with a
//! number per line in place of a vector.
//!
//! This is own code because the maintained reader is part of nalgebra-sparse, a second library of sparse
//! matrices, whose errors give neither line nor remedy.

use std::io::Write;
use std::path::Path;

use super::atomic::write_atomically;
use super::error::{Fault, InputError, WriteError, quote};
use super::npz;
#[cfg(feature = "cli")]
use super::reading::head_of;
use super::reading::{parse_file, unpacked};
use super::text::{Fields, Lines, Shortest, decoded, number};
use crate::base::memory;

/// A sparse matrix as a list of entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinates {
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub columns: u32,
    /// (row, column, value), counted from 0, in the order of the file. Symmetric files are expanded, with
    /// mirrored entries next to each other. Duplicate entries are to be summed.
    pub entries: Vec<(u32, u32, f64)>,
    /// True if the file declares the matrix symmetric. Other matrices may be symmetric, too.
    pub symmetric: bool,
}

/// Reads a sparse matrix, or one of `scipy.sparse.save_npz`.
///
/// # Errors
/// [`InputError`], with the line and the fault: another field, malformed or missing numbers, indices out of range
/// (they count from 1), values that are not finite, entries above the diagonal of a symmetric matrix, a wrong
/// number of entries.
pub fn read_matrix(path: &Path) -> Result<Coordinates, InputError> {
    parse_file(path, |bytes| parse_matrix(&unpacked(bytes)?))
}

/// Parses the contents of a file with a sparse matrix.
pub fn parse_matrix(text: &[u8]) -> Result<Coordinates, Fault> {
    if text.starts_with(npz::MAGIC) {
        return npz::parse(text);
    }
    let text = &*decoded(text.into());
    let mut lines = Lines::new(text, 1, Some(b'%'));
    let banner = Banner::parse(text)?;
    match banner.layout {
        Layout::Coordinate => parse_coordinates(&banner, &mut lines),
        Layout::Array => parse_dense(&banner, &mut lines),
    }
}

/// Rows, columns and the largest number of entries of a sparse matrix, by the first lines of its file; `None` if they are
/// elsewhere. A few bytes can announce any number of rows.
#[cfg(feature = "cli")]
pub(crate) fn announced(path: &Path) -> Option<[u64; 3]> {
    let head = head_of(path)?;
    let text = decoded(head.into());
    let banner = Banner::parse(&text).ok().filter(|banner| banner.layout == Layout::Coordinate)?;
    let mut sizes = Lines::new(&text, 1, Some(b'%')).next()?;
    let mut size = || number::<u64>(sizes.next()?);
    let [rows, columns, entries] = [size()?, size()?, size()?];
    let mirrored = if banner.symmetry == Symmetry::General { 1 } else { 2 };
    Some([rows, columns, entries.saturating_mul(mirrored)])
}

/// Reads a vector: an array or coordinates with n rows and one column, an array of NumPy, or a number per line.
pub fn read_vector(path: &Path) -> Result<Vec<f64>, InputError> {
    parse_file(path, |bytes| parse_vector(&unpacked(bytes)?))
}

/// Parses the contents of a file with a vector.
///
/// # Errors
/// The first [`Fault`]: a line that violates the format, a symmetry, a pattern, or more than one column.
pub fn parse_vector(text: &[u8]) -> Result<Vec<f64>, Fault> {
    if text.starts_with(npz::ARRAY) {
        return npz::vector(text);
    }
    let text = &*decoded(text.into());
    let first = Lines::new(text, 1, Some(b'#')).next().and_then(|mut fields| fields.next());
    if first.is_some_and(|first| number::<f64>(first).is_some()) {
        return Lines::new(text, 1, Some(b'#')).map(one_number).collect();
    }
    let mut lines = Lines::new(text, 1, Some(b'%'));
    let banner = Banner::parse(text)?;
    if banner.symmetry != Symmetry::General || banner.field == Field::Pattern {
        let what = "a vector cannot be symmetric or a pattern";
        return Err(Fault::in_line(1, what, "give `real general`"));
    }
    match banner.layout {
        Layout::Array => parse_array(&banner, &mut lines),
        Layout::Coordinate => scatter(&parse_coordinates(&banner, &mut lines)?),
    }
}

/// The number of a line of text with one column, as `numpy.savetxt` writes it.
fn one_number(mut fields: Fields<'_>) -> Result<f64, Fault> {
    let value = fields.finite("the value")?;
    fields.end()?;
    Ok(value)
}

/// Writes a sparse matrix of `rows` rows and `columns` columns from entries counted from 0. Each value is
/// written so that it reads back as the same number.
pub fn write_matrix(
    path: &Path,
    [rows, columns]: [usize; 2],
    count: usize,
    mut entries: impl Iterator<Item = (usize, usize, f64)>,
) -> Result<(), WriteError> {
    write_atomically(path, |out| {
        writeln!(
            out,
            "%%MatrixMarket matrix coordinate real general\n% written by fragstream\n{rows} {columns} \
             {count}"
        )?;
        entries
            .try_for_each(|(i, j, value)| writeln!(out, "{} {} {}", i + 1, j + 1, Shortest(value)))
    })
}

/// Writes a vector as an array with one column, or for NumPy if the name ends in `.npy`. Each value is written so that it reads back as the same number.
pub fn write_vector(path: &Path, values: &[f64]) -> Result<(), WriteError> {
    write_atomically(path, |out| {
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy")) {
            return out.write_all(&npz::array(values));
        }
        writeln!(out, "%%MatrixMarket matrix array real general\n% written by fragstream")?;
        writeln!(out, "{} 1", values.len())?;
        values.iter().try_for_each(|&value| writeln!(out, "{}", Shortest(value)))
    })
}

/// Bytes of memory per entry, while it is read and becomes part of a matrix in compressed rows.
pub(super) const ENTRY: u64 = 110;

/// Position of the word `ustar` in a tar archive.
const TAR: usize = 257;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    Coordinate,
    Array,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Real,
    Integer,
    Pattern,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Symmetry {
    General,
    Symmetric,
    Skew,
}

/// Contents of the first line.
#[derive(Debug)]
struct Banner {
    layout: Layout,
    field: Field,
    symmetry: Symmetry,
}

impl Banner {
    fn parse(text: &[u8]) -> Result<Self, Fault> {
        // It looks like a comment, but must not be skipped as one.
        let mut fields = Lines::new(text, 1, None).next().unwrap_or_else(|| Fields::none(1));
        let mut word = || fields.next().unwrap_or_default().to_ascii_lowercase();
        let words = [word(), word(), word(), word(), word()];
        let [banner, object, layout, field, symmetry] = words.each_ref().map(Vec::as_slice);
        let refuse = |what: String, remedy| Err(Fault::in_line(1, what, remedy));
        // Some collections write one per cent sign.
        let banner = banner.strip_prefix(b"%").unwrap_or(banner);
        if (banner.strip_prefix(b"%").unwrap_or(banner), object) != (b"matrixmarket", b"matrix") {
            if text.get(TAR..).is_some_and(|rest| rest.starts_with(b"ustar")) {
                return refuse(
                    "this is a tar archive".to_owned(),
                    "unpack it, and give the .mtx in it",
                );
            }
            let what = "the file does not begin with `%%MatrixMarket matrix`".to_owned();
            return refuse(what, "give a Matrix Market file, as `scipy.io.mmwrite` writes it");
        }
        let layout = match layout {
            b"coordinate" => Layout::Coordinate,
            b"array" => Layout::Array,
            other => {
                return refuse(
                    format!("the layout {} is unknown", quote(other)),
                    "give `coordinate`",
                );
            }
        };
        let field = match field {
            b"real" | b"double" => Field::Real,
            b"integer" | b"unsigned-integer" => Field::Integer,
            b"pattern" if layout == Layout::Coordinate => Field::Pattern,
            other => {
                let what = format!("numbers of the kind {} are not supported", quote(other));
                return refuse(what, "give `real`, `integer` or, of coordinates, `pattern`");
            }
        };
        let symmetry = match symmetry {
            b"general" => Symmetry::General,
            // Real numbers are their own conjugates.
            b"symmetric" | b"hermitian" => Symmetry::Symmetric,
            b"skew-symmetric" => Symmetry::Skew,
            b"" => {
                return refuse(
                    "the fifth word, the symmetry, is missing".to_owned(),
                    "add `general`",
                );
            }
            other => {
                let what = format!("the symmetry {} is not supported", quote(other));
                return refuse(what, "give `general`, `symmetric` or `skew-symmetric`");
            }
        };
        Ok(Self { layout, field, symmetry })
    }

    /// The next value of a line.
    fn value(&self, fields: &mut Fields) -> Result<f64, Fault> {
        match self.field {
            Field::Pattern => Ok(1.0),
            Field::Real => fields.finite("the value"),
            Field::Integer => {
                let digits = fields.clone().next().unwrap_or_default();
                let digits =
                    digits.strip_prefix(b"-").or(digits.strip_prefix(b"+")).unwrap_or(digits);
                // As a double any size is read.
                if digits.iter().all(u8::is_ascii_digit) {
                    return fields.finite("the value");
                }
                Ok(fields.number::<i64>("the value")? as f64)
            }
        }
    }

    /// Adds an entry, and its mirrored one in a symmetric matrix.
    fn push(&self, entries: &mut Vec<(u32, u32, f64)>, (row, column, value): (u32, u32, f64)) {
        entries.push((row, column, value));
        match self.symmetry {
            Symmetry::Symmetric if row != column => entries.push((column, row, value)),
            Symmetry::Skew if row != column => entries.push((column, row, -value)),
            _ => {}
        }
    }
}

fn parse_coordinates(banner: &Banner, lines: &mut Lines) -> Result<Coordinates, Fault> {
    let mut fields = lines.need(|| "the line of sizes is missing".into(), "add it")?;
    let rows: u32 = fields.number("the number of rows")?;
    let columns: u32 = fields.number("the number of columns")?;
    let count: u64 = fields.number("the number of entries")?;
    fields.end()?;
    check_sizes(banner, &fields, [rows, columns], count)?;
    // No entry is shorter than this, so a false count cannot claim much memory.
    let plausible = lines.rest().len() / if banner.field == Field::Pattern { 4 } else { 6 };
    let mut entries =
        Vec::with_capacity(usize::try_from(count).unwrap_or(plausible).min(plausible));
    for entry in 0..count {
        let mut fields =
            lines.demand(|| format!("the file ends after {entry} of {count} entries"))?;
        let row = index(&mut fields, "row", rows)?;
        let column = index(&mut fields, "column", columns)?;
        let value = banner.value(&mut fields)?;
        fields.end()?;
        let is_above = match banner.symmetry {
            Symmetry::General => false,
            Symmetry::Symmetric => row < column,
            Symmetry::Skew => row < column || row == column && value != 0.0,
        };
        if is_above {
            let what = match row == column {
                true => "on the diagonal of a skew-symmetric matrix, which is zero",
                false => "above the diagonal of a symmetric matrix",
            };
            let what = format!("the entry ({}, {}) is {what}", row + 1, column + 1);
            return Err(fields.fault(what));
        }
        banner.push(&mut entries, (row, column, value));
    }
    expect_end(lines, count)?;
    Ok(Coordinates { rows, columns, entries, symmetric: banner.symmetry == Symmetry::Symmetric })
}

/// Checks the line of sizes before memory is taken.
fn check_sizes(
    banner: &Banner,
    fields: &Fields,
    [rows, columns]: [u32; 2],
    count: u64,
) -> Result<(), Fault> {
    if banner.symmetry != Symmetry::General && rows != columns {
        return Err(fields.fault(format!("a symmetric matrix cannot be {rows} × {columns}")));
    }
    memory::check(format_args!("{count} entries"), count, ENTRY, 1).map_err(|error| Fault {
        remedy: "correct this line if it is wrong",
        ..fields.fault(error.to_string())
    })
}

/// A dense matrix, column by column; of a symmetric one, the part below the diagonal. Zeros are not entries.
fn parse_dense(banner: &Banner, lines: &mut Lines) -> Result<Coordinates, Fault> {
    let (line, [rows, columns]) = sizes(lines)?;
    let count = u64::from(rows) * u64::from(columns);
    check_sizes(banner, &line, [rows, columns], count)?;
    let mut entries = Vec::new();
    for column in 0..rows.min(1) * columns {
        let first = match banner.symmetry {
            Symmetry::General => 0,
            Symmetry::Symmetric => column,
            Symmetry::Skew => column + 1,
        };
        for row in first..rows {
            let ends = || format!("the file ends before the value ({}, {})", row + 1, column + 1);
            let mut fields = lines.demand(ends)?;
            let value = banner.value(&mut fields)?;
            fields.end()?;
            if value != 0.0 {
                banner.push(&mut entries, (row, column, value));
            }
        }
    }
    expect_end(lines, count)?;
    Ok(Coordinates { rows, columns, entries, symmetric: banner.symmetry == Symmetry::Symmetric })
}

/// The line of sizes of an array: rows and columns.
fn sizes<'a>(lines: &mut Lines<'a>) -> Result<(Fields<'a>, [u32; 2]), Fault> {
    let mut fields = lines.need(|| "the line of sizes is missing".into(), "add it")?;
    let sizes = [fields.number("the number of rows")?, fields.number("the number of columns")?];
    fields.end()?;
    Ok((fields, sizes))
}

/// An index, counted from 1 in the file and from 0 in what is returned.
fn index(fields: &mut Fields, name: &str, limit: u32) -> Result<u32, Fault> {
    match fields.number::<i64>(format_args!("the {name}"))? {
        // The index is in range, so it fits.
        index if (1..=i64::from(limit)).contains(&index) => Ok((index - 1) as u32),
        index => Err(fields.fault(format!("the {name} {index} is not in 1..{limit}"))),
    }
}

fn parse_array(banner: &Banner, lines: &mut Lines) -> Result<Vec<f64>, Fault> {
    let (line, [rows, columns]) = sizes(lines)?;
    if columns != 1 {
        return Err(line.fault(format!("a vector has one column, not {columns}")));
    }
    let mut values = Vec::with_capacity((lines.rest().len() / 2).min(rows as usize));
    for entry in 0..rows {
        let mut fields =
            lines.demand(|| format!("the file ends after {entry} of {rows} values"))?;
        values.push(banner.value(&mut fields)?);
        fields.end()?;
    }
    expect_end(lines, rows.into())?;
    Ok(values)
}

/// Converts a matrix with one column into a vector.
fn scatter(matrix: &Coordinates) -> Result<Vec<f64>, Fault> {
    /// Texels of the largest existing texture, 16 384². The length of an array follows from its own size, but a
    /// few bytes of coordinates could otherwise claim all memory.
    const LONGEST: u32 = 1 << 28;
    if matrix.columns != 1 {
        return Err(Fault::in_file(
            format!("a vector has one column, not {}", matrix.columns),
            "give a vector",
        ));
    }
    if matrix.rows > LONGEST {
        return Err(Fault::in_file(
            format!("a vector of {} rows does not fit in a texture", matrix.rows),
            "correct the number of rows",
        ));
    }
    let mut values = vec![0.0; matrix.rows as usize];
    for &(row, _, value) in &matrix.entries {
        let sum = &mut values[row as usize];
        *sum += value;
        if !sum.is_finite() {
            let what = format!("the sum of the entries of row {} overflows", row + 1);
            return Err(Fault::in_file(what, "correct them"));
        }
    }
    Ok(values)
}

/// Checks that nothing follows the announced entries.
fn expect_end(lines: &mut Lines, count: u64) -> Result<(), Fault> {
    match lines.next() {
        None => Ok(()),
        Some(fields) => {
            Err(fields.fault(format!("there are more entries than the announced {count}")))
        }
    }
}
