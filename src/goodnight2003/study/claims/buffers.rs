//! Figures 4 and 5: ways to store the levels, with their changes of the rendering context and their bytes.

use super::speed::{NODES, draw, on, race_of, side, sides};
use crate::card::cost::OPENGL;
use crate::card::cost::clock::{SWITCH, WAIT};
use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Race, Races, Run, Table, times};
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::goodnight2003::multigrid::storage::Storage;
use crate::goodnight2003::scenes::heat::Stated;
use crate::goodnight2003::solves::{HEAT, heat};
use crate::goodnight2003::study::cases::{BUFFERS, HAZARDS};
use crate::goodnight2003::study::pictures::surfaces;
use crate::goodnight2003::{Atlas, Grid};
use crate::stream::Size;
use crate::timing::cost::all;
use crate::timing::interval::meets;
use crate::timing::laps::{Lap, ratio};

/// Smallest factor by which a ruined cycle is slower.
const RUINED: f64 = 2.0;

/// Printed factors of two buffers over a pair per level, and of one buffer over two: 8 to 10 % more.
pub(super) const TWO_BUFFERS: f64 = 3.0;
pub(super) const ONE_BUFFER: f64 = 1.09;

pub(super) fn contexts(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [naive, pair, two, one] = BUFFERS[0];
    let (by_original, by_two, by_one) = (ratio(naive, pair), ratio(pair, two), ratio(two, one));
    let each = run.several::<4>(claim)?;
    let sides = sides(&each[0])?;
    let races = Races::new(&sides, sides.len() / 2, |n| race_of(run, BUFFERS[0], &on(n, &each)?))?;
    // The statement covers all grids, and the figure shows what is judged.
    let mut table = Table::new("", ["ratio", NODES, "times"]);
    let (mut original, mut gains) = (Vec::new(), [Vec::new(), Vec::new()]);
    for (n, race) in races.each() {
        let (ways, laps) = (by_clock(race)?, race.laps(run)?);
        original.push(by_original(&ways).into());
        let printed = [("pair / two", &by_two, TWO_BUFFERS), ("two / one", &by_one, ONE_BUFFER)];
        for ((name, ratio, printed), gains) in printed.into_iter().zip(&mut gains) {
            let value = ratio(&ways);
            gains.push([f64::from(n), value]);
            let nodes = n as usize;
            table.point(&format!("{name}, printed clock"), nodes, [Interval::from(value)]);
            table.point(&format!("{name}, here"), nodes, [laps.of(ratio)]);
            table.point(&format!("{name}, paper"), nodes, [Interval::from(printed)]);
        }
    }
    let [two_buffers, one_buffer] =
        gains.each_ref().map(|curve| Interval::span(curve.iter().map(|point| point[1].into())));
    let (n, race) = races.judged();
    let (switches, laps) = (race.counts(|ledger| ledger.buffer_switches as f64), race.laps(run)?);
    let here = by_clock(race)?;
    let mut found = Found::new()
        .curve(
            times("as long with the original programs, on all grids"),
            Interval::span(original),
            1.0,
        )
        .curve(
            times("as long with a pair per level as with two buffers, on all grids"),
            two_buffers,
            TWO_BUFFERS,
        )
        .here(times("as long with a pair per level here"), laps.of(by_two))
        .curve(times("as long with two buffers as with one, on all grids"), one_buffer, ONE_BUFFER)
        .here(times("as long with two buffers as with one here"), laps.of(by_one))
        .list(
            "medians in the order of the paper's numbers",
            [two_buffers.median, one_buffer.median],
            "times",
        )
        .shows("nodes per side, for what is measured here and the changes", f64::from(n))
        .shows(times("as long with the original programs, by the clock there"), by_original(&here))
        .shows(times("as long with a pair per level, by the clock there"), by_two(&here))
        .shows(times("as long with two buffers, by the clock there"), by_one(&here))
        .shows("buffer changes per cycle, a pair per level", switches[pair])
        .at_most("buffer changes per cycle, two buffers", switches[two], switches[pair])
        .at_most("buffer changes per cycle, one buffer", switches[one], 1.0)
        .shows("printed time of a change", (1e3 * SWITCH.seconds, "ms"))
        .shows(times("as long with the original programs here"), laps.of(by_original));
    for (curve, printed) in gains.iter().zip([TWO_BUFFERS, ONE_BUFFER]) {
        if let Some(n) = meets(curve, printed) {
            found =
                found.shows(format!("nodes per side with the printed {printed} times"), n.round());
        }
    }
    let title = "Levels in a pair of buffers each, in two and in one, by the printed clock";
    draw(run, ["fig4", title], &table)?;
    Ok(found.because(
        "The time of a change is that of bolz2003's driver, because goodnight2003 prints none. Here it is cheap. The time \
         of changes grows with the number of levels, that of the passes with the number of nodes.",
    ))
}

/// Seconds of the ways by the model, with the printed time of a change in place of the fitted one.
fn by_clock(race: &Race<'_>) -> Result<Lap, BoxedError> {
    let switches = race.counts(|ledger| ledger.buffer_switches as f64);
    let model = race.model().ok_or("a cycle without a model")?;
    Ok(model.map(|way, seconds| seconds + switches[way] * (SWITCH.seconds - OPENGL.switch)))
}

/// Bytes of the levels, without maps.
pub static BYTES: Study = Study::measuring(
    "goodnight2003/bytes",
    "Bytes of the surfaces that hold the levels, without maps",
    Takes::of(&HEAT, "paper", "size storage precision surface_limit"),
    &[("megabytes", "MB", "of all surfaces")],
    |experiment, place| {
        let one = heat::Settings { problem: Some(Stated::Flow), ..experiment.typed()? };
        let (sizes, method) = (levels(&one.problem()?.grid), one.method.settings());
        let limit = method.surface_limit.unwrap_or(u32::MAX);
        let storage = Storage::new(place.machine, &method, &sizes, limit)?;
        let texels = storage.surfaces.iter().map(|surface| {
            let (width, height) = surface.size();
            f64::from(width) * f64::from(height)
        });
        let mut record = Record::new();
        let megabytes = 1e-6 * texels.sum::<f64>() * method.precision.bytes() as f64;
        record.one("megabytes", megabytes);
        Ok(record)
    },
);

/// Compares the bytes of the paper's three ways to store the levels.
pub(super) fn memory(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let records = run.records::<3>(claim)?;
    let [separate, two, one] = all(records.each_ref().map(|record| record.last("megabytes")))?;
    let others = separate.max(one);
    Ok(Found::new()
        .ratio(times("the bytes of the larger of the other two ways"), two / others)
        .shows("separate", (separate, "MB"))
        .shows("two", (two, "MB"))
        .shows("one", (one, "MB"))
        .because("The memory that a driver of 2003 allocated per buffer is not known."))
}

/// Waits for all drawing between each pass and the next that reads what it wrote: their number in a cycle, and what they
/// cost in the driver of 2003.
pub(super) fn finish(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let each = run.several::<3>(claim)?;
    let sides = sides(&each[0])?;
    let races = Races::new(&sides, sides.len() / 2, |n| race_of(run, HAZARDS[0], &on(n, &each)?))?;
    let (mut waiting, mut copying) = (Vec::new(), Vec::new());
    for (n, race) in races.each() {
        let waits = race.counts(|ledger| ledger.finishes as f64)["glFinish"];
        let model = race.model().ok_or("a cycle without a model")?;
        waiting.push([f64::from(n), 1.0 + waits * WAIT.seconds / model["barrier"]]);
        copying.push(ratio("copies", "barrier")(&model).into());
    }
    let waiting_on_all = Interval::span(waiting.iter().map(|point| point[1].into()));
    let (n, race) = races.judged();
    let (laps, waits) = (race.laps(run)?, race.counts(|ledger| ledger.finishes as f64));
    let passes = race.counts(|ledger| ledger.total().passes as f64);
    let model = race.model().ok_or("a cycle without a model")?;
    let by_clock = 1.0 + waits["glFinish"] * WAIT.seconds / model["barrier"];
    let found = Found::new()
        .ratio(times("as long with glFinish, on all grids"), waiting_on_all)
        .here(times("as long with glFinish here"), laps.ratio("glFinish", "barrier"))
        .curve("with glFinish, on all grids", waiting_on_all, RUINED)
        .ratio(times("as long with copies, on all grids"), Interval::span(copying))
        .here(times("as long with copies here"), laps.ratio("copies", "barrier"))
        .each("times")
        .shows("nodes per side, for what is measured here and the counts", f64::from(n))
        .shows(times("as long with glFinish, by the clock there"), by_clock)
        .shows(times("as long with copies, by the model there"), ratio("copies", "barrier")(&model))
        .shows("waits per cycle", waits["glFinish"])
        .shows("passes per cycle", passes["barrier"])
        .shows("passes per cycle with copies", passes["copies"])
        .shows("printed time of a wait", (1e3 * WAIT.seconds, "ms"))
        .because(
            "The time of waits grows with the number of passes, that of the passes with the number of nodes, so that small grids \
             are ruined and large ones are not.",
        );
    Ok(match meets(&waiting, RUINED) {
        Some(n) => found.shows("nodes per side up to which a wait doubles the time", n.round()),
        None => found,
    })
}

fn levels(grid: &Grid) -> Vec<Size> {
    (0..grid.levels()).map(|level| grid.size(level)).collect()
}

/// All levels in one surface.
pub static ATLAS: Study = Study::measuring(
    "goodnight2003/atlas",
    "Positions of all levels in one surface",
    Takes::of(&HEAT, "paper", "size surface_limit"),
    &[
        ("width", "texels", "of the surface"),
        ("height", "texels", "of the surface"),
        ("overlaps", "", "pairs of levels that overlap"),
        ("complete", "", "1 if all levels have their full size"),
        ("least", "texels", "that any packing takes"),
        ("used", "texels", "of the levels"),
        ("largest", "nodes", "along the side of the largest square that fits"),
    ],
    packed,
);

fn packed(experiment: &Experiment, _: Place<'_>) -> Result<Record, BoxedError> {
    let settings = heat::Settings { problem: Some(Stated::Plate), ..experiment.typed()? };
    let limit =
        settings.method.solver.surface_limit.ok_or("--surface-limit: give the longest side")?;
    let (n, sizes) = (side(&settings)?, levels(&settings.problem()?.grid));
    let atlas = Atlas::pack(&sizes, limit)?;
    let (width, height) = atlas.size;
    let places = &atlas.places;
    let pairs = (0..places.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let overlaps = pairs.filter(|&(a, b)| places[a].overlaps(places[b])).count();
    let placed = places.iter().map(|place| (place.width, place.height));
    let is_complete = placed.eq(sizes.iter().copied());
    // Any packing has the two largest next to each other, or one above the other.
    let least = f64::from(sizes[0].0 + sizes[1].0) * f64::from(sizes[0].1);
    let used: u64 = places.iter().map(|place| place.area()).sum();
    let mut record = Record::new();
    let found = [
        ("width", f64::from(width)),
        ("height", f64::from(height)),
        ("overlaps", overlaps as f64),
        ("complete", f64::from(u8::from(is_complete))),
        ("least", least),
        ("used", used as f64),
        ("largest", f64::from(largest_side(n, limit)?)),
        ("nodes", f64::from(n)),
    ];
    found.into_iter().for_each(|(name, number)| record.one(name, number));
    let caption = format!(
        "Positions of the levels of {n}², from the finest (blue) to the coarsest (yellow): the paper's two buffers, and one."
    );
    record.picture("fig5", caption, surfaces(&sizes, limit)?);
    Ok(record)
}

pub(super) fn atlas(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [record] = run.records(claim)?;
    run.pictures(&record);
    let [width, height, overlaps, complete, least, used, largest, n, limit] = all([
        "width",
        "height",
        "overlaps",
        "complete",
        "least",
        "used",
        "largest",
        "nodes",
        "settings.surface_limit",
    ]
    .map(|name| record.last(name)))?;
    let area = width * height;
    Ok(Found::new()
        .shows(format!("surface of {n}²"), format!("{width}×{height}"))
        .headline("texels")
        .at_most("longer side", width.max(height), limit)
        .equal("texels", area, least)
        .equal("overlaps", overlaps, 0.0)
        .holds("all levels in full size", complete == 1.0)
        .shows("used", (100.0 * used / area, "%"))
        .shows(format!("largest square in {limit}²"), largest)
        .because("In any packing the two largest levels take the same number of texels."))
}

/// The largest number of nodes per side, at least `n`, for which all levels fit in a surface.
fn largest_side(n: u32, limit: u32) -> Result<u32, BoxedError> {
    let (mut fitting, mut too_large) = (n, limit + 1);
    while too_large - fitting > 1 {
        let middle = (fitting + too_large) / 2;
        match Atlas::pack(&levels(&Grid::unit(middle, middle)?), limit) {
            Ok(_) => fitting = middle,
            Err(_) => too_large = middle,
        }
    }
    Ok(fitting)
}
