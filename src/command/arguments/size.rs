//! Sizes of grids on the command line.

use std::fmt;
use std::str::FromStr;

use crate::gl::GlError;
use crate::memory::{self, Shortage};
use crate::stream::Machine;

/// More nodes along a side than any texture has texels.
const MOST: u32 = 1 << 20;

/// Columns and rows, of nodes or cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridSize {
    /// Of a row.
    pub columns: u32,
    /// Of a column.
    pub rows: u32,
}

impl GridSize {
    /// Columns and rows, to count with.
    pub fn sides(self) -> [usize; 2] {
        [self.columns, self.rows].map(|side| side as usize)
    }

    /// Checks that memory holds so many bytes per node.
    pub fn check_memory(self, bytes: u64) -> Result<(), Shortage> {
        let nodes = u64::from(self.columns) * u64::from(self.rows);
        memory::check(format_args!("{self} nodes"), nodes, bytes, 2)
    }

    /// Pixels of a column of a picture of the grid, if a row has `width`.
    pub fn picture_height(self, width: u32) -> u32 {
        let height = u64::from(width) * u64::from(self.rows) / u64::from(self.columns.max(1));
        // What is too high for any driver is refused by it.
        u32::try_from(height.max(1)).unwrap_or(u32::MAX / 4)
    }
}

/// That so many columns and rows fit into a texture: better known before memory is claimed for them.
pub fn check_limit(machine: &Machine, columns: u32, rows: u32) -> Result<(), GlError> {
    let limit = machine.context().description().rectangle_limit;
    match columns.max(rows) <= limit {
        true => Ok(()),
        false => Err(GlError::TooLarge {
            width: columns,
            height: rows,
            limit,
        }),
    }
}

impl fmt::Display for GridSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}x{}", self.columns, self.rows)
    }
}

impl FromStr for GridSize {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let no_size = "give columns and rows, as in 513x129";
        let (columns, rows) = text.split_once(['x', '×']).ok_or(no_size)?;
        let (columns, rows): (u64, u64) =
            columns.parse().ok().zip(rows.parse().ok()).ok_or(no_size)?;
        let side = |side| u32::try_from(side).ok().filter(|&side| side <= MOST);
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
    fn a_size_is_columns_and_rows() {
        let size = GridSize {
            columns: 513,
            rows: 129,
        };
        assert_eq!("513x129".parse(), Ok(size));
        assert_eq!(size.to_string().parse(), Ok(size));
        for bad in ["", "257", "x", "257x", "-1x3", "1e3x5"] {
            let refusal = bad.parse::<GridSize>().unwrap_err();
            assert!(refusal.starts_with("give"), "{bad}: {refusal}");
        }
    }

    #[test]
    fn a_side_longer_than_any_texture_is_refused() {
        assert!(format!("{MOST}x2").parse::<GridSize>().is_ok());
        for bad in ["1048577x2", "2x99999999999"] {
            let refusal = bad.parse::<GridSize>().unwrap_err();
            assert!(refusal.contains(&MOST.to_string()), "{bad}: {refusal}");
        }
    }

    #[test]
    fn a_picture_of_a_grid_has_its_shape() {
        let size = GridSize {
            columns: 512,
            rows: 128,
        };
        assert_eq!(size.picture_height(640), 160);
    }
}
