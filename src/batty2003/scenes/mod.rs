//! A liquid in a glass box: a scene of the registry.

pub mod flip;
pub mod liquid;
pub mod picture;
mod scene_file;

pub use liquid::LIQUID;
pub use scene_file::read_scene;
