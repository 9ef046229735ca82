//! What people run and see: a liquid in a glass box.

pub mod liquid;
mod scene_file;

pub use liquid::LIQUID;
pub use scene_file::read_scene;
