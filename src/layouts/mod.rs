//! The papers' layouts of matrices in one registry, which [`solve`](mod@crate::solve) and `layouts` use.
//!
//! | file | holds |
//! |---|---|
//! | [`MatrixLayout`] | the trait of layouts: label, plan, upload |
//! | [`rows`] | rows of equal length, packed into rectangles (bolz2003) |
//! | [`diagonals`] | diagonals, one texture each (kruger2003) |
//! | [`quarters`] | the same for vectors in quarters (fragstream's variant) |
//! | [`columns`], [`points`] | dense columns, and entries drawn as points (kruger2003) |
//! | [`ellpack`] | rows padded to the longest one (geveler2011) |
//! | [`boxes`] | seven diagonals of a box of cells (batty2003) |
//! | [`textures`] | textures, planned or observed during passes |
//! | [`compare`] | layouts side by side: counts, times, pictures |
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

pub use error::LayoutsError;
pub use layout::{Label, Layout, MatrixLayout, Plan, Product, Stored, Upload};

use crate::stream::Limits;

/// Comparisons of all papers' layouts fit the smallest card.
pub const LIMITS: Limits = Limits::R300;

/// Rows of equal length, packed into rectangles.
pub const ROWS: Layout = &rows::Rows;
/// Diagonals, one entry per texel.
pub const DIAGONALS: Layout = &diagonals::Diagonals::Single;
/// Diagonals, four entries per texel.
pub const DIAGONALS_RGBA: Layout = &diagonals::Diagonals::Quads;
/// Diagonals for vectors in quarters.
pub const QUARTERS: Layout = &quarters::QuarterDiagonals;
/// Every column, including zeros.
pub const COLUMNS: Layout = &columns::Columns;
/// Entries, drawn as points.
pub const POINTS: Layout = &points::Points;
/// Rows padded to the longest one.
pub const ELLPACK: Layout = &ellpack::Ellpack::Padded;
/// Rows with their own lengths.
pub const ELLPACK_R: Layout = &ellpack::Ellpack::Ending;
/// Seven diagonals of a box, rows of cells wrapped.
pub const WRAPPED: Layout = &boxes::Boxes::Wrapped;
/// Seven diagonals of a box in one texture.
pub const ONE_TEXTURE: Layout = &boxes::Boxes::OneTexture;
/// Seven diagonals of a box, a slice per row of texels.
pub const SLICES: Layout = &boxes::Boxes::Slices;

/// All layouts.
pub static ALL: [Layout; 11] = [
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
