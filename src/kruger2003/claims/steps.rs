//! §6: times of both simulations' steps, and of an iteration of conjugate gradients in them.

use crate::claim::{BoxedError, Checked, Claim, Found, Race, Run, times};
use crate::kruger2003::FluidSettings;
use crate::kruger2003::cases::{banded_product, rough_water, stirred_fluid};
use crate::kruger2003::explicit::Explicit;
use crate::kruger2003::scenes::water;
use crate::scene::Settings as _;
use crate::stream::{Format, Layout};
use crate::timing::rig::work;

use super::speed::durations;

/// Short works timed together.
const TOGETHER: usize = 4;
/// A Courant number with which the explicit scheme is stable: below √½.
const EXPLICIT_COURANT: f64 = 0.7;
/// Largest factor of the time that is not significantly more.
const NOT_SIGNIFICANT: f64 = 2.0;

/// Cells per side of the larger grid; the smaller one has half.
fn side(run: &Run<'_>) -> u32 {
    run.pick(256, 1024)
}

/// Water on a quarter of the cells; with five iterations; with one; a product; the fluid; water by the explicit scheme.
type Steps = Race<'static, [f64; 6]>;

fn steps(run: &mut Run<'_>) -> Result<Steps, BoxedError> {
    let (machine, side) = (run.machine, side(run));
    let mut small = rough_water(machine, side / 2, 5)?;
    let mut five = rough_water(machine, side, 5)?;
    let mut one = rough_water(machine, side, 1)?;
    let mut fluid = stirred_fluid(machine, FluidSettings::new(side, side))?;
    let (row, n) = (side as usize, (side * side) as usize);
    let mut explicit = Explicit::new(machine, side, EXPLICIT_COURANT, &vec![0.0; n])?;
    let layout = Layout::grid((side, side), Format::R32F);
    let mut product = banded_product(machine, layout, &[0, 1, row, n - row, n - 1], None)?.kernel;
    let works = [
        ("frame of water, 512²", work(move |_| small.step())),
        ("frame of water, 1024²", work(move |_| five.step())),
        ("water with one iteration", work(move |_| one.step())),
        ("matrix–vector product", work(move |_| (0..TOGETHER).try_for_each(&mut product))),
        ("frame of the fluid, 1024²", work(move |_| fluid.step())),
        ("explicit scheme", work(move |_| (0..TOGETHER).try_for_each(|_| explicit.step()))),
    ];
    let together = TOGETHER as f64;
    Ok(Race::new(works).per([1.0, 1.0, 1.0, together, 1.0, together]))
}

pub(super) fn iteration(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let race = run.once(steps)?;
    // The rest of a step cancels.
    let iteration = |[_, five, one, ..]: [f64; 6]| (five - one).max(0.0) / 4.0;
    let laps = race.laps(run)?;
    let [small, five, _, product, fluid, _] = laps.intervals()[..] else {
        return Err("six works have six times".into());
    };
    let rows = [
        ("matrix–vector product", 4.54, product),
        ("iteration of conjugate gradients", 15.4, laps.of(iteration)),
        ("frame of water, 512²", 1e3 / 43.0, small),
        ("frame of water, 1024²", 1e3 / 13.0, five),
        ("frame of the fluid, 1024²", 1e3 / 9.0, fluid),
    ];
    let caption = "Steps of the simulations (a quarter of the sides in quick mode). The paper's frames include drawing.";
    run.table("steps", durations(caption, &rows));
    let side = f64::from(side(run));
    race.decide(run, claim, |laps| {
        let name = "as long as a product";
        Found::new()
            .raced(laps, times(name), |round| iteration(round) / round[3])
            .shows("cells per side", side)
    })
}

pub(super) fn sizes(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let side = f64::from(side(run));
    run.once(steps)?.decide(run, claim, |laps| {
        Found::new()
            .raced(laps, times("as long on four times as many cells"), |[small, five, ..]| {
                five / small
            })
            .shows("cells per side", side)
            .because("Only the steps are timed; the paper's frames include drawing.")
    })
}

pub(super) fn rate(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let side = f64::from(side(run));
    run.once(steps)?.decide(run, claim, |laps| {
        let rate = |[_, water, _, _, fluid, _]: [f64; 6]| water / fluid;
        Found::new().raced(laps, times("the rate of water, for the fluid"), rate).shows("cells per side", side).because(
            "A step of water takes five iterations; a step of the fluid takes four, and also carries dye. The paper's \
             frames include drawing.",
        )
    })
}

pub(super) fn explicit(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let side = f64::from(side(run));
    let courant = water::Settings::preset("fig7")?.settings.water.courant;
    run.once(steps)?.decide(run, claim, |laps| {
        // In the time of one implicit step.
        let steps = courant / EXPLICIT_COURANT;
        let ratio = laps.of(|[_, implicit, .., explicit]| implicit / (steps * explicit));
        let name = "as long as the explicit scheme for the same simulated time";
        Found::new()
            .at_most(times(name), ratio, NOT_SIGNIFICANT)
            .headline("times as long")
            .shows("cells per side", side)
            .because(
                "Water's five iterations take five products and fifteen reductions per step; the explicit scheme takes \
                 a product and no reduction, in steps of a Courant number of 0.7 instead of 2.",
            )
    })
}
