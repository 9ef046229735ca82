//! Matrices in textures (sections 2 to 4 and 7).

pub mod band;
pub mod column_textures;
pub mod columns;
pub mod diagonals;
pub(super) mod five_point;
pub mod matrix_product;
pub mod vertices;
