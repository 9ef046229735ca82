//! The commands that check, list and time what the papers claim.

pub mod bench;
pub mod card;
pub mod kit;
pub mod list;
mod processes;
pub mod reproduce;
pub mod run;
