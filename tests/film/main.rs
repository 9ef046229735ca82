//! Films: a run as data, and its page.

#[path = "../common/mod.rs"]
mod common;
mod page;
mod recorder;
mod scenes;
mod support;
