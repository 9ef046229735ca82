//! The atlas: many grids in one surface (goodnight2003 §6, Figure 5).
//!
//! Grids are placed one after the other, the largest first, each where it enlarges the surface
//! least. Of the grids of a hierarchy, the two largest must lie side by side or one above the
//! other, and in what they leave free of their bounding box, the others find room: so the surface
//! is the smallest there is.

use thiserror::Error;

use crate::stream::Rect;

/// Rectangles that do not overlap, and the surface that they take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atlas {
    /// Columns and rows of the surface.
    pub size: (u32, u32),
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
    pub needed: (u32, u32),
    /// The longest side that a surface may have.
    pub limit: u32,
}

impl Atlas {
    /// Places grids of these columns and rows, in this order: falling sizes pack best.
    pub fn pack(sizes: &[(u32, u32)], limit: u32) -> Result<Self, TooLarge> {
        Self::try_pack(sizes, limit).ok_or_else(|| TooLarge {
            needed: Self::try_pack(sizes, u32::MAX).map_or((u32::MAX, u32::MAX), |a| a.size),
            limit,
        })
    }

    fn try_pack(sizes: &[(u32, u32)], limit: u32) -> Option<Self> {
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
    fn best_place(&self, (width, height): (u32, u32), limit: u32) -> Option<Rect> {
        let columns = self.places.iter().map(|p| p.x + p.width).chain([0]);
        let corners = columns.flat_map(|x| {
            let rows = self.places.iter().map(|p| p.y + p.height).chain([0]);
            rows.map(move |y| Rect::at([x, y], (width, height)))
        });
        corners
            .filter(|place| {
                place.x.saturating_add(width) <= limit && place.y.saturating_add(height) <= limit
            })
            .filter(|place| !self.places.iter().any(|other| overlap(*place, *other)))
            .min_by_key(|place| {
                let (width, height) = self.size_with(*place);
                (u64::from(width) * u64::from(height), place.y, place.x)
            })
    }

    fn size_with(&self, place: Rect) -> (u32, u32) {
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

/// Whether two rectangles have a texel in common.
pub fn overlap(a: Rect, b: Rect) -> bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goodnight2003::Grid;

    fn levels(columns: u32, rows: u32) -> Vec<(u32, u32)> {
        let grid = Grid::unit(columns, rows).unwrap();
        (0..grid.levels()).map(|level| grid.size(level)).collect()
    }

    fn check(atlas: &Atlas, sizes: &[(u32, u32)]) {
        for (place, size) in atlas.places.iter().zip(sizes) {
            assert_eq!((place.width, place.height), *size);
            assert!(place.x + place.width <= atlas.size.0);
            assert!(place.y + place.height <= atlas.size.1);
        }
        for (number, place) in atlas.places.iter().enumerate() {
            let others = &atlas.places[..number];
            assert!(!others.iter().any(|other| overlap(*place, *other)));
        }
    }

    #[test]
    fn the_papers_largest_problem_fits_the_papers_surface() {
        let sizes = levels(1025, 1025);
        let atlas = Atlas::pack(&sizes, 2048).unwrap();
        check(&atlas, &sizes);
        assert_eq!(atlas.size, (1025 + 513, 1025));
        assert_eq!(sizes.len(), 10);
    }

    #[test]
    fn no_surface_is_smaller() {
        // The two largest grids lie beside each other, or one above the other, in any packing.
        for nodes in (5..400).chain([513, 1025, 1537, 2049]) {
            let sizes = levels(nodes, nodes);
            let atlas = Atlas::pack(&sizes, u32::MAX).unwrap();
            check(&atlas, &sizes);
            let (first, second) = (sizes[0], sizes[1]);
            let least = (first.0 + second.0) * first.1;
            assert_eq!(atlas.size.0 * atlas.size.1, least, "{nodes} nodes");
        }
    }

    #[test]
    fn any_size_is_packed_without_overlap() {
        for columns in (2..60).step_by(7) {
            for rows in [2, 3, 5, 9, 33, 100] {
                let sizes = levels(columns, rows);
                check(&Atlas::pack(&sizes, 1024).unwrap(), &sizes);
            }
        }
    }

    #[test]
    fn over_the_limit_the_error_names_the_size() {
        let error = Atlas::pack(&levels(2049, 2049), 2048).unwrap_err();
        assert_eq!(error.needed, (2049 + 1025, 2049));
        // Side by side is too wide here, one above the other is not.
        let atlas = Atlas::pack(&levels(2001, 1001), 2048).unwrap();
        assert_eq!(atlas.size, (2001, 1001 + 501));
    }
}
