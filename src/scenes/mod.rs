//! The registry of scenes: the command, windows, the page and films read this list.

pub mod cycle;

use crate::base::error::BoxedError;
use crate::batty2003::scenes::LIQUID;
use crate::bolz2003::scenes::JET;
use crate::experiment::{Experiment, parts_of_link};
use crate::goodnight2003::scenes::WING;
use crate::kruger2003::scenes::{dye::DYE, water::WATER};
use crate::scene::Entry;

/// All scenes.
pub static SCENES: &[&Entry] = &[&WATER, &DYE, &JET, &cycle::CYCLE, &WING, &LIQUID];

/// The scene of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    SCENES.iter().find(|entry| entry.name == name).copied()
}

/// The scene and the experiment of a link to the page, from its part after `#`; without a preset, that of a page.
pub fn linked(link: &str) -> Result<(&'static Entry, Experiment), BoxedError> {
    let mut settings = parts_of_link(link);
    // The first of each name: liquids have a setting that is called scene, too.
    let [scene, preset] = ["scene", "preset"].map(|name| {
        let at = settings.iter().position(|[part, _]| part == name);
        at.map_or_else(String::new, |at| std::mem::take(&mut settings.remove(at)[1]))
    });
    let entry = find(&scene).ok_or_else(|| {
        let all = SCENES.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
        format!("unknown scene {scene}. Choose one of {all}.")
    })?;
    let preset = if preset.is_empty() { entry.interactive.preset } else { &preset };
    let mut experiment = entry.experiment(preset)?;
    settings.iter().try_for_each(|[name, word]| experiment.set(name, word))?;
    Ok((entry, experiment))
}
