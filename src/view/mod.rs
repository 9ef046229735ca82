//! Windows: simulations that the mouse pushes (Krüger and Westermann 2003, Figs. 7 and 8).
//!
//! Thin over the library: a [`Demo`] is a simulation that can be pushed; everything else is the same for all. A
//! window of the desktop needs the feature `view`; in a browser [`crate::live`] shows the same stage.
//!
//! | what | file |
//! |---|---|
//! | what can be shown in a window | [`demo`] |
//! | water, fluid with dye, a liquid in a glass box, a jet, a V-cycle | `demos/` |
//! | the window, and what happens in it | [`application`] |
//! | one frame after the other | [`stage`] |
//! | what the keys do | [`keys`] |
//! | the way of the mouse | [`mouse`] |
//! | frame rate, iterations, residual | [`title`] |
//! | a picture in the window: size, place, sRGB | [`presenter`], `present.frag` |
//! | a texture as it lies in memory | [`texture`], `texture.frag` |
//!
//! All of it runs on the thread of the event loop: software renderers draw on one thread only.

#[cfg(feature = "view")]
pub mod application;
pub mod demo;
pub mod demos;
#[cfg(feature = "view")]
mod display;
#[cfg(feature = "view")]
pub mod error;
pub mod keys;
pub mod mouse;
pub mod presenter;
pub mod stage;
pub mod texture;
pub mod title;

#[cfg(feature = "view")]
pub use application::{Ended, Options, run};
pub use demo::{Demo, Push};
#[cfg(feature = "view")]
pub use error::ViewError;
