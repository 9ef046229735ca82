//! Raw numbers: a sequence of little-endian 32-bit floats without a header.

use std::io::{self, Write};
use std::path::Path;

use super::atomic::write_atomically;
use super::error::{Fault, InputError, Place, WriteError};
use super::reading::parse_file;

const BYTES: usize = size_of::<f32>();

/// Reads a file of `count` finite numbers.
///
/// # Errors
/// [`InputError`] for a file that cannot be read, that has another length, or that contains NaN or infinity.
pub fn read_floats(path: &Path, count: usize) -> Result<Vec<f32>, InputError> {
    parse_file(path, |bytes| parse(bytes, count))
}

fn parse(bytes: &[u8], count: usize) -> Result<Vec<f32>, Fault> {
    if bytes.len() / BYTES != count || !bytes.len().is_multiple_of(BYTES) {
        let what = format!(
            "{} bytes, but {count} numbers of {BYTES} bytes are {}",
            bytes.len(),
            count.saturating_mul(BYTES)
        );
        let remedy = "give little-endian 32-bit floats without a header, one per node";
        return Err(Fault::in_file(what, remedy));
    }
    let numbers: Vec<f32> = bytes
        .chunks_exact(BYTES)
        .map(|chunk| f32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]))
        .collect();
    match numbers.iter().position(|number| !number.is_finite()) {
        None => Ok(numbers),
        Some(index) => Err(Fault::new(
            Place::Byte(index * BYTES),
            format!("number {index} (from 0) is {}", numbers[index]),
            "make all numbers finite",
        )),
    }
}

/// Writes numbers that [`read_floats`] reads back unchanged.
pub fn write_floats(path: &Path, numbers: impl IntoIterator<Item = f32>) -> Result<(), WriteError> {
    write_atomically(path, |out| {
        let mut numbers = numbers.into_iter();
        numbers.try_for_each(|number| {
            if number.is_finite() {
                out.write_all(&number.to_le_bytes())
            } else {
                Err(io::Error::other("a number is not finite in single precision"))
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read_bit_by_bit(
            numbers in prop::collection::vec(-f32::MAX..f32::MAX, 0..50),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("u.f32");
            write_floats(&path, numbers.iter().copied()).unwrap();
            prop_assert_eq!(read_floats(&path, numbers.len()).unwrap(), numbers);
        }
    }

    #[test]
    fn an_infinity_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("u.f32");
        let error = write_floats(&path, [1.0, 3.5e38_f64 as f32]).unwrap_err();
        assert!(error.to_string().contains("not finite in single precision"), "{error}");
        assert!(!path.exists());
    }

    #[test]
    fn the_lowest_byte_comes_first() {
        assert_eq!(parse(&[0, 0, 0x80, 0x3f], 1), Ok(vec![1.0]));
    }

    #[test]
    fn another_length_and_numbers_that_are_none_are_faults() {
        let fault = |bytes: &[u8], count| parse(bytes, count).unwrap_err().to_string();
        assert!(fault(&[0; 8], 3).starts_with("8 bytes, but 3 numbers of 4 bytes are 12. "));
        assert!(fault(&[0; 9], 2).starts_with("9 bytes"));
        assert!(fault(&[], usize::MAX).contains("0 bytes"));
        let mut bytes = [0; 8];
        bytes[4..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(fault(&bytes, 2).starts_with("byte 4: number 1 (from 0) is NaN. "));
    }
}
