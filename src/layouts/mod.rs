//! The papers' layouts of matrices in one registry, which [`solve`](mod@crate::solve) and `layouts` use.
//!
//! Each layout is implemented by its paper. This module is above the papers, which are independent of each
//! other.

pub mod boxes;
pub mod columns;
pub mod compare;
pub mod diagonals;
pub mod ellpack;
mod error;
mod layout;
pub mod named;
pub mod points;
pub mod quarters;
pub mod rows;
pub mod textures;

pub use boxes::{ONE_TEXTURE, SLICES, WRAPPED};
pub use columns::COLUMNS;
pub use diagonals::{DIAGONALS, DIAGONALS_RGBA};
pub use ellpack::{ELLPACK, ELLPACK_R};
pub use error::LayoutsError;
pub use layout::{Contents, Footprint, Layout, MatrixLayout, Product, Role, Stored, Upload};
pub use points::POINTS;
pub use quarters::QUARTERS;
pub use rows::ROWS;

use crate::stream::Limits;
use crate::timing::Interval;
use crate::timing::heats::is_slower;

/// Comparisons of all papers' layouts fit the smallest card.
pub const LIMITS: Limits = Limits::R300;

/// All layouts.
pub static ALL: &[Layout] = &[
    ROWS,
    DIAGONALS,
    DIAGONALS_RGBA,
    QUARTERS,
    COLUMNS,
    POINTS,
    ELLPACK,
    ELLPACK_R,
    WRAPPED,
    ONE_TEXTURE,
    SLICES,
];

/// The layouts that a comparison shows unless others are named.
pub fn usual() -> Vec<Layout> {
    ALL.iter().copied().filter(|layout| !layout.is_variant).collect()
}

/// The layout to take, by the seconds of each relative to those of the fastest, and by its bytes: of those that are not
/// slower, the one that stores the least. `None` without layouts.
pub fn taken(layouts: impl IntoIterator<Item = (Interval, u64)>) -> Option<usize> {
    let level = layouts.into_iter().enumerate().filter(|(_, (ratio, _))| !is_slower(*ratio));
    level.min_by_key(|(_, (_, bytes))| *bytes).map(|(place, _)| place)
}
