//! The registry of experiments: the scenes, the solves, and the studies of the papers.

use std::sync::LazyLock;

#[cfg(feature = "plot")]
use crate::base::{error::BoxedError, nearest::suggestion};
use crate::bolz2003::solves::{POISSON, SMOOTH};
#[cfg(feature = "plot")]
use crate::experiment::Study;
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

/// All studies, paper by paper.
#[cfg(feature = "plot")]
pub fn studies() -> impl Iterator<Item = &'static Study> {
    let papers: [&[&'static Study]; 6] = [
        crate::bolz2003::study::claims::STUDIES,
        crate::kruger2003::study::claims::STUDIES,
        crate::goodnight2003::study::claims::STUDIES,
        crate::batty2003::study::claims::STUDIES,
        crate::geveler2011::study::claims::STUDIES,
        crate::retrodiction::claims::STUDIES,
    ];
    papers.into_iter().flatten().copied()
}

/// All scenes, solves and studies.
#[cfg(feature = "plot")]
pub fn subjects() -> Vec<&'static dyn Subject> {
    ALL.iter().copied().chain(studies().map(|study| study as &'static dyn Subject)).collect()
}

/// The scene, the solve or the study of this name.
///
/// # Errors
/// The nearest names.
#[cfg(feature = "plot")]
pub fn subject(name: &str) -> Result<&'static dyn Subject, BoxedError> {
    let all = subjects();
    all.iter().find(|subject| subject.command() == name).copied().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|subject| subject.command()).collect();
        let near = suggestion(name, &names);
        format!("nothing that runs is called {name}. {near}There are {}", names.join(", ")).into()
    })
}
