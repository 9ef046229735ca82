//! Flow around a flapping wing: vorticity and stream function in the frame of an airfoil, or of a
//! cylinder, that heaves, lags and pitches (goodnight2003 §5.3).
//!
//! The rectangular grid is wrapped around the body, periodic in the angle, and warped by the Joukowski
//! map. The coordinates are a fragment program that the user can replace; the multigrid solver's
//! operator map comes from it. Lengths are in chords (or diameters), the density and the speed of the
//! stream are one.

mod body;
mod forces;
mod grid;
mod kernels;
mod motion;
mod picture;
mod potential;
mod settings;
mod simulation;

pub use body::{Body, Joukowski};
pub use forces::{Forces, Surface, frequency};
pub use kernels::WingKernels;
pub use motion::{Frame, Motion, Oscillation, Push, rotate};
pub(crate) use picture::{View, WingPainter};
pub use settings::{WingSettings, coordinates_of_text};
pub use simulation::{Sample, Wing};
