//! Requests of lessons to the library below the player of films: to check a program while it is typed, and to film a scene again
//! with it.

use std::collections::BTreeMap;

use crate::card::count::{Count, count};
use crate::film::FilmError;
use crate::film::scenes::find;
use crate::program::Listing;
use crate::program::dialect::{check_assembled, report};
use crate::stream::{Limits, Machine};

use super::{Checked, Counted};

/// Checks an assembled program against the rules of the era, and counts its instructions.
pub fn check_program(whole: &str) -> Checked {
    let violations = check_assembled(whole).into_iter();
    Checked {
        violations: violations.map(|one| (one.line, report(&[one]))).collect(),
        count: count(whole).ok().map(|count| Counted {
            instructions: count.instructions,
            fetches: count.fetches,
            registers: count.registers,
            dependent_levels: count.dependent_levels,
            by_kind: count.by_kind.clone(),
            fits: fits(&count),
        }),
        listing: Listing::of(whole).ok().map(|listing| listing.to_string()),
    }
}

/// Films a scene with other texts of some programs, by their names; on its usual grid if `grid` is 0. Returns the text of the
/// film.
///
/// # Errors
/// Those of [`Scene::film_edited`](crate::film::scenes::Scene::film_edited), and [`FilmError::Unknown`].
pub fn film_edited(
    machine: &Machine,
    scene: &str,
    grid: u32,
    edits: BTreeMap<String, String>,
) -> Result<String, FilmError> {
    let grid = Some(grid).filter(|&grid| grid > 0);
    find(scene)?.film_edited(machine, grid, edits)?.text()
}

/// The cards of 2003 that can run a program.
fn fits(count: &Count) -> String {
    let excess = |limits: &Limits| limits.excesses(count).join(", ");
    match (excess(&Limits::NV30), excess(&Limits::R300)) {
        (nv30, r300) if nv30.is_empty() && r300.is_empty() => "Fits all cards of 2003.".into(),
        (nv30, r300) if nv30.is_empty() => {
            format!("Fits a GeForce FX. Exceeds a Radeon 9800: {r300}.")
        }
        (nv30, _) => format!("Exceeds all cards of 2003: {nv30}."),
    }
}
