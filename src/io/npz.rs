//! Sparse matrices of SciPy: `.npz`, a zip archive of arrays, as `scipy.sparse.save_npz` writes them in the formats CSR, CSC
//! and COO. The format of an array is that of numpy.lib.format.

use std::fmt::Display;
use std::io::Cursor;
use std::iter::repeat_n;

use zip::ZipArchive;
use zip::result::ZipError;

use super::error::{FETCH, Fault, quote};
use super::matrix_market::{Coordinates, ENTRY};
use super::reading::{Unpacked, remark};
use crate::base::memory;

/// Beginning of a zip archive.
pub(super) const MAGIC: &[u8] = b"PK";

/// Remedy for other archives.
const SAVE: &str = "give a file of `scipy.sparse.save_npz`";

/// Remedies for arrays of records, and for matrices that are too large.
const RECORDS: &str = "give one of its fields, as in `A['x']`";
const SMALLER: &str = "give a matrix with at most 4294967294 rows and columns";

/// Arrays of a file; the last one tells SciPy that it is an array.
const ARRAYS: [&str; 8] = [
    "format.npy",
    "shape.npy",
    "data.npy",
    "row.npy",
    "col.npy",
    "indptr.npy",
    "indices.npy",
    "_is_array.npy",
];

/// Beginning of an array of NumPy.
pub(super) const ARRAY: &[u8] = b"\x93NUMPY";

/// Parses the contents of a file of `numpy.save` with a vector.
pub(super) fn vector(bytes: &[u8]) -> Result<Vec<f64>, Fault> {
    let values = Array::of_column(bytes)?.numbers()?;
    match values.iter().position(|value| !value.is_finite()) {
        Some(at) => {
            Err(Fault::in_file(format!("number {at} is {}", values[at]), "give finite numbers"))
        }
        None => Ok(values),
    }
}

/// The contents of a file of `numpy.save` with these numbers.
pub(super) fn array(values: &[f64]) -> Vec<u8> {
    let mut header =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}", values.len());
    // With what precedes it, it takes a multiple of 64 bytes.
    let length = (10 + header.len() + 1).next_multiple_of(64) - 10;
    header += &" ".repeat(length - 1 - header.len());
    let numbers = values.iter().flat_map(|value| value.to_le_bytes());
    let head = [ARRAY, &[1, 0], &(length as u16).to_le_bytes(), header.as_bytes(), b"\n"].concat();
    head.into_iter().chain(numbers).collect()
}

/// Tests whether a number has more than 64 bits.
fn is_long(digits: &str) -> bool {
    !digits.is_empty() && digits.parse::<u64>().is_err()
}

/// Parses the contents of a file with a sparse matrix. Entries are in the order of its arrays.
pub(super) fn parse(bytes: &[u8]) -> Result<Coordinates, Fault> {
    let zip = ZipArchive::new(Cursor::new(bytes))
        .map_err(|error| Fault::in_file(format!("zip: {error}"), FETCH))?;
    let others = zip.file_names().filter(|name| !ARRAYS.contains(name));
    let others: Vec<String> = others.map(|name| quote(name.as_bytes())).collect();
    if !others.is_empty() {
        remark(format!("not used: {}", others.join(", ")));
    }
    let mut archive = Archive { zip, limit: Unpacked::of(bytes.len()), contents: Vec::new() };
    // Letters have one byte, or four.
    let format = archive.array("format")?;
    let format: Vec<u8> = format.data.iter().copied().filter(|&byte| byte != 0).collect();
    if ![&b"csr"[..], b"csc", b"coo"].contains(&&*format) {
        let what = format_args!("the format {} is not supported", quote(&format));
        return Err(fault("format", what, "convert it with `A = A.tocsr()` before `save_npz`"));
    }
    let sides = archive.array("shape")?.indices(u32::MAX)?;
    let &[rows, columns] = &sides[..] else {
        let what = format_args!("a matrix has two sides, not {}", sides.len());
        return Err(fault("shape", what, SAVE));
    };
    let data = archive.array("data")?;
    let count = data.length as u64;
    memory::check(format_args!("{count} entries"), count, ENTRY, 1)
        .map_err(|error| fault("data", error, "give a smaller matrix"))?;
    let values = data.numbers()?;
    let [of, at] = match &*format {
        b"coo" => [archive.array("row")?.indices(rows)?, archive.array("col")?.indices(columns)?],
        b"csr" => {
            [archive.starts(rows, values.len())?, archive.array("indices")?.indices(columns)?]
        }
        _ => [archive.starts(columns, values.len())?, archive.array("indices")?.indices(rows)?],
    };
    // Compressed matrices may have room behind their last entry.
    if let Some(at) = values.iter().take(of.len()).position(|value| !value.is_finite()) {
        let what = format_args!("entry {at} is {}", values[at]);
        return Err(fault("data", what, "give finite numbers"));
    }
    if at.len() != values.len() || format == b"coo" && of.len() != at.len() {
        let wrong = if at.len() == values.len() { of.len() } else { at.len() };
        let what = format_args!("{count} entries have {wrong} indices");
        return Err(fault("data", what, FETCH));
    }
    let [row, column] = if format == b"csc" { [at, of] } else { [of, at] };
    let entries = row.into_iter().zip(column).zip(values);
    let entries = entries.map(|((row, column), value)| (row, column, value)).collect();
    Ok(Coordinates { rows, columns, entries, symmetric: false })
}

/// A fault of an array.
fn fault(name: &str, what: impl Display, remedy: &'static str) -> Fault {
    Fault::in_file(format!("{name}.npy: {what}"), remedy)
}

struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    limit: Unpacked,
    /// All arrays that were read.
    contents: Vec<u8>,
}

impl Archive<'_> {
    /// Reads the array with this name.
    fn array(&mut self, name: &'static str) -> Result<Array<'_>, Fault> {
        let member = match self.zip.by_name(&format!("{name}.npy")) {
            Err(ZipError::FileNotFound) => {
                let what = format!("this is not a sparse matrix of SciPy: it has no {name}.npy");
                return Err(Fault::in_file(what, SAVE));
            }
            Err(
                error @ (ZipError::UnsupportedArchive(_)
                | ZipError::CompressionMethodNotSupported(_)),
            ) => return Err(fault(name, error, SAVE)),
            member => member.map_err(|error| fault(name, error, FETCH))?,
        };
        let begin = self.contents.len();
        let remedy = "if the file is correct, write it with `compressed=False`";
        self.limit.read((name, member), &mut self.contents, remedy)?;
        Array::parse(name, &self.contents[begin..])
    }

    /// The row of each entry of compressed rows, or the column: the entries of row i begin at the i-th number. There is room
    /// for `most` entries.
    fn starts(&mut self, rows: u32, most: usize) -> Result<Vec<u32>, Fault> {
        let name = "indptr";
        let starts = self.array(name)?.indices(u32::MAX)?;
        if let Some(&last) = starts.last().filter(|&&last| last as usize > most) {
            return Err(fault(name, format_args!("{last} entries instead of {most}"), FETCH));
        }
        if starts.first() != Some(&0) || starts.len() != rows as usize + 1 || !starts.is_sorted() {
            let what = format_args!("not {rows} + 1 numbers that begin with 0 and do not fall");
            return Err(fault(name, what, FETCH));
        }
        let lengths = starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
        Ok((0..rows).zip(lengths).flat_map(|(row, length)| repeat_n(row, length)).collect())
    }
}

/// An array of NumPy.
struct Array<'a> {
    name: &'static str,
    /// Order of the bytes, kind, and bytes of a number, as in `<f8`.
    kind: String,
    /// Numbers of an array with at most one dimension.
    length: usize,
    data: &'a [u8],
}

impl<'a> Array<'a> {
    fn parse(name: &'static str, bytes: &'a [u8]) -> Result<Self, Fault> {
        let (array, sides, is_fortran) = Self::of_sides(name, bytes)?;
        if is_fortran || sides.len() > 1 {
            let order = if is_fortran { " in Fortran's order" } else { "" };
            let what = format_args!("an array of {} dimensions{order}, not a list", sides.len());
            return Err(fault(name, what, SAVE));
        }
        Ok(array)
    }

    /// A vector: a list, or a table with one column.
    fn of_column(bytes: &'a [u8]) -> Result<Self, Fault> {
        let (array, sides, _) = Self::of_sides("vector", bytes)?;
        if !matches!(sides[..], [_] | [_, 1]) {
            let sides = sides.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ");
            let what = format!("a vector has one column, not an array of {sides}");
            return Err(Fault::in_file(what, "give one column, as in `b[:, 0]`"));
        }
        Ok(array)
    }

    /// An array, its sides, and whether its first side is the fastest.
    fn of_sides(name: &'static str, bytes: &'a [u8]) -> Result<(Self, Vec<usize>, bool), Fault> {
        let header = || {
            let rest = bytes.strip_prefix(ARRAY)?;
            let (length, rest) = match rest.split_at_checked(2)? {
                ([1, _], rest) => rest.split_at_checked(2)?,
                (_, rest) => rest.split_at_checked(4)?,
            };
            let length = length.iter().rev().fold(0, |sum, &byte| 256 * sum + usize::from(byte));
            let (header, data) = rest.split_at_checked(length)?;
            Some((str::from_utf8(header).ok()?, data))
        };
        let split = |(header, data): (&'a str, &'a [u8])| {
            let of = |key: &str| Some(header.split_once(key)?.1.trim_start());
            let kind = of("'descr':")?.strip_prefix('\'')?.split_once('\'')?.0.to_owned();
            let shape = of("'shape':")?.strip_prefix('(')?.split_once(')')?.0;
            let sides = shape.split(',').map(str::trim).filter(|side| !side.is_empty());
            let sides = sides.map(|side| side.parse().ok()).collect::<Option<Vec<usize>>>()?;
            Some((kind, of("'fortran_order':")?.starts_with("True"), sides, data))
        };
        let (kind, is_fortran, sides, data) =
            header().and_then(split).ok_or_else(|| match header().map(|(header, _)| header) {
                Some(header) if header.contains("'descr': [") => {
                    fault(name, "an array of records, not of numbers", RECORDS)
                }
                Some(header) if header.split(|c: char| !c.is_ascii_digit()).any(is_long) => {
                    fault(name, "a side is beyond 64 bits", SMALLER)
                }
                _ => fault(name, "not understood as an array of NumPy", SAVE),
            })?;
        let length = sides.first().copied().unwrap_or(1);
        Ok((Self { name, kind, length, data }, sides, is_fortran))
    }

    /// The numbers.
    fn numbers(&self) -> Result<Vec<f64>, Fault> {
        let kind = self.kind.trim_start_matches(['<', '>', '|']);
        let bytes = match kind {
            "f4" | "f8" | "b1" | "i1" | "i2" | "i4" | "i8" | "u1" | "u2" | "u4" | "u8" => {
                usize::from(kind.as_bytes()[1] - b'0')
            }
            _ => {
                let complex = if kind.starts_with('c') { ", which are complex," } else { "" };
                let what = format_args!(
                    "numbers of the kind {}{complex} are not supported",
                    quote(self.kind.as_bytes())
                );
                let remedy = match complex {
                    "" => "convert the matrix with `A.astype(float)`",
                    _ => "give real numbers, such as `A.real`",
                };
                return Err(fault(self.name, what, remedy));
            }
        };
        if self.length.checked_mul(bytes) != Some(self.data.len()) {
            let what = format_args!("{} numbers in {} bytes", self.length, self.data.len());
            return Err(fault(self.name, what, FETCH));
        }
        let is_reversed = self.kind.starts_with('>');
        let unused = 64 - 8 * bytes as u32;
        let number = |bytes: &[u8]| {
            let join = |sum: u64, &byte: &u8| (sum << 8) | u64::from(byte);
            let bits = match is_reversed {
                true => bytes.iter().fold(0, join),
                false => bytes.iter().rev().fold(0, join),
            };
            match kind {
                "f4" => f64::from(f32::from_bits(bits as u32)),
                "f8" => f64::from_bits(bits),
                _ if kind.starts_with('i') => (((bits << unused) as i64) >> unused) as f64,
                _ => bits as f64,
            }
        };
        Ok(self.data.chunks_exact(bytes).map(number).collect())
    }

    /// The numbers as integers below a limit.
    fn indices(&self, limit: u32) -> Result<Vec<u32>, Fault> {
        let index = |(at, number): (usize, f64)| {
            let is_index = number >= 0.0 && number < f64::from(limit) && number.fract() == 0.0;
            is_index.then_some(number as u32).ok_or_else(|| {
                if self.name == "shape" && number >= f64::from(limit) {
                    return fault(self.name, format_args!("a side of {number}"), SMALLER);
                }
                let what = format_args!("number {at} is {number}, not an integer in 0..{limit}");
                fault(self.name, what, FETCH)
            })
        };
        self.numbers()?.into_iter().enumerate().map(index).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An array as NumPy writes it.
    fn array(kind: &str, rest: &str, data: &[u8]) -> Vec<u8> {
        let header = format!("{{'descr': '{kind}', {rest}, }}\n");
        let length = (header.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
    }

    #[test]
    fn numbers_of_any_kind_and_order_are_themselves() {
        let line = "'fortran_order': False, 'shape': (2,)";
        for (kind, data) in [
            ("<f8", [2.5_f64.to_le_bytes(), (-3.0_f64).to_le_bytes()].concat()),
            (">f4", [2.5_f32.to_be_bytes(), (-3.0_f32).to_be_bytes()].concat()),
        ] {
            let bytes = array(kind, line, &data);
            assert_eq!(Array::parse("data", &bytes).unwrap().numbers(), Ok(vec![2.5, -3.0]));
        }
        for (kind, data) in [
            ("|i1", vec![7, 254]),
            ("<i4", [7_i32.to_le_bytes(), (-2_i32).to_le_bytes()].concat()),
            (">i8", [7_i64.to_be_bytes(), (-2_i64).to_be_bytes()].concat()),
        ] {
            let bytes = array(kind, line, &data);
            let array = Array::parse("row", &bytes).unwrap();
            assert_eq!(array.numbers(), Ok(vec![7.0, -2.0]), "{kind}");
            assert!(array.indices(9).unwrap_err().to_string().contains("number 1 is -2"));
        }
    }

    #[test]
    fn a_vector_is_written_as_it_is_read_and_has_one_column() {
        let values = [1.5, -0.0, 1e300];
        let written = super::array(&values);
        assert_eq!((vector(&written), written.len() % 64), (Ok(values.to_vec()), 24));
        let shape = |shape: &str| {
            vector(&array("<f8", &format!("'fortran_order': True, 'shape': {shape}"), &[0; 16]))
        };
        assert_eq!(shape("(2, 1)"), Ok(vec![0.0; 2]));
        let refused = shape("(1, 2)").unwrap_err().to_string();
        assert!(refused.contains("an array of 1 x 2. Give one column"), "{refused}");
        assert!(shape("(18, 1)").is_err() && shape("()").is_err());
    }

    #[test]
    fn other_arrays_are_refused_with_their_name_and_a_remedy() {
        let fault = |kind, rest, data: &[u8]| {
            let bytes = array(kind, rest, data);
            let array = Array::parse("data", &bytes).and_then(|array| array.numbers());
            array.unwrap_err().to_string()
        };
        let list = "'fortran_order': False, 'shape': (1,)";
        assert!(fault("<c16", list, &[0; 16]).contains("complex, are not supported. Give real"));
        assert!(fault("<f8", list, &[0; 7]).contains("1 numbers in 7 bytes"));
        let dense = fault("<f8", "'fortran_order': True, 'shape': (2, 2)", &[0; 32]);
        assert!(dense.contains("2 dimensions in Fortran's order"), "{dense}");
        assert!(
            fault("<f8", "'shape': (1, ", &[])
                .contains("not understood as an array of NumPy. Give")
        );
        let long = fault("<f8", "'fortran_order': False, 'shape': (18446744073709551616,)", &[]);
        assert!(long.contains("a side is beyond 64 bits. Give a matrix with at most"), "{long}");
        assert!(
            fault("<f2", list, &[0; 2])
                .contains("`<f2` are not supported. Convert the matrix with `A.astype")
        );
        let records = array("", list, &[0; 8]);
        let records = String::from_utf8_lossy(&records[10..]).replace("''", "[('a', '<f8')]");
        let length = (records.len() as u16).to_le_bytes();
        let records = [b"\x93NUMPY\x01\x00", &length[..], records.as_bytes()].concat();
        let records = Array::parse("data", &records).err().unwrap().to_string();
        assert!(records.contains("an array of records, not of numbers"), "{records}");
        let shape = array(
            "<i8",
            "'fortran_order': False, 'shape': (2,)",
            &[[0, 0, 0, 0, 1, 0, 0, 0]; 2].concat(),
        );
        let shape =
            Array::parse("shape", &shape).unwrap().indices(u32::MAX).unwrap_err().to_string();
        assert!(shape.contains("a side of 4294967296. Give a matrix with at most"), "{shape}");
    }
}
