//! A liquid in a glass box: a scene of the registry.

pub mod liquid;
mod scene_file;

pub use liquid::LIQUID;
pub use scene_file::read_scene;
