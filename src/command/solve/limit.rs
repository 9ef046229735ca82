//! `--limit`, on the command line.

use std::str::FromStr;

use crate::layouts::solve::Limit;

/// Memory, or time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Bytes of textures.
    Bytes(u64),
    /// Seconds.
    Seconds(f64),
}

/// Units, with their factors.
const UNITS: [(&str, f64); 6] = [
    ("GB", 1e9),
    ("MB", 1e6),
    ("kB", 1e3),
    ("min", 60.0),
    ("h", 3600.0),
    ("s", 1.0),
];

impl FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = UNITS.iter().find_map(|(unit, factor)| {
            let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
            let most = number * factor;
            (most.is_finite() && most > 0.0).then(|| {
                if unit.ends_with('B') {
                    Bound::Bytes(most as u64)
                } else {
                    Bound::Seconds(most)
                }
            })
        });
        found.ok_or_else(|| "give memory or time, as in 2GB or 10min".to_owned())
    }
}

/// The last limit of each kind.
pub fn limit(most: &[Bound]) -> Limit {
    let mut limit = Limit::default();
    for most in most {
        match *most {
            Bound::Bytes(bytes) => limit.bytes = Some(bytes),
            Bound::Seconds(seconds) => limit.seconds = Some(seconds),
        }
    }
    limit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_have_units() {
        assert_eq!("2GB".parse(), Ok(Bound::Bytes(2_000_000_000)));
        assert_eq!("1.5 min".parse(), Ok(Bound::Seconds(90.0)));
        for bad in ["2", "GB", "-1s", "0h", "infs", "1TB"] {
            assert!(bad.parse::<Bound>().is_err(), "{bad}");
        }
    }
}
