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

/// The layout to take by its times: of those whose interval overlaps that of the fastest, the first one in the order of the
/// list. `None` without times.
pub fn fastest(times: &[Interval]) -> Option<usize> {
    let best = times.iter().min_by(|a, b| a.median.total_cmp(&b.median))?;
    times.iter().position(|other| other.low <= best.high)
}
