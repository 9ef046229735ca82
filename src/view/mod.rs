//! Windows: simulations that the mouse pushes (Krüger and Westermann 2003, Figs. 7 and 8).
//!
//! Thin over the library: a [`Demo`] is a simulation that can be pushed; everything else is the same for all.
//!
//! | what | file |
//! |---|---|
//! | what can be shown in a window | [`demo`] |
//! | water | `water.rs` |
//! | fluid with dye | `dye.rs` |
//! | liquid in a glass box | `liquid.rs` |
//! | the window, and what happens in it | [`application`] |
//! | one frame after the other | [`stage`] |
//! | what the keys do | [`keys`] |
//! | the way of the mouse | [`mouse`] |
//! | frame rate, iterations, residual | [`title`] |
//! | a picture in the window: size, place, sRGB | [`presenter`], `present.frag` |
//! | a texture as it lies in memory | [`texture`], `texture.frag` |
//!
//! All of it runs on the thread of the event loop: software renderers draw on one thread only.

pub mod application;
pub mod demo;
mod display;
mod dye;
pub mod error;
pub mod keys;
mod liquid;
pub mod mouse;
pub mod presenter;
pub mod stage;
pub mod texture;
pub mod title;
mod water;

pub use application::{Ended, Options, run};
pub use demo::{Demo, Push};
pub use error::ViewError;
