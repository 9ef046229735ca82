//! Sizes of grids on the command line.

use std::fmt;
use std::str::FromStr;

/// More than any texture has along a side: as bad as no number.
const MOST: u32 = 1 << 20;

/// Columns and rows, of nodes or cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Of a row.
    pub columns: u32,
    /// Of a column.
    pub rows: u32,
}

impl Size {
    /// Columns and rows, to count with.
    pub fn sides(self) -> [usize; 2] {
        [self.columns, self.rows].map(|side| side as usize)
    }

    /// Pixels of a column of a picture of the grid, if a row has `width`.
    pub fn picture_height(self, width: u32) -> u32 {
        let height = u64::from(width) * u64::from(self.rows) / u64::from(self.columns.max(1));
        // What is too high for any driver is refused by it.
        u32::try_from(height.max(1)).unwrap_or(u32::MAX / 4)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}x{}", self.columns, self.rows)
    }
}

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let side = |text: &str| text.parse().ok().filter(|&side: &u32| side <= MOST);
        let sides = text.split_once(['x', '×']);
        sides
            .and_then(|(columns, rows)| {
                let (columns, rows) = (side(columns)?, side(rows)?);
                Some(Size { columns, rows })
            })
            .ok_or("give columns and rows, as in 513x129")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_columns_and_rows() {
        let size = Size {
            columns: 513,
            rows: 129,
        };
        assert_eq!("513x129".parse(), Ok(size));
        assert_eq!(size.to_string().parse(), Ok(size));
        for bad in ["", "257", "x", "257x", "-1x3", "1e3x5", "99999999x5"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_picture_of_a_grid_has_its_shape() {
        let size = Size {
            columns: 512,
            rows: 128,
        };
        assert_eq!(size.picture_height(640), 160);
    }
}
