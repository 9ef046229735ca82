//! Layout of a matrix in textures.

/// End of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum RowFormat {
    /// All rows are padded to the longest; legal in 2003
    Ellpack,
    /// Each row ends at its own length, as in the paper; not possible in 2003
    EllpackR,
}

/// Location of an entry and its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Entries {
    /// In one texel, for one fetch
    Packed,
    /// In two textures, like the paper's arrays A and j
    Apart,
}

/// Layout of a matrix in textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EllpackLayout {
    /// End of rows.
    pub rows: RowFormat,
    /// Location of an entry and its column.
    pub entries: Entries,
}

impl EllpackLayout {
    /// §3.1: arrays A and j, and the length rl of every row, at which a thread ends.
    pub const fn paper_2011() -> Self {
        Self {
            rows: RowFormat::EllpackR,
            entries: Entries::Apart,
        }
    }

    /// The layout with the fewest fetches on a fragment processor of 2003.
    pub const fn of_2003() -> Self {
        Self {
            rows: RowFormat::Ellpack,
            entries: Entries::Packed,
        }
    }
}
