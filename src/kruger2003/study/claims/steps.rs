//! §6: times of both simulations' steps, and of an iteration of conjugate gradients in them.

use crate::card::cost::RADEON_9800;
use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Race, Run, times};
use crate::experiment::{Experiment, Study, Takes};
use crate::kruger2003::explicit::Explicit;
use crate::kruger2003::scenes::dye::{self, DYE};
use crate::kruger2003::scenes::water::{self, WATER};
use crate::kruger2003::study::SIX_DIAGONALS;
use crate::kruger2003::study::cases::{banded_product, rough_water, stirred_fluid};
use crate::stream::{Format, Layout};
use crate::timing::laps::{Lap, ratio};
use crate::timing::rig::work;

use super::speed::durations;

/// Short works timed together.
const TOGETHER: usize = 4;
/// A Courant number with which the explicit scheme is stable: below √½.
const EXPLICIT_COURANT: f64 = 0.7;
/// Courant numbers of the implicit scheme, which is stable with any: that of Fig. 7 here, and larger ones.
const COURANT: [f64; 3] = [2.0, 4.0, 8.0];
/// Largest factor of the time that is not significantly more.
const NOT_SIGNIFICANT: f64 = 2.0;

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
    "A step of water by the explicit scheme",
    Takes::of(&WATER, "paper", "size"),
    |experiment, place| {
        let settings: water::Settings = experiment.typed()?;
        let (side, _) = settings.water.size;
        let zeros = vec![0.0; (side * side) as usize];
        let mut explicit = Explicit::new(place.machine, side, EXPLICIT_COURANT, &zeros)?;
        Ok(work(move |_| explicit.step()))
    },
);

/// Cells along a side.
fn side(experiment: &Experiment) -> Result<u32, BoxedError> {
    Ok(experiment.typed::<water::Settings>()?.water.size.0)
}

pub(super) fn iteration(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let ([five, one, ..], machine) = (run.several::<4>(claim)?, run.machine);
    let [large, single, small, fluid] = run.works(claim)?;
    let [five, one]: [water::Settings; 2] = [five.typed()?, one.typed()?];
    let (side, rows) = five.water.size;
    let (row, n) = (side as usize, (side * rows) as usize);
    let layout = Layout::grid((side, rows), Format::R32F);
    let mut product = banded_product(machine, layout, &[0, 1, row, n - row, n - 1], None)?.kernel;
    let works = [
        ("frame of water, 512²", small),
        ("frame of water, 1024²", large),
        ("water with one iteration", single),
        ("matrix–vector product", work(move |_| (0..TOGETHER).try_for_each(&mut product))),
        ("frame of the fluid, 1024²", fluid),
    ];
    let race = Race::new(works).per("matrix–vector product", TOGETHER as f64);
    let race = race.on(machine, RADEON_9800, |_| 0)?;
    // The rest of a step cancels.
    let fewer = (five.water.iterations - one.water.iterations) as f64;
    let iteration = |lap: &Lap| {
        (lap["frame of water, 1024²"] - lap["water with one iteration"]).max(0.0) / fewer
    };
    let laps = race.laps(run)?;
    let [product, small, large, fluid] = [
        ("matrix–vector product", SIX_DIAGONALS),
        ("frame of water, 512²", 1e3 / 43.0),
        ("frame of water, 1024²", 1e3 / 13.0),
        ("frame of the fluid, 1024²", 1e3 / 9.0),
    ]
    .map(|(name, paper)| (name, paper, laps.seconds(name)));
    let of_cg = ("iteration of conjugate gradients", 15.4, laps.of(iteration));
    let rows = [product, of_cg, small, large, fluid];
    let caption = "Steps of the simulations (a quarter of the sides in quick mode). The paper's frames include drawing.";
    run.table("steps", durations(caption, &rows));
    race.decide(run, |laps| {
        let name = "as long as a product";
        Found::new()
            .raced(laps, times(name), |lap| iteration(lap) / lap["matrix–vector product"])
            .shows("cells per side", f64::from(side))
    })
}

pub(super) fn sizes(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let ([_, of_large], [small, large]) = (run.several(claim)?, run.works(claim)?);
    let side = side(&of_large)?;
    Race::new([("small", small), ("large", large)]).decide(run, |laps| {
        Found::new()
            .raced(laps, times("as long on four times as many cells"), ratio("large", "small"))
            .shows("cells per side", f64::from(side))
            .because("Only the steps are timed; the paper's frames include drawing.")
    })
}

pub(super) fn rate(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let ([_, basin], [fluid, water]) = (run.several(claim)?, run.works(claim)?);
    let side = side(&basin)?;
    Race::new([("water", water), ("fluid", fluid)]).decide(run, |laps| {
        let name = times("the rate of water, for the fluid");
        Found::new()
            .raced(laps, name, ratio("water", "fluid"))
            .shows("cells per side", f64::from(side))
            .because(
                "A step of water takes five iterations; a step of the fluid takes four, and also carries dye. The \
                 paper's frames include drawing.",
            )
    })
}

pub(super) fn explicit(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let ([basin, _], [implicit, mut explicit]) = (run.several(claim)?, run.works(claim)?);
    let side = side(&basin)?;
    let works = [
        ("implicit scheme", implicit),
        ("explicit scheme", work(move |_| (0..TOGETHER).try_for_each(&mut explicit))),
    ];
    let race = Race::new(works).per("explicit scheme", TOGETHER as f64);
    race.decide(run, |laps| {
        let step = laps.ratio("implicit scheme", "explicit scheme");
        // An implicit step lasts as long as this number of explicit ones.
        let steps = COURANT.map(|courant| courant / EXPLICIT_COURANT);
        let curve = Interval::span(steps.map(|steps| step.times(1.0 / steps)));
        let name = "as long as the explicit scheme for the same simulated time, at Courant numbers of 2 to 8";
        Found::new()
            .curve(times(name), curve, 1.0)
            .headline("times")
            .shows("Courant number with twice the time", step.times(EXPLICIT_COURANT / NOT_SIGNIFICANT))
            .shows("Courant number with the same time", step.times(EXPLICIT_COURANT))
            .shows("cells per side", f64::from(side))
            .because(
                "Water's five iterations take five products and fifteen reductions per step; the explicit scheme takes \
                 a product and no reduction, in steps of a Courant number of 0.7.",
            )
    })
}
