//! Steady temperature on a plate, goodnight2003 §5.1: k ∇²T = −S.
//!
//! | what | file |
//! |---|---|
//! | heat sources, spread over a grid | `source` |
//! | the description of a plate, also as a TOML file | `scene`, `scene_file` |
//! | the boundary value problem of a description | `plate` |
//! | problems of the paper's experiments | `stated` |
//! | the heat balance | `flow` |
//! | the steady temperature | `steady` |

mod flow;
mod plate;
mod scene;
mod scene_file;
mod source;
mod stated;
mod steady;

pub use flow::HeatFlow;
pub use plate::Plate;
pub use scene::{ConditionParts, Periodic, PictureSource, Piece, Scene, SideConditions};
pub use scene_file::{parse_scene, read_input};
pub use source::{HeatSource, Strength};
pub use stated::{Stated, flow, plate};
pub use steady::{Steady, Summary};
