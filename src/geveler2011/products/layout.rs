//! How a matrix lies in textures.

/// Where rows end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum RowFormat {
    /// All rows are padded to the longest: legal in 2003
    Ellpack,
    /// Each row ends at its own length: the paper's, and no program of 2003
    EllpackR,
}

/// Where an entry and its column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Entries {
    /// In one texel, for one fetch
    Packed,
    /// In two textures, as the paper's arrays A and j
    Apart,
}

/// How a matrix lies in textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EllpackLayout {
    /// Where rows end.
    pub rows: RowFormat,
    /// Where an entry and its column stand.
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

    /// What a fragment processor of 2003 does with the fewest fetches.
    pub const fn of_2003() -> Self {
        Self {
            rows: RowFormat::Ellpack,
            entries: Entries::Packed,
        }
    }
}
