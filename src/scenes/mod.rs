//! The registry of scenes: the command, windows, the page and films read this list.

pub mod cycle;

use crate::batty2003::scenes::LIQUID;
use crate::bolz2003::scenes::JET;
use crate::goodnight2003::scenes::WING;
use crate::kruger2003::scenes::{dye::DYE, water::WATER};
use crate::scene::Entry;

/// All scenes.
pub static SCENES: [&Entry; 6] = [&WATER, &DYE, &JET, &cycle::CYCLE, &WING, &LIQUID];

/// The scene of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    SCENES.into_iter().find(|entry| entry.name == name)
}
