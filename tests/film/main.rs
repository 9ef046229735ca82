//! Films: a run as data, its page, and what a browser makes of it, a second implementation of the same
//! machine.

mod browser;
#[path = "../common/mod.rs"]
mod common;
mod crosscheck;
mod driven;
mod landed;
mod page;
#[allow(dead_code)] // only its texts are wanted here
#[path = "../card/programs.rs"]
mod programs;
mod recorder;
mod scenes;
mod support;
