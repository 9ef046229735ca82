//! The registry of experiments: the scenes and the solves.

use std::sync::LazyLock;

use crate::bolz2003::solves::POISSON;
use crate::experiment::{Solve, Subject};
use crate::scenes::SCENES;

/// All solves.
pub static SOLVES: &[&Solve] = &[&POISSON];

/// All scenes and solves.
pub static ALL: LazyLock<Vec<&'static dyn Subject>> = LazyLock::new(|| {
    let scenes = SCENES.iter().map(|&scene| scene as &'static dyn Subject);
    scenes.chain(SOLVES.iter().map(|&solve| solve as &'static dyn Subject)).collect()
});

/// The scene or the solve of this command.
pub fn find(command: &str) -> Option<&'static dyn Subject> {
    ALL.iter().copied().find(|subject| subject.command() == command)
}
