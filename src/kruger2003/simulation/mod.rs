//! Water and the Navier–Stokes equations, and their pictures (section 6).

pub mod camera;
pub mod cavity;
pub mod error;
pub mod navier_stokes;
pub mod picture;
pub mod scene;
pub mod shown;
pub mod stroke;
pub mod water;
