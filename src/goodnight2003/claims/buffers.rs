//! Figures 4 and 5: ways to store the levels, their changes of the rendering context, and their bytes.
//!
//! The paper stores the levels in four ways, each with fewer changes of the pbuffer that is rendered
//! to than the one before. A pbuffer of 2003 was a rendering context of its own; here a buffer is a
//! framebuffer object, or, where it says so, a context as well.

use super::atlas_picture;
use super::speed::{Timed, draw, sides, timed};
use crate::claim::row::GROWTH;
use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Run, Samples};
use crate::goodnight2003::multigrid::atlas::Atlas;
use crate::goodnight2003::multigrid::storage::Storage;
use crate::goodnight2003::speed::cycles::cycles;
use crate::goodnight2003::speed::problems::flow;
use crate::goodnight2003::{Grid, Hazard, Programs, Settings, Strategy};
use crate::stream::{Buffer, Size};

/// The paper's names of the four ways.
const NAMES: [&str; 4] = ["very naive", "optimised", "two buffers", "one buffer"];

/// Side of the grid for which two buffers run out of memory.
const LARGEST: u32 = 1025;

/// Bounds of a gain of about 1: no effect to halve.
const NO_GAIN: [f64; 2] = [1.0 / GROWTH, GROWTH];

/// Least factor by which a ruined cycle takes longer.
const RUINED: f64 = 2.0;

/// Longest side of a pbuffer in 2003 (§6).
const LIMIT: u32 = 2048;

fn settings(buffer: Buffer) -> [Settings; 4] {
    let with = |storage, programs| Settings {
        storage,
        programs,
        // The original programs had no map of colours either.
        red_black_map: programs != Programs::Original,
        buffer,
        ..Settings::paper_2003()
    };
    [
        with(Strategy::Separate, Programs::Original),
        with(Strategy::Separate, Programs::Fastpath),
        with(Strategy::Two, Programs::Fastpath),
        with(Strategy::One, Programs::Fastpath),
    ]
}

/// Sides of the grids, and the place of the judged one: the paper's statement is on all of them, the
/// middle one stands for them. Contexts take long to make.
fn sizes(run: &Run<'_>) -> (Vec<u32>, usize) {
    let sides = if run.quick {
        run.sizes(&[33, 65], &[])
    } else {
        sides(run)
    };
    let middle = sides.len() / 2;
    (sides, middle)
}

/// Gains of the optimised programs, of two buffers, and of one.
fn gains(samples: &Samples) -> [Interval; 3] {
    [0, 1, 2].map(|way| samples.ratio(way, way + 1))
}

pub(super) fn contexts(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (sides, middle) = sizes(run);
    let judged = sides[middle];
    let measure = |buffer, sides: &[u32], decided: &dyn Fn(u32, &Samples) -> bool| {
        let works = |n| cycles(run.machine, &flow(n)?, settings(buffer));
        timed(run, sides, works, decided)
    };
    let with_contexts = measure(Buffer::Context, &sides, &|n, samples| {
        let [_, two, one] = gains(samples);
        n != judged || claim.decides_each(&[two, one])
    })?;
    let smaller: Vec<u32> = (sides.iter().copied())
        .filter(|&n| n < LARGEST || n == judged)
        .collect();
    let with_framebuffers = measure(Buffer::Framebuffer, &smaller, &|_, _| true)?;
    draw(
        run,
        [
            "fig4",
            "A rendering context for each buffer",
            "Seconds per V-cycle, the levels stored in four ways, a rendering context per buffer.",
        ],
        &NAMES,
        &with_contexts,
    )?;
    draw(
        run,
        [
            "fig4-framebuffers",
            "Framebuffer objects of one context",
            "The same with framebuffer objects, which share one context, on all but the largest grid.",
        ],
        &NAMES,
        &with_framebuffers,
    )?;
    let Timed {
        samples, ledgers, ..
    } = &with_contexts[middle];
    let [programs, two, one] = gains(samples);
    let fbo = gains(&with_framebuffers[middle].samples);
    let changes: Vec<f64> = (ledgers.iter())
        .map(|ledger| ledger.buffer_switches as f64)
        .collect();
    Ok(Found::new()
        .between(
            format!("times as long with the original programs at {judged}²"),
            programs.median,
            NO_GAIN,
        )
        .ratio(
            "times as long with a pair per level as with two buffers",
            two,
        )
        .ratio("times as long with two buffers as with one", one)
        .shows(
            "changes of the buffer per cycle, a pair per level",
            changes[1],
        )
        .at_most("with two buffers", changes[2], changes[1])
        .at_most("with one buffer", changes[3], 1.0)
        .shows("gains with framebuffer objects: programs", fbo[0])
        .shows("two buffers", fbo[1])
        .shows("one buffer", fbo[2])
        .because("A change of the rendering context is cheap here."))
}

/// Bytes of the paper's three ways to store the levels of the largest grid, maps not counted.
pub(super) fn memory(run: &mut Run<'_>, _: &Claim) -> Checked {
    let sizes = levels(&flow(LARGEST)?.grid);
    let megabytes = |storage| -> Result<f64, BoxedError> {
        let paper = Settings {
            storage,
            ..Settings::paper_2003()
        };
        let limit = paper.surface_limit.unwrap_or(u32::MAX);
        let storage = Storage::new(run.machine, &paper, &sizes, limit)?;
        let texels = |(width, height): Size| f64::from(width) * f64::from(height);
        let texels: f64 = storage.surfaces().iter().map(|s| texels(s.size())).sum();
        Ok(1e-6 * texels * paper.precision.bytes() as f64)
    };
    let [separate, two, one] = Strategy::ALL.map(megabytes);
    let (separate, two, one) = (separate?, two?, one?);
    Ok(Found::new()
        .ratio("times the bytes of the larger of the other ways", two / separate.max(one))
        .shows_in("separate", separate, "MB")
        .shows_in("two", two, "MB")
        .shows_in("one", one, "MB")
        .because("By count two buffers are not the largest; what a driver of 2003 kept for a buffer is not known."))
}

/// A cycle with each way to avoid that a pass reads what the one before may still write.
pub(super) fn finish(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (sides, middle) = sizes(run);
    let settings = || {
        [Hazard::Barrier, Hazard::Finish, Hazard::Copy].map(|hazard| Settings {
            hazard,
            ..Settings::paper_2003()
        })
    };
    let timed = timed(
        run,
        &sides[middle..=middle],
        |n| cycles(run.machine, &flow(n)?, settings()),
        |_, s| claim.decides_each(&[s.ratio(1, 0), s.ratio(2, 0)]),
    )?;
    let Timed {
        n,
        samples,
        ledgers,
    } = &timed[0];
    let [finish, copy] = [1, 2].map(|way| samples.ratio(way, 0));
    let total = ledgers[0].total();
    Ok(Found::new()
        .ratio(format!("times as long with glFinish at {n}²"), finish)
        .at_least("median", finish.median, RUINED)
        .ratio("times as long with copies", copy)
        .shows("passes per cycle", total.passes as f64)
        .shows("passes that read their surface", total.feedback as f64)
        .because("Few passes of a cycle read the surface that they write, and waiting for a software GPU is cheap."))
}

fn levels(grid: &Grid) -> Vec<Size> {
    (0..grid.levels()).map(|level| grid.size(level)).collect()
}

pub(super) fn atlas(run: &mut Run<'_>, _: &Claim) -> Checked {
    let sizes = levels(&Grid::unit(LARGEST, LARGEST)?);
    let atlas = Atlas::pack(&sizes, LIMIT)?;
    let (width, height) = atlas.size;
    let places = &atlas.places;
    let pairs = (0..places.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let overlaps = pairs
        .filter(|&(a, b)| places[a].overlaps(places[b]))
        .count();
    let placed = places.iter().map(|place| (place.width, place.height));
    let is_complete = placed.eq(sizes.iter().copied());
    // Any packing holds the two largest next to each other, or one above the other.
    let least = f64::from(sizes[0].0 + sizes[1].0) * f64::from(sizes[0].1);
    let used: u64 = places.iter().map(|place| place.area()).sum();
    let area = f64::from(width) * f64::from(height);
    let picture = atlas_picture::draw(&sizes, LIMIT)?;
    let caption =
        "Positions of the levels of 1025²: two buffers, as the paper had them first, and one.";
    run.image("fig5", caption, &picture)?;
    Ok(Found::new()
        .shows_text("surface of 1025²", format!("{width}×{height}"))
        .at_most(
            "longer side",
            f64::from(width.max(height)),
            f64::from(LIMIT),
        )
        .equal("texels", area, least)
        .equal("overlaps", overlaps as f64, 0.0)
        .holds("all levels in full", is_complete)
        .shows_in("used", 100.0 * used as f64 / area, "%")
        .shows("largest square in 2048²", f64::from(largest_side()?))
        .because("No surface is smaller: the two largest levels take as much in any packing."))
}

/// The most nodes per side for which all levels fit the paper's surface.
fn largest_side() -> Result<u32, BoxedError> {
    let (mut fitting, mut too_large) = (LARGEST, LIMIT + 1);
    while too_large - fitting > 1 {
        let middle = (fitting + too_large) / 2;
        match Atlas::pack(&levels(&Grid::unit(middle, middle)?), LIMIT) {
            Ok(_) => fitting = middle,
            Err(_) => too_large = middle,
        }
    }
    Ok(fitting)
}
