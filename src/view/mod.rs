//! Windows: scenes that the mouse pushes (Krüger and Westermann 2003, Figs. 7 and 8).
//!
//! Any [scene](crate::scene) runs in a window. A window of the desktop needs the feature `view`; in a browser
//! the live page shows the same stage.
//!
//! | contents | file |
//! |---|---|
//! | the window and its events | `application` |
//! | the sequence of frames | [`stage`] |
//! | the keys | [`keys`] |
//! | the colour bar, help on the keys | `panel` |
//! | the path of the mouse | `mouse` |
//! | frame rate, iterations, residual | `title` |
//! | a picture in the window: size, position, sRGB | [`presenter`], `present.frag` |
//! | a texture as stored in memory | [`texture`], `texture.frag` |
//! | small pictures of many textures | [`shelf`], `channels.frag` |
//!
//! Everything runs on the thread of the event loop, because software renderers draw on only one thread.

#[cfg(feature = "view")]
mod application;
#[cfg(feature = "view")]
mod display;
#[cfg(feature = "view")]
mod error;
pub mod keys;
pub(crate) mod mouse;
#[cfg(feature = "view")]
mod panel;
pub mod presenter;
pub mod shelf;
pub mod stage;
pub mod texture;
mod title;

#[cfg(feature = "view")]
pub use application::{Ended, Options, run};
#[cfg(feature = "view")]
pub use error::ViewError;

use crate::stream::Limits;

/// Windows are not of 2003.
pub const LIMITS: Limits = Limits::none("it draws a window");
