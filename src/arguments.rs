//! Values of options: numbers in a range, and sizes.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::settings::Bytes;

pub use crate::settings::GridSize;
pub use crate::solver::multigrid::SWEEPS;

/// A finite number of at least 0.
pub fn not_negative(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.ok_or("give a number of at least 0")
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

/// A size of memory, as in `2GB`.
pub fn bytes(text: &str) -> Result<u64, &'static str> {
    text.parse().map(|Bytes(bytes)| bytes)
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
        // A number of nodes fits in 32 bits.
        assert!("65536x65536".parse::<GridSize>().is_ok());
        assert!("65536x65537".parse::<GridSize>().unwrap_err().contains("fewer columns"));
    }

    #[test]
    fn numbers_are_finite_and_not_negative() {
        assert_eq!(not_negative("0"), Ok(0.0));
        for bad in ["-1", "NaN", "inf", "", "1,5"] {
            assert!(not_negative(bad).is_err(), "{bad}");
        }
    }
}
