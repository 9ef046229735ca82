//! The registry of scenes: the command, windows, the page and films read this list.

pub mod cycle;

use crate::batty2003::scenes::LIQUID;
use crate::bolz2003::scenes::JET;
#[cfg(not(target_family = "wasm"))]
use crate::error::BoxedError;
#[cfg(not(target_family = "wasm"))]
use crate::experiment::{Experiment, parts_of_link};
use crate::goodnight2003::scenes::WING;
use crate::kruger2003::scenes::{dye::DYE, water::WATER};
use crate::scene::Entry;

/// All scenes.
pub static SCENES: [&Entry; 6] = [&WATER, &DYE, &JET, &cycle::CYCLE, &WING, &LIQUID];

/// The scene of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    SCENES.into_iter().find(|entry| entry.name == name)
}

/// The experiment of a link to the page, from its part after `#`.
///
/// # Errors
/// An unknown scene, preset or setting, or a value out of its range.
#[cfg(not(target_family = "wasm"))]
pub fn linked(link: &str) -> Result<Experiment, BoxedError> {
    let parts = parts_of_link(link);
    let part =
        |name: &str| parts.iter().find(|[part, _]| part == name).map_or("", |[_, word]| word);
    let entry = find(part("scene")).ok_or_else(|| {
        let all = SCENES.map(|entry| entry.name).join(", ");
        format!("unknown scene {}. Choose one of {all}.", part("scene"))
    })?;
    let mut experiment = entry.experiment(part("preset"))?;
    let settings = parts.iter().filter(|[name, _]| !matches!(&**name, "scene" | "preset"));
    settings.into_iter().try_for_each(|[name, word]| experiment.set(name, word))?;
    Ok(experiment)
}
