//! Judging a picture drawn from the solver's textures: it has to match the interpreter's.

use std::rc::Rc;

use crate::card::interpret::Witness;
use crate::claim::{BoxedError, Found};
use crate::kruger2003::SimulationError;
use crate::picture::Canvas;
use crate::stream::Machine;

/// Largest share of a picture that may differ by more than one of 255 shades: at edges rounding decides.
const VISIBLE: f64 = 0.01;

/// Draws a small picture, and adds its comparison with the interpreter's picture from the program's
/// text in double precision to the finding.
pub(super) fn compared(
    found: Found,
    machine: &Machine,
    draw: impl FnOnce(&Canvas) -> Result<(), SimulationError>,
) -> Result<Found, BoxedError> {
    let canvas = Canvas::with_samples(machine, (64, 48), 1)?;
    let witness = Rc::new(Witness::default());
    let observation = machine.observe(witness.clone())?;
    draw(&canvas)?;
    drop(observation);
    let seen = witness.findings().into_values().next();
    let seen = seen.ok_or("nothing was drawn")?;
    let share = seen.visible as f64 / seen.numbers as f64;
    let name = "share of a small picture more than a shade from the interpreter's";
    let found = found.at_most(name, share, VISIBLE).holds(
        "the rest is within the bound of its rounding errors",
        seen.contradiction.is_none(),
    );
    Ok(match seen.contradiction {
        Some(contradiction) => found.because(contradiction),
        None if seen.visible > 0 => found.because(
            "Where the picture differs from the interpreter's, rounding errors decide on which side of an edge a \
             sample is.",
        ),
        None => found,
    })
}
