//! Windows, and what they show.

#[path = "../command/support.rs"]
mod command_support;
mod pictures;
mod window;
mod window_support;
