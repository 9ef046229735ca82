//! The commands that run, list and time the papers' experiments.

pub mod bench;
pub mod card;
pub mod list;
pub mod reproduce;
