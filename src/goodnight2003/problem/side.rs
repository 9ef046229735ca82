//! The sides of a grid (goodnight2003 §4.2).

use std::fmt;

/// A side of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first column.
    West,
    /// The last column.
    East,
    /// The first row.
    South,
    /// The last row.
    North,
}

impl Side {
    /// All four sides, in the order of an operator's channels.
    pub const ALL: [Self; 4] = [Self::West, Self::East, Self::South, Self::North];
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::West => "west",
            Self::East => "east",
            Self::South => "south",
            Self::North => "north",
        })
    }
}
