//! §6: times of both simulations' steps, and of an iteration of conjugate gradients in them.

use crate::experiment::{Study, Takes};
use crate::kruger2003::explicit::Explicit;
use crate::kruger2003::scenes::dye::{self, DYE};
use crate::kruger2003::scenes::water::{self, WATER};
use crate::kruger2003::study::cases::{rough_water, stirred_fluid};
use crate::timing::rig::work;

/// A Courant number with which the explicit scheme is stable: below √½.
const EXPLICIT_COURANT: f64 = 0.7;

/// A frame of water.
pub static WATER_STEP: Study = Study::timing(
    "kruger2003/water-step",
    "A step of water in waves",
    Takes::of(&WATER, "paper", "size iterations"),
    |experiment, place| {
        let settings: water::Settings = experiment.typed()?;
        let mut water = rough_water(place.machine, settings.water)?;
        Ok(work(move |_| water.step()))
    },
);

/// A frame of the fluid.
pub static FLUID_STEP: Study = Study::timing(
    "kruger2003/fluid-step",
    "A step of a fluid that pens have stirred",
    Takes::of(&DYE, "paper", "size iterations interpolation"),
    |experiment, place| {
        let settings: dye::Settings = experiment.typed()?;
        let mut fluid = stirred_fluid(place.machine, settings.fluid())?;
        Ok(work(move |_| fluid.step()))
    },
);

/// A step of the explicit scheme.
pub static EXPLICIT_STEP: Study = Study::timing(
    "kruger2003/explicit-step",
    "A step of water by the explicit scheme, at a Courant number of 0.7",
    Takes::of(&WATER, "paper", "size"),
    |experiment, place| {
        let settings: water::Settings = experiment.typed()?;
        let (side, _) = settings.water.size;
        let zeros = vec![0.0; (side * side) as usize];
        let mut explicit = Explicit::new(place.machine, side, EXPLICIT_COURANT, &zeros)?;
        Ok(work(move |_| explicit.step()))
    },
);
