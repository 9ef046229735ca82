//! The atlas: many grids in one surface (goodnight2003 §6, Figure 5).
//!
//! Grids are placed one after the other, the largest first, each where it enlarges the surface
//! least. Of the grids of a hierarchy, the two largest must lie side by side or one above the
//! other, and in what they leave free of their bounding box, the others find room: so the surface
//! is the smallest there is.

use thiserror::Error;

use crate::stream::{Rect, Size};

/// Rectangles that do not overlap, and the surface that they take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atlas {
    /// Columns and rows of the surface.
    pub size: Size,
    /// One a grid, in the order given. The first lies at the origin.
    pub places: Vec<Rect>,
}

/// Grids that do not fit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the grids of one surface take {} x {} texels, over the limit of {limit}; take fewer nodes, or \
     a surface for each level (storage `separate`)",
    needed.0, needed.1
)]
pub struct TooLarge {
    /// Columns and rows of the surface that would do.
    pub needed: Size,
    /// The longest side that a surface may have.
    pub limit: u32,
}

impl Atlas {
    /// Places grids of these columns and rows, in this order: falling sizes pack best.
    pub fn pack(sizes: &[Size], limit: u32) -> Result<Self, TooLarge> {
        Self::try_pack(sizes, limit).ok_or_else(|| TooLarge {
            needed: Self::try_pack(sizes, u32::MAX).map_or((u32::MAX, u32::MAX), |a| a.size),
            limit,
        })
    }

    fn try_pack(sizes: &[Size], limit: u32) -> Option<Self> {
        let mut atlas = Self {
            size: (0, 0),
            places: Vec::with_capacity(sizes.len()),
        };
        for &size in sizes {
            let place = atlas.best_place(size, limit)?;
            atlas.size = atlas.size_with(place);
            atlas.places.push(place);
        }
        Some(atlas)
    }

    /// The corner where a grid enlarges the surface least; of several, the lowest, then the
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
            .min_by_key(|place| {
                let (width, height) = self.size_with(*place);
                (u64::from(width) * u64::from(height), place.y, place.x)
            })
    }

    fn size_with(&self, place: Rect) -> Size {
        (
            self.size.0.max(place.x + place.width),
            self.size.1.max(place.y + place.height),
        )
    }

    /// All of the surface.
    pub fn surface(&self) -> Rect {
        Rect::of_size(self.size.0, self.size.1)
    }
}
