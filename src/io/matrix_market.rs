//! Matrix Market, the exchange format of sparse matrices and of vectors (math.nist.gov/MatrixMarket).
//!
//! Matrices are read in the coordinate layout, with real or integer numbers or as patterns (all 1), general or
//! symmetric. Right-hand sides are read as arrays or coordinates with one column. Both may be compressed by
//! gzip.
//!
//! This is own code because the maintained reader is part of nalgebra-sparse, a second library of sparse
//! matrices, whose errors give neither line nor remedy.

use std::io::Write;
use std::path::Path;

use super::atomic::write_atomically;
use super::error::{Fault, InputError, WriteError, quote};
use super::reading::{parse_file, unpacked};
use super::text::{Fields, Lines, Shortest};
use crate::memory;

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

/// Reads a sparse matrix.
///
/// # Errors
/// [`InputError`], with the line and the fault: another layout or field, malformed or missing numbers, indices
/// out of range (they count from 1), values that are not finite, entries above the diagonal of a symmetric
/// matrix, a wrong number of entries.
pub fn read_matrix(path: &Path) -> Result<Coordinates, InputError> {
    parse_file(path, |bytes| parse_matrix(&unpacked(bytes)?))
}

/// Parses the contents of a file with a sparse matrix.
pub fn parse_matrix(text: &[u8]) -> Result<Coordinates, Fault> {
    let mut lines = Lines::new(text, 1, Some(b'%'));
    let banner = Banner::parse(text)?;
    if banner.layout == Layout::Array {
        let what = "the matrix is dense (layout `array`)";
        return Err(Fault::in_line(1, what, "give it in the layout `coordinate`"));
    }
    parse_coordinates(&banner, &mut lines)
}

/// Reads a vector: an array or coordinates with n rows and one column.
pub fn read_vector(path: &Path) -> Result<Vec<f64>, InputError> {
    parse_file(path, |bytes| parse_vector(&unpacked(bytes)?))
}

/// Parses the contents of a file with a vector.
pub fn parse_vector(text: &[u8]) -> Result<Vec<f64>, Fault> {
    let mut lines = Lines::new(text, 1, Some(b'%'));
    let banner = Banner::parse(text)?;
    if banner.symmetric || banner.field == Field::Pattern {
        let what = "a vector cannot be symmetric or a pattern";
        return Err(Fault::in_line(1, what, "give `real general`"));
    }
    match banner.layout {
        Layout::Array => parse_array(&banner, &mut lines),
        Layout::Coordinate => scatter(&parse_coordinates(&banner, &mut lines)?),
    }
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

/// Writes a vector as an array with one column. Each value is written so that it reads back as the same number.
pub fn write_vector(path: &Path, values: &[f64]) -> Result<(), WriteError> {
    write_atomically(path, |out| {
        writeln!(out, "%%MatrixMarket matrix array real general\n% written by fragstream")?;
        writeln!(out, "{} 1", values.len())?;
        values.iter().try_for_each(|&value| writeln!(out, "{}", Shortest(value)))
    })
}

/// Bytes of memory per entry, while it is read and becomes part of a matrix in compressed rows.
const ENTRY: u64 = 110;

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

/// Contents of the first line.
#[derive(Debug)]
struct Banner {
    layout: Layout,
    field: Field,
    symmetric: bool,
}

impl Banner {
    fn parse(text: &[u8]) -> Result<Self, Fault> {
        // It looks like a comment, but must not be skipped as one.
        let mut fields = Lines::new(text, 1, None).next().unwrap_or_else(|| Fields::none(1));
        let mut word = || fields.next().unwrap_or_default().to_ascii_lowercase();
        let words = [word(), word(), word(), word(), word()];
        let [banner, object, layout, field, symmetry] = words.each_ref().map(Vec::as_slice);
        let refuse = |what: String, remedy| Err(Fault::in_line(1, what, remedy));
        if (banner, object) != (b"%%matrixmarket", b"matrix") {
            let what = "the file does not begin with `%%MatrixMarket matrix`".to_owned();
            return refuse(what, "give a Matrix Market file");
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
            b"integer" => Field::Integer,
            b"pattern" if layout == Layout::Coordinate => Field::Pattern,
            other => {
                let what = format!("numbers of the kind {} are not supported", quote(other));
                return refuse(what, "give `real`, `integer` or, of coordinates, `pattern`");
            }
        };
        let symmetric = match symmetry {
            b"general" => false,
            b"symmetric" => true,
            other => {
                let what = format!("the symmetry {} is not supported", quote(other));
                return refuse(what, "give `general` or `symmetric`");
            }
        };
        Ok(Self { layout, field, symmetric })
    }

    /// The next value of a line.
    fn value(&self, fields: &mut Fields) -> Result<f64, Fault> {
        match self.field {
            Field::Pattern => Ok(1.0),
            Field::Real => fields.finite("the value"),
            Field::Integer => Ok(fields.number::<i64>("the value")? as f64),
        }
    }
}

fn parse_coordinates(banner: &Banner, lines: &mut Lines) -> Result<Coordinates, Fault> {
    let mut fields = lines.demand(|| "the line of sizes is missing".into())?;
    let rows: u32 = fields.number("the number of rows")?;
    let columns: u32 = fields.number("the number of columns")?;
    let count: u64 = fields.number("the number of entries")?;
    fields.end()?;
    if banner.symmetric && rows != columns {
        return Err(fields.fault(format!("a symmetric matrix cannot be {rows} × {columns}")));
    }
    memory::check(format_args!("{count} entries"), count, ENTRY, 1)
        .map_err(|error| fields.fault(error.to_string()))?;
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
        entries.push((row, column, value));
        if banner.symmetric && row < column {
            let what = format!(
                "the entry ({}, {}) is above the diagonal of a symmetric matrix",
                row + 1,
                column + 1
            );
            return Err(fields.fault(what));
        }
        if banner.symmetric && row > column {
            entries.push((column, row, value));
        }
    }
    expect_end(lines, count)?;
    Ok(Coordinates { rows, columns, entries, symmetric: banner.symmetric })
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
    let mut fields = lines.demand(|| "the line of sizes is missing".into())?;
    let rows: u32 = fields.number("the number of rows")?;
    let columns: u32 = fields.number("the number of columns")?;
    fields.end()?;
    if columns != 1 {
        return Err(fields.fault(format!("a vector has one column, not {columns}")));
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
