//! Windows, and what they show.

#[path = "../command/support.rs"]
mod command_support;
#[path = "../common/mod.rs"]
mod common;
mod liquid;
mod pictures;
mod window;
mod window_support;
