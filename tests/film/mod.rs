//! Films: a run as data, its page, and what a browser makes of it, a second implementation of the same
//! machine.

pub mod browser;
mod cache;
mod class;
mod crosscheck;
mod driven;
mod firefox;
mod landed;
mod lessons;
mod mutated;
mod own;
mod page;
mod pressure;
mod recorder;
mod scenes;
mod support;
