//! §3.2.1: the time of a rectangle drawn alone when only arithmetic counts, by the method of Fig. 3. The staircase and
//! the waste of small grids, measured.

use crate::base::interval::range;
use crate::base::order::ShortSort;
use crate::bolz2003::rectangles::{BEST, Rectangles};
use crate::card::cost::Nv30;
use crate::card::cost::rectangle::even_sizes;
use crate::claim::{Checked, Claim, Found, Interval, Race, Run, Table, times};
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::timing::laps::Laps;

use super::model::{ASPECT, LARGEST_AREA, SIDES, waste};

pub(super) fn staircase(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (instructions, stride) = run.pick((2000, 5), (8000, 1));
    let mut sizes = even_sizes(LARGEST_AREA, ASPECT);
    sizes.order_by_key(|&(w, h)| (w * h, w));
    let some = sizes.into_iter().enumerate();
    let some = some.filter(|(k, size)| k % stride == 0 || *size == BEST);
    let all = Rectangles::new(some.map(|(_, size)| size).collect(), |_| instructions);
    let step = |seconds: &[f64]| {
        let mean = |from: f64, to: f64| {
            let inside = (0..seconds.len()).filter(|&one| (from..to).contains(&all.area(one)));
            let inside: Vec<f64> = inside.map(|one| seconds[one]).collect();
            inside.iter().sum::<f64>() / inside.len() as f64
        };
        mean(480.0, 580.0) / mean(370.0, 470.0)
    };
    let race = Race::new(all.works(run.machine)?);
    let found = race.decide(run, |laps| {
        let name = "as long just above the step as just below";
        Found::new().ratio(times(name), laps.of(|lap| step(&all.seconds(lap))))
    })?;
    let laps = race.laps(run)?;
    let best = all.sizes.iter().position(|&size| size == BEST).ok_or("26×18 is missing")?;
    let count = all.sizes.len();
    let here = (0..count).map(|one| {
        let relative = laps.of(|lap| {
            let seconds = all.seconds(lap);
            seconds[one] / seconds[best]
        });
        // The time of a draw without its program is subtracted, which may leave less than nothing.
        (all.area(one), Interval { low: relative.low.max(0.0), ..relative })
    });
    let nv30 = Nv30::default();
    let model = (0..count).map(|one| {
        let (width, height) = all.sizes[one];
        let tuples = nv30.tuples(width, height).total();
        (all.area(one), nv30.batches(tuples) as f64)
    });
    let here = Series::measured("here", Style::Points, here);
    let series = [here, Series::new("model", Style::Points, model)];
    let axes = ["area of the rectangle (pixels)", "time (26×18 = 1)"].map(Axis::linear);
    let chart = Chart::new("The same experiment today", axes, series)
        .marked([(f64::from(BEST.0 * BEST.1), "26×18")]);
    let caption = "Multiply-adds without fetches, one rectangle per draw, waiting for each draw; and the model of the \
                   GeForce FX, whose staircase the measurement would have to follow. Intervals end at zero, below which no \
                   time is.";
    run.chart("fig3-measured", caption, &chart)?;
    Ok(found.because(
        "Without batches of 512 fragments time grows with the area, which alone gives 1.2 to 1.3.",
    ))
}

pub(super) fn small_grids(run: &mut Run<'_>, _: &Claim) -> Checked {
    let work = run.pick(3_000_000, 20_000_000);
    // Small grids get longer programs, so that each draw takes about as long.
    let instructions = |area: u32| (work / area).clamp(100, 20_000);
    let all = Rectangles::new(SIDES.map(|side| (side, side)).into(), instructions);
    let race = Race::new(all.works(run.machine)?);
    // Time per fragment on one grid relative to that on another.
    let ratio = |laps: &Laps, k: usize, by: usize| {
        laps.of(|lap| {
            let seconds = all.seconds(lap);
            seconds[k] / all.area(k) / (seconds[by] / all.area(by))
        })
    };
    let found = race.decide(run, |laps| {
        Found::new()
            .ratio(times("as long per fragment on 17² as on 513²"), ratio(laps, 1, 6))
            .ratio(times("as long per fragment on 33² as on 513²"), ratio(laps, 2, 6))
            .each("times")
            .at_least("17² relative to 33²", ratio(laps, 1, 2), 1.0)
    })?;
    let laps = race.laps(run)?;
    let mut table = Table::new("", ["", "side", "waste"]);
    for (side, share) in SIDES.into_iter().zip(waste()) {
        table.point("model", f64::from(side), [100.0 * share]);
    }
    for (k, side) in SIDES.into_iter().enumerate() {
        // The least of all sizes per fragment, in each round.
        let waste = laps.of(|lap| {
            let seconds = all.seconds(lap);
            let each = |k: usize| seconds[k] / all.area(k);
            100.0 * (1.0 - range((0..SIDES.len()).map(each))[0] / each(k))
        });
        table.point("here", f64::from(side), [waste]);
    }
    let axes = [
        Axis::logarithmic("side of the grid (fragments)"),
        Axis::linear("time wasted (%)").with_range(0.0, 100.0),
    ];
    let chart = table.chart("Time wasted by a small grid", axes, &["waste"]);
    let chart = chart.marked([(17.0, "paper: < 50 %"), (33.0, "\u{a0}\u{a0}\u{a0}29 %")]);
    let caption = "Share of the time that a square grid drawn alone wastes, in the model of the GeForce FX and \
                   measured with a long program (time per fragment relative to the fastest of all sizes).";
    run.chart("batch", caption, &chart)?;
    Ok(found
        .because(run.in_software("A software rasteriser has no batches."))
        .because("The cause of what small grids lose here is not known."))
}
