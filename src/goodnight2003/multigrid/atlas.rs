//! The atlas: many grids in one surface (goodnight2003 §6, Figure 5).
//!
//! Grids are placed one after the other, the largest first, each where it enlarges the surface
//! least. The two largest grids of a hierarchy must be side by side or one above the
//! other, and the others fit into the free part of their bounding box: so the surface
//! is as small as possible.

use crate::goodnight2003::Error;
use crate::stream::{Rect, Size};

/// Non-overlapping rectangles, and the surface that they take.
///
/// The grids of 33² nodes, as in Fig. 5:
///
/// ```
/// use fragstream::goodnight2003::Atlas;
///
/// let sizes = [33, 17, 9, 5, 3].map(|side| (side, side));
/// let atlas = Atlas::pack(&sizes, 4096)?;
/// assert_eq!(atlas.size, (50, 33));
/// let corners: Vec<_> = atlas.places.iter().map(|place| (place.x, place.y)).collect();
/// assert_eq!(corners, [(0, 0), (33, 0), (33, 17), (42, 17), (47, 17)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atlas {
    /// Columns and rows of the surface.
    pub size: Size,
    /// One rectangle per grid, in the order given. The first is at the origin.
    pub places: Vec<Rect>,
}

impl Atlas {
    /// Places grids with these columns and rows, in this order, on a surface of at most `limit` texels per side:
    /// decreasing sizes pack best.
    pub fn pack(sizes: &[Size], limit: u32) -> Result<Self, Error> {
        Self::try_pack(sizes, limit).ok_or_else(|| Error::TooLarge {
            needed: Self::try_pack(sizes, u32::MAX).map_or((u32::MAX, u32::MAX), |a| a.size),
            limit,
        })
    }

    fn try_pack(sizes: &[Size], limit: u32) -> Option<Self> {
        let mut atlas = Self { size: (0, 0), places: Vec::with_capacity(sizes.len()) };
        for &size in sizes {
            let place = atlas.best_place(size, limit)?;
            atlas.size = atlas.size_with(place);
            atlas.places.push(place);
        }
        Some(atlas)
    }

    /// The corner at which a grid enlarges the surface least; among several, the lowest, then the
    /// leftmost.
    fn best_place(&self, (width, height): Size, limit: u32) -> Option<Rect> {
        let columns = self.places.iter().map(|p| p.x + p.width).chain([0]);
        let corners = columns.flat_map(|x| {
            let rows = self.places.iter().map(|p| p.y + p.height).chain([0]);
            rows.map(move |y| Rect::at([x, y], (width, height)))
        });
        corners
            .filter(|place| {
                place.x.saturating_add(width) <= limit && place.y.saturating_add(height) <= limit
            })
            .filter(|place| !self.places.iter().any(|other| place.overlaps(*other)))
            // §6, Fig. 5, “One buffer”: the smallest surface that holds this grid too
            .min_by_key(|place| {
                let (width, height) = self.size_with(*place);
                (u64::from(width) * u64::from(height), place.y, place.x)
            })
    }

    fn size_with(&self, place: Rect) -> Size {
        (self.size.0.max(place.x + place.width), self.size.1.max(place.y + place.height))
    }
}
