//! §6: a picture, compared with the interpreter's from the text of its program.

use std::cell::RefCell;
use std::rc::Rc;

use crate::card::interpreted::{Programs, texture};
use crate::claim::BoxedError;
use crate::experiment::{Declaration, Record};
use crate::kruger2003::Error;
use crate::picture::Canvas;
use crate::program::interpret::Arithmetic;
use crate::stream::{Drawing, Machine, Observer, Switches};

/// One of 255 levels of a channel from 0 to 1.
const SHADE: f64 = 1.0 / 255.0;

/// Share of a picture more than a shade from the interpreter's, in double and in single precision.
#[derive(Default)]
struct Shades {
    programs: Programs,
    shares: RefCell<Option<Result<[f64; 2], BoxedError>>>,
}

impl Shades {
    fn share<T: Arithmetic>(&self, pass: Drawing<'_>, drawn: &[f32]) -> Result<f64, BoxedError> {
        let programs = self.programs.of(pass, false)?;
        let streams = pass.streams.iter();
        let streams = streams.map(|(name, stream)| Ok((*name, Box::new(texture(stream)?))));
        let streams = streams.collect::<Result<Vec<_>, BoxedError>>()?;
        let mut picture = texture(pass.target)?;
        pass.interpret::<T>(&programs, &streams, &mut picture)?;
        let both = picture.data().iter().zip(drawn);
        let visible = both.filter(|&(expected, &drawn)| {
            let light = [f64::from(drawn), expected.to_f64()].map(|light| light.clamp(0.0, 1.0));
            (light[0] - light[1]).abs() > SHADE
        });
        Ok(visible.count() as f64 / drawn.len() as f64)
    }
}

impl Observer for Shades {
    fn after(&self, pass: Drawing<'_>, _: Switches) {
        let shares = pass.target.read_back().map_err(BoxedError::from).and_then(|drawn| {
            Ok([self.share::<f64>(pass, &drawn)?, self.share::<f32>(pass, &drawn)?])
        });
        self.shares.replace(Some(shares));
    }
}

/// Quantities of [`compared`].
pub(super) const VISIBLY: [Declaration; 2] = [
    (
        "visible",
        "share",
        "of a small picture more than a shade from the interpreter's, by the program's text",
    ),
    ("visible_single", "share", "the same with the interpreter in single precision"),
];

/// Draws a small picture, and records its comparison with the interpreter's picture from the program's text in double
/// precision.
pub(super) fn compared(
    record: &mut Record,
    machine: &Machine,
    draw: impl FnOnce(&Canvas) -> Result<(), Error>,
) -> Result<(), BoxedError> {
    let canvas = Canvas::with_samples(machine, (64, 48), 1)?;
    let shades = Rc::new(Shades::default());
    let observation = machine.observe(shades.clone())?;
    draw(&canvas)?;
    drop(observation);
    let shares = shades.shares.take().ok_or("nothing was drawn")??;
    VISIBLY.iter().zip(shares).for_each(|((name, ..), share)| record.one(*name, share));
    Ok(())
}
