//! §6: times of both simulations' steps, and of an iteration of conjugate gradients in them.

use crate::card::cost::RADEON_9800;
use crate::claim::{Checked, Claim, Found, Interval, Race, Run, times};
use crate::experiment::Experiment;
use crate::kruger2003::Error;
use crate::kruger2003::explicit::Explicit;
use crate::kruger2003::scenes::{dye, water};
use crate::kruger2003::study::SIX_DIAGONALS;
use crate::kruger2003::study::cases::{banded_product, rough_water, stirred_fluid};
use crate::stream::{Format, Layout, Machine};
use crate::timing::Work;
use crate::timing::cost::all;
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
fn water(machine: &Machine, settings: &water::Settings) -> Result<Work<'static>, Error> {
    let mut water = rough_water(machine, settings.water)?;
    Ok(work(move |_| water.step()))
}

/// A frame of the fluid.
fn fluid(machine: &Machine, settings: &dye::Settings) -> Result<Work<'static>, Error> {
    let mut fluid = stirred_fluid(machine, settings.fluid())?;
    Ok(work(move |_| fluid.step()))
}

pub(super) fn iteration(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [basins @ .., dye] = run.several::<4>(claim)?;
    let machine = run.machine;
    let [five, one, small] = all(basins.each_ref().map(Experiment::typed::<water::Settings>))?;
    let (side, rows) = five.water.size;
    let (row, n) = (side as usize, (side * rows) as usize);
    let layout = Layout::grid((side, rows), Format::R32F);
    let mut product = banded_product(machine, layout, &[0, 1, row, n - row, n - 1], None)?.kernel;
    let works = [
        ("frame of water, 512²", water(machine, &small)?),
        ("frame of water, 1024²", water(machine, &five)?),
        ("water with one iteration", water(machine, &one)?),
        ("matrix–vector product", work(move |_| (0..TOGETHER).try_for_each(&mut product))),
        ("frame of the fluid, 1024²", fluid(machine, &dye.typed()?)?),
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
    race.decide(run, claim, |laps| {
        let name = "as long as a product";
        Found::new()
            .raced(laps, times(name), |lap| iteration(lap) / lap["matrix–vector product"])
            .shows("cells per side", f64::from(side))
    })
}

pub(super) fn sizes(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let each @ [_, large] = run.each::<water::Settings, 2>(claim)?;
    let [small, five] = all(each.map(|settings| water(run.machine, &settings)))?;
    Race::new([("small", small), ("large", five)]).decide(run, claim, |laps| {
        Found::new()
            .raced(laps, times("as long on four times as many cells"), ratio("large", "small"))
            .shows("cells per side", f64::from(large.water.size.0))
            .because("Only the steps are timed; the paper's frames include drawing.")
    })
}

pub(super) fn rate(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [dye, basin] = run.several(claim)?;
    let (dye, basin): (dye::Settings, water::Settings) = (dye.typed()?, basin.typed()?);
    let works = [("water", water(run.machine, &basin)?), ("fluid", fluid(run.machine, &dye)?)];
    Race::new(works).decide(run, claim, |laps| {
        let name = times("the rate of water, for the fluid");
        Found::new()
            .raced(laps, name, ratio("water", "fluid"))
            .shows("cells per side", f64::from(dye.size.0))
            .because(
                "A step of water takes five iterations; a step of the fluid takes four, and also carries dye. The \
                 paper's frames include drawing.",
            )
    })
}

pub(super) fn explicit(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (basin, _) = run.settings::<water::Settings>(claim)?;
    let (side, _) = basin.water.size;
    let zeros = vec![0.0; (side * side) as usize];
    let mut explicit = Explicit::new(run.machine, side, EXPLICIT_COURANT, &zeros)?;
    let works = [
        ("implicit scheme", water(run.machine, &basin)?),
        ("explicit scheme", work(move |_| (0..TOGETHER).try_for_each(|_| explicit.step()))),
    ];
    let race = Race::new(works).per("explicit scheme", TOGETHER as f64);
    race.decide(run, claim, |laps| {
        let step = laps.ratio("implicit scheme", "explicit scheme");
        // An implicit step lasts as long as this number of explicit ones.
        let steps = COURANT.map(|courant| courant / EXPLICIT_COURANT);
        let curve = Interval::span(steps.map(|steps| step.times(1.0 / steps)));
        let name = "as long as the explicit scheme for the same simulated time, at Courant numbers of 2 to 8";
        Found::new()
            .at_most(times(name), curve, NOT_SIGNIFICANT)
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
