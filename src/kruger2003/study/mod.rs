//! The study of the method: timed cases, matrices and vectors on the CPU, claims, and the paper's timings that several of them use.

#[cfg_attr(not(feature = "plot"), allow(dead_code))]
pub(crate) mod cases;
#[cfg(feature = "plot")]
pub mod claims;
pub mod cpu;

use std::sync::LazyLock;

use crate::experiment::Record;

/// The printed numbers: name, place, quantity, value, unit, and the paper's words.
pub const PRINTED: &str = include_str!("../../../figures/kruger2003/printed.csv");

/// A printed number, by its name in figures/kruger2003/printed.csv.
///
/// # Panics
/// If the file has none of this name.
pub fn printed(name: &str) -> f64 {
    static NUMBERS: LazyLock<Record> = LazyLock::new(|| Record::printed(PRINTED).expect("numbers"));
    NUMBERS.last(name).unwrap_or_else(|what| panic!("{what}"))
}
