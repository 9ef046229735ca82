//! The numbers in a PLY file's body, in either encoding.

use super::header::Scalar;
use crate::io::error::{CORRECT, FETCH, Fault, Place, RESTORE, quote};
use crate::io::text::{Fields, Lines, number};

/// Gives the numbers of a body in the order of the file, record by record. A record is one vertex,
/// one face, or the like.
///
/// Faults tell the place and what is wrong; the caller adds which record it is.
pub trait Records {
    /// Goes to the next record.
    fn begin(&mut self) -> Result<(), Fault>;
    /// The next number of the record, of the type `scalar`, which is a whole number.
    fn integer(&mut self, scalar: Scalar) -> Result<i64, Fault>;
    /// The next number of the record, of the type `scalar`, in single precision.
    fn float(&mut self, scalar: Scalar) -> Result<f32, Fault>;
    /// Passes over numbers of the record.
    fn skip(&mut self, scalar: Scalar, count: u64) -> Result<(), Fault>;
    /// Checks that the record holds nothing more.
    fn end(&mut self) -> Result<(), Fault>;
    /// An error at the present place.
    fn fault(&self, what: String) -> Fault;
    /// Bytes that are still to come: no more records than these can be there.
    fn bytes_left(&self) -> usize;
}

/// Text, one record a line.
pub struct AsciiRecords<'a> {
    pub lines: Lines<'a>,
    pub fields: Fields<'a>,
}

impl AsciiRecords<'_> {
    fn number<T: std::str::FromStr>(&mut self) -> Result<T, Fault> {
        match self.fields.next() {
            None => Err(self.fault("the line ends before its last value".into())),
            Some(field) => number(field).ok_or_else(|| {
                self.fault(format!(
                    "{} is not a number that can stand there",
                    quote(field)
                ))
            }),
        }
    }
}

impl Records for AsciiRecords<'_> {
    fn begin(&mut self) -> Result<(), Fault> {
        match self.lines.next() {
            Some(fields) => {
                self.fields = fields;
                Ok(())
            }
            None => Err(Fault::in_line(
                self.fields.line,
                "the file ends after this line",
                RESTORE,
            )),
        }
    }

    fn integer(&mut self, _: Scalar) -> Result<i64, Fault> {
        self.number()
    }

    fn float(&mut self, _: Scalar) -> Result<f32, Fault> {
        self.number()
    }

    fn skip(&mut self, _: Scalar, count: u64) -> Result<(), Fault> {
        (0..count).try_for_each(|_| self.number::<f64>().map(drop))
    }

    fn end(&mut self) -> Result<(), Fault> {
        match self.fields.next() {
            None => Ok(()),
            Some(field) => Err(self.fault(format!("{} is one value too many", quote(field)))),
        }
    }

    fn fault(&self, what: String) -> Fault {
        Fault::in_line(self.fields.line, what, CORRECT)
    }

    fn bytes_left(&self) -> usize {
        self.lines.rest().len()
    }
}

/// Binary numbers without gaps.
pub struct BinaryRecords<'a> {
    pub bytes: &'a [u8],
    /// The next byte to read.
    pub at: usize,
    pub big_endian: bool,
}

impl BinaryRecords<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let Some(&(mut bytes)) = self.bytes[self.at..].first_chunk::<N>() else {
            return Err(self.cut_off());
        };
        self.at += N;
        if self.big_endian {
            bytes.reverse();
        }
        Ok(bytes)
    }

    fn cut_off(&self) -> Fault {
        Fault::new(
            Place::Byte(self.bytes.len()),
            "the file ends there",
            RESTORE,
        )
    }
}

impl Records for BinaryRecords<'_> {
    fn begin(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn integer(&mut self, scalar: Scalar) -> Result<i64, Fault> {
        Ok(match scalar {
            Scalar::Int8 => i8::from_le_bytes(self.take()?).into(),
            Scalar::Uint8 => u8::from_le_bytes(self.take()?).into(),
            Scalar::Int16 => i16::from_le_bytes(self.take()?).into(),
            Scalar::Uint16 => u16::from_le_bytes(self.take()?).into(),
            Scalar::Int32 => i32::from_le_bytes(self.take()?).into(),
            Scalar::Uint32 => u32::from_le_bytes(self.take()?).into(),
            // Headers with lists of these are refused; a cast saturates all the same.
            Scalar::Float32 => f32::from_le_bytes(self.take()?) as i64,
            Scalar::Float64 => f64::from_le_bytes(self.take()?) as i64,
        })
    }

    fn float(&mut self, scalar: Scalar) -> Result<f32, Fault> {
        Ok(match scalar {
            Scalar::Float32 => f32::from_le_bytes(self.take()?),
            Scalar::Float64 => f64::from_le_bytes(self.take()?) as f32,
            _ => self.integer(scalar)? as f32,
        })
    }

    fn skip(&mut self, scalar: Scalar, count: u64) -> Result<(), Fault> {
        let left = self.bytes.len() - self.at;
        match usize::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(scalar.size()))
        {
            Some(size) if size <= left => {
                self.at += size;
                Ok(())
            }
            _ => Err(self.cut_off()),
        }
    }

    fn end(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn fault(&self, what: String) -> Fault {
        Fault::new(Place::Byte(self.at), what, FETCH)
    }

    fn bytes_left(&self) -> usize {
        self.bytes.len() - self.at
    }
}
