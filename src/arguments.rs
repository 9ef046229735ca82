//! Values of options: numbers in a range, sizes, and names of choices without an enum.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::settings::precision;
use crate::stream::{Format, Size};

pub use crate::settings::GridSize;
pub use crate::solver::multigrid::SWEEPS;

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

/// The precision of surfaces.
pub fn precision() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(precision::NAMES).map(|name| precision::of_name(&name))
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
