//! Values of options: numbers in a range, sizes, and names of choices without an enum.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::memory::{self, Shortage};
use crate::stream::{Format, Size};

/// A finite number.
///
/// # Errors
/// Another text.
pub fn finite(text: &str) -> Result<f64, &'static str> {
    number(text, |_| true, "give a finite number")
}

/// A finite number of at least 0.
///
/// # Errors
/// Another text.
pub fn not_negative(text: &str) -> Result<f64, &'static str> {
    number(text, |value| value >= 0.0, "give a number of at least 0")
}

/// A relative tolerance, from 0 to 1: above 1, zero is solution enough.
///
/// # Errors
/// Another text.
pub fn tolerance(text: &str) -> Result<f64, &'static str> {
    number(text, |value| (0.0..=1.0).contains(&value), "give a number from 0 to 1, such as 1e-6")
}

/// A finite number above 0.
///
/// # Errors
/// Another text.
pub fn positive(text: &str) -> Result<f64, &'static str> {
    number(text, |value| value > 0.0, "give a number above 0")
}

/// The parser of an integer in this range. A count that is also the length of a list needs an end that memory holds.
pub fn count<N>(range: RangeInclusive<N>) -> impl Fn(&str) -> Result<N, String> + Clone
where
    N: Clone + Display + FromStr + PartialOrd + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("give an integer from {} to {}", range.start(), range.end()))
    }
}

/// An integer of at least 1.
///
/// # Errors
/// Another text.
pub fn at_least_one(text: &str) -> Result<usize, &'static str> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or("give an integer of at least 1")
}

/// A size of memory, as in `2GB`.
///
/// # Errors
/// Another text.
pub fn bytes(text: &str) -> Result<u64, String> {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let number =
        |(unit, factor)| Some(factor * text.strip_suffix(unit)?.trim().parse::<f64>().ok()?);
    let bytes = units.into_iter().find_map(number);
    let bytes = bytes.filter(|bytes| bytes.is_finite() && *bytes > 0.0);
    bytes.map(|bytes| bytes as u64).ok_or_else(|| "give a size of memory, as in 2GB".to_owned())
}

/// Largest number of sweeps in a row: each has a weight of its own.
pub const SWEEPS: usize = 10_000;

fn number(
    text: &str,
    fits: impl Fn(f64) -> bool,
    remedy: &'static str,
) -> Result<f64, &'static str> {
    let value = text.parse().ok();
    let fitting = value.filter(|&value: &f64| value.is_finite() && fits(value));
    fitting.ok_or(remedy)
}

/// The shape of a cycle, as the number of visits of each coarser grid.
pub fn visits() -> impl TypedValueParser<Value = usize> {
    PossibleValuesParser::new(["v", "w"]).map(|shape| 1 + usize::from(shape == "w"))
}

/// The precisions of surfaces.
const PRECISIONS: [(&str, Format); 2] = [("full", Format::Rgba32F), ("half", Format::Rgba16F)];

/// The precision of surfaces.
pub fn precision() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(PRECISIONS.map(|(name, _)| name)).map(|given| {
        let known = PRECISIONS.into_iter().find(|(name, _)| *name == given);
        known.unwrap_or(PRECISIONS[0]).1
    })
}

/// The text of a precision.
pub fn precision_text(precision: Format) -> &'static str {
    let known = PRECISIONS.into_iter().find(|(_, format)| *format == precision);
    known.unwrap_or(PRECISIONS[0]).0
}

/// Columns and rows as a pair.
///
/// # Errors
/// A text that is not a size.
pub fn size(text: &str) -> Result<Size, &'static str> {
    let GridSize { columns, rows } = text.parse()?;
    Ok((columns, rows))
}

/// The text of a size.
pub fn size_text((columns, rows): Size) -> String {
    GridSize::new(columns, rows).to_string()
}

/// Largest side of a grid: more than any texture has.
const LARGEST: u32 = 1 << 20;

/// Columns and rows, of nodes, cells or texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridSize {
    /// Number of columns.
    pub columns: u32,
    /// Number of rows.
    pub rows: u32,
}

impl GridSize {
    /// A size.
    pub const fn new(columns: u32, rows: u32) -> Self {
        Self { columns, rows }
    }

    /// Columns and rows as `usize`.
    pub fn sides(self) -> [usize; 2] {
        [self.columns, self.rows].map(|side| side as usize)
    }

    /// Checks that memory can hold this number of bytes per node.
    ///
    /// # Errors
    /// The shortage of memory.
    pub fn check_memory(self, bytes: u64) -> Result<(), Shortage> {
        let nodes = u64::from(self.columns) * u64::from(self.rows);
        memory::check(format_args!("{self} nodes"), nodes, bytes, 2)
    }
}

impl fmt::Display for GridSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}x{}", self.columns, self.rows)
    }
}

impl FromStr for GridSize {
    type Err = &'static str;

    /// Parses `513x129`, or `257` for equal numbers of columns and rows.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (columns, rows) = text.split_once(['x', '×']).unwrap_or((text, text));
        let side = |text: &str| text.parse().ok().filter(|&side: &u64| side > 0);
        let sides = side(columns).zip(side(rows));
        let (columns, rows) = sides.ok_or("give columns and rows, as in 513x129")?;
        let side = |side| u32::try_from(side).ok().filter(|&side| side <= LARGEST);
        let (columns, rows) = side(columns)
            .zip(side(rows))
            .ok_or("no driver holds this: a side has at most 1048576 nodes")?;
        Ok(GridSize { columns, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_columns_and_rows_or_one_number() {
        let size = GridSize::new(513, 129);
        assert_eq!("513x129".parse(), Ok(size));
        assert_eq!(size.to_string().parse(), Ok(size));
        assert_eq!("257".parse(), Ok(GridSize::new(257, 257)));
        for bad in ["", "x", "257x", "-1x3", "1e3x5", "0x4"] {
            let refusal = bad.parse::<GridSize>().unwrap_err();
            assert!(refusal.starts_with("give"), "{bad}: {refusal}");
        }
        for bad in ["1048577x2", "2x99999999999"] {
            let refusal = bad.parse::<GridSize>().unwrap_err();
            assert!(refusal.contains("1048576"), "{bad}: {refusal}");
        }
    }

    #[test]
    fn sizes_of_memory_have_units() {
        assert_eq!(bytes("1.5 GB"), Ok(1_500_000_000));
        for bad in ["2", "GB", "-1kB", "0MB", "infGB", "1TB", "10min"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_are_finite_and_of_the_right_sign() {
        assert_eq!(not_negative("0"), Ok(0.0));
        assert_eq!(positive("1e-6"), Ok(1e-6));
        for bad in ["-1", "NaN", "inf", "", "1,5"] {
            assert!(not_negative(bad).is_err() && positive(bad).is_err(), "{bad}");
        }
        assert_eq!((tolerance("0"), tolerance("1")), (Ok(0.0), Ok(1.0)));
        for bad in ["-1e-9", "1.001", "1e308", "NaN"] {
            assert!(tolerance(bad).is_err(), "{bad}");
        }
        assert!(positive("0").is_err() && at_least_one("0").is_err());
    }
}
