//! The OpenGL layer: contexts, programs, rectangle textures, framebuffers, vertex buffers, queries.
//!
//! The only module with `unsafe`. Every object owns its GL name, keeps its [`Context`] alive and is
//! deleted when dropped. Nothing here knows about streams or kernels.

mod buffer;
mod context;
mod error;
mod framebuffer;
#[cfg(feature = "mutants")]
mod mutant;
mod program;
mod query;
#[cfg(feature = "cli")]
mod rasteriser;
mod shared;
#[cfg(feature = "cli")]
mod signals;
mod surface;
mod texture;
mod window;

pub use buffer::{Primitive, VertexBuffer};
pub use context::{Context, Description};
pub use error::GlError;
pub use framebuffer::Framebuffer;
#[cfg(feature = "mutants")]
pub use mutant::mutated;
pub use program::{Program, Uniform};
pub use query::Occlusion;
#[cfg(feature = "cli")]
pub(crate) use rasteriser::without_threads;
#[cfg(feature = "cli")]
pub(crate) use signals::ignore_file_size_signal;
#[cfg(feature = "cli")]
pub use surface::NativeWindow;
pub use texture::{Format, RectangleTexture, Size};
