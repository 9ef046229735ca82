//! A size of memory, as a word.

use std::fmt;
use std::str::FromStr;

/// Units of the words, and their bytes.
const UNITS: [(&str, f64); 3] = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];

/// A number of bytes. Its word is `2GB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as f64;
        let (unit, size) = UNITS.into_iter().find(|unit| bytes >= unit.1).unwrap_or(UNITS[2]);
        write!(f, "{}{unit}", bytes / size)
    }
}

impl FromStr for Bytes {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number =
            |(unit, size)| Some(size * text.strip_suffix(unit)?.trim().parse::<f64>().ok()?);
        let bytes = UNITS.into_iter().find_map(number);
        let bytes = bytes.filter(|bytes| bytes.is_finite() && *bytes > 0.0);
        bytes.map(|bytes| Self(bytes.round() as u64)).ok_or("give a size of memory, as in 2GB")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_memory_have_units() {
        assert_eq!("1.5 GB".parse(), Ok(Bytes(1_500_000_000)));
        for bytes in [1, 999, 1_234_567, 12_345_678_901] {
            assert_eq!(Bytes(bytes).to_string().parse(), Ok(Bytes(bytes)));
        }
        for bad in ["2", "GB", "-1kB", "0MB", "infGB", "1TB", "10min"] {
            assert!(bad.parse::<Bytes>().is_err(), "{bad}");
        }
    }
}
