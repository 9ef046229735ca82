//! The OpenGL layer: contexts, programs, rectangle textures, framebuffers, vertex buffers, queries.
//!
//! The only module with `unsafe`. Every object owns its GL name, keeps its [`Context`] alive and is deleted
//! when dropped. The layer has no notion of streams or kernels.
//!
//! There are two back ends: OpenGL 3.3 through EGL (on macOS through CGL), and WebGL 2 in a browser. Each has its
//! own contexts, and constants for the differences: the target of textures, the dialect of programs, and the
//! channels of read-backs.

mod assembly;
mod bound;
mod buffer;
#[cfg(not(target_family = "wasm"))]
mod context;
#[cfg(target_family = "wasm")]
#[path = "web.rs"]
mod context;
mod description;
mod error;
mod framebuffer;
#[cfg(feature = "mutants")]
mod mutant;
mod program;
mod query;
#[cfg(feature = "cli")]
mod rasteriser;
#[cfg(not(target_family = "wasm"))]
mod shared;
#[cfg(feature = "cli")]
mod signals;
#[cfg(not(target_family = "wasm"))]
mod surface;
#[cfg(not(any(target_family = "wasm", target_vendor = "apple")))]
#[path = "egl.rs"]
mod system;
#[cfg(target_vendor = "apple")]
#[path = "cgl.rs"]
mod system;
mod texture;
#[cfg(any(target_family = "wasm", test))]
mod translation;
#[cfg(not(target_family = "wasm"))]
mod window;

pub use assembly::Backend;
pub use buffer::{Primitive, VertexBuffer};
pub(crate) use context::COUNTS_FRAGMENTS;
pub use context::Context;
pub use description::Description;
pub use error::GlError;
pub use framebuffer::Framebuffer;
#[cfg(feature = "mutants")]
pub use mutant::mutated;
pub use program::{Assembly, DriverProgram, Uniform};
pub use query::Occlusion;
#[cfg(feature = "cli")]
pub(crate) use rasteriser::without_threads;
#[cfg(feature = "cli")]
pub(crate) use signals::ignore_file_size_signal;
#[cfg(all(unix, feature = "cli"))]
pub(crate) use signals::is_ignored;
#[cfg(feature = "cli")]
pub use surface::NativeWindow;
pub use texture::{Format, RectangleTexture, Size};
