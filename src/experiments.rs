//! The registry of experiments: the scenes and the solves.

use std::sync::LazyLock;

use crate::bolz2003::solves::{POISSON, SMOOTH};
use crate::experiment::{Solve, Subject};
use crate::geveler2011::solves::FEM;
use crate::goodnight2003::solves::{HEAT, TONEMAP};
use crate::scenes::SCENES;
use crate::solve::SOLVE;

/// All solves.
pub static SOLVES: &[&Solve] = &[&SOLVE, &POISSON, &HEAT, &FEM, &SMOOTH, &TONEMAP];

/// All scenes and solves.
pub static ALL: LazyLock<Vec<&'static dyn Subject>> = LazyLock::new(|| {
    let scenes = SCENES.iter().map(|&scene| scene as &'static dyn Subject);
    scenes.chain(SOLVES.iter().map(|&solve| solve as &'static dyn Subject)).collect()
});

/// The scene or the solve of this command.
pub fn find(command: &str) -> Option<&'static dyn Subject> {
    ALL.iter().copied().find(|subject| subject.command() == command)
}
