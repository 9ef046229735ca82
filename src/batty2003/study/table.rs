//! The numbers that the paper prints, by the names of figures/batty2003/printed.csv.

use std::sync::LazyLock;

use crate::experiment::Record;

/// The printed numbers: name, place, quantity, value, unit, and the paper's hedge.
pub const PRINTED: &str = include_str!("../../../figures/batty2003/printed.csv");

/// A printed number.
///
/// # Panics
/// If the file has none of this name.
pub fn printed(name: &str) -> f64 {
    static NUMBERS: LazyLock<Record> = LazyLock::new(|| Record::printed(PRINTED).expect("numbers"));
    NUMBERS.last(name).unwrap_or_else(|what| panic!("{what}"))
}

/// The operations of the table, the set-up and the read-back.
pub const PARTS: [&str; 6] = ["product", "dot", "scale_add", "precondition", "set_up", "read_back"];

/// Calls in all solves of each of them.
pub fn calls() -> [f64; 6] {
    PARTS.map(|part| printed(&format!("calls.{part}")))
}

/// Milliseconds of a call of each.
pub fn milliseconds() -> [f64; 6] {
    PARTS.map(|part| printed(&format!("ms.{part}")))
}
