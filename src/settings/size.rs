//! The size of a grid, as a word.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serializer};

use crate::base::memory::{self, Shortage};
use crate::stream::Size;

/// Largest side of a grid: more than any texture has.
const LARGEST: u32 = 1 << 20;
/// Largest number of nodes: that of entries and bytes is a `usize`, in WebAssembly, too.
const NODES: u64 = 1 << if usize::BITS < 64 { 26 } else { 32 };

/// Columns and rows, of nodes, cells or texels. Its word is `513x129`.
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
        match u64::from(columns) * u64::from(rows) {
            0..=NODES => Ok(GridSize { columns, rows }),
            _ => Err("no driver holds this: give fewer columns or rows"),
        }
    }
}

impl JsonSchema for GridSize {
    fn schema_name() -> Cow<'static, str> {
        "GridSize".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9]+x[0-9]+$", "takes": "WxH" })
    }
}

/// Holds a [`Size`] as its word: `#[serde(with = "pair")] #[schemars(with = "GridSize")]`.
pub mod pair {
    use super::{Cow, Deserialize, Deserializer, GridSize, Serializer, Size};

    /// Writes the word.
    pub fn serialize<S: Serializer>(&(columns, rows): &Size, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&GridSize::new(columns, rows))
    }

    /// Reads the word.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Size, D::Error> {
        let word = Cow::<str>::deserialize(from)?;
        let GridSize { columns, rows } = word.parse().map_err(serde::de::Error::custom)?;
        Ok((columns, rows))
    }
}
