//! Tables 2 to 4, §4.3 to §4.5: rates of the product, times of a solve, and the effect of the numbering on both.

use std::rc::Rc;

use crate::base::interval::range;
use crate::claim::{BoxedError, Cell, Checked, Claim, Found, Interval, Run, Table, times};
use crate::timing::cost::all;

use super::cache;
use super::printed::{LEVELS, Processors, SPEED_UPS, TABLE_2, TABLE_3, TABLE_4};
use super::race::{GPU, PROCESSORS, Times};
use crate::experiment::Experiment;
use crate::geveler2011::Numbering;
use crate::geveler2011::Numbering::{CuthillMcKee, Hierarchical, Stochastic, TwoLevel, Xyz};
use crate::geveler2011::solves::fem;

/// Timings of Q1 and of Q2.
type Timed = [Times; 2];

/// Times ten of a claim's experiments from this one on: both elements on levels that fit in memory in all five numberings.
fn timed(run: &mut Run<'_>, claim: &Claim, from: usize) -> Result<Rc<Timed>, BoxedError> {
    let ten = &run.experiments(claim)?[from..from + 10];
    let each = ten.iter().map(Experiment::typed).collect::<Result<Vec<fem::Settings>, _>>()?;
    run.once_of(&ten[0], move |run, _| {
        all([&each[..5], &each[5..]].map(|numberings| Times::new(run, numberings)))
    })
}

/// A table of both elements: three of the paper's numbers and three measured here, by numbering.
fn by_level(
    timed: &Timed,
    (caption, unit): (&str, &str),
    here: impl Fn(&Times, Numbering, usize) -> Interval,
    paper: &[[[Processors; 4]; 2]; 5],
) -> Table {
    let heads = ["paper, one core", "paper, four cores", "paper, GPU"].map(str::to_owned);
    let heads = heads.into_iter().chain(PROCESSORS.map(|name| format!("here, {name}")));
    let heads = heads.map(|head| format!("{head} ({unit})"));
    let columns = ["level", "unknowns", "numbering"].map(str::to_owned);
    let mut table = Table::new(caption, columns.into_iter().chain(heads));
    for (element, times) in timed.iter().enumerate() {
        let row = LEVELS[element].iter().position(|&level| level == times.level);
        for numbering in Numbering::ALL {
            let printed = row.map(|row| paper[numbering as usize][element][row]);
            let printed = (0..3).map(|k| printed.map(|of| of[k]).into());
            let here = (0..3).map(|processor| Cell::Measured(here(times, numbering, processor)));
            let name = [times.name().into(), times.unknowns.into(), numbering.name().into()];
            table.push(name.into_iter().chain(printed).chain(here));
        }
    }
    table
}

/// The order of Table 2 on levels 7 and 8 of Q2, the fastest first.
const ORDER: [Numbering; 5] = [TwoLevel, Xyz, Hierarchical, CuthillMcKee, Stochastic];

pub(super) fn table_2(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (timed, levels) = (timed(run, claim, 0)?, run.once(cache::levels)?);
    let caption = "Table 2: MFlop/s of the product in double precision.";
    run.table("table2", by_level(&timed, (caption, "MFlop/s"), Times::rate, &TABLE_2));
    run.table("table2-cache", cache::table(&*levels));
    let [_, q2] = &*levels;
    let found = ORDER.windows(2).fold(Found::new(), |found, pair| {
        let names = [pair[0].name(), pair[1].name(), &q2.name];
        let name = times(format!("as fast in {} as in {} ({})", names[0], names[1], names[2]));
        found.ratio(name, q2.ratio(pair[0], pair[1]))
    });
    let mut found = found.each("times");
    for level in &*timed {
        for (processor, on) in PROCESSORS.iter().enumerate() {
            for ([slow, fast], ratio) in level.ends(processor) {
                let (slow, fast, level) = (slow.name(), fast.name(), level.name());
                let name = times(format!("as long in {slow} as in {fast} ({level}, {on})"));
                found = found.shows(name, ratio);
            }
        }
    }
    Ok(found.because(
        "On Q2 the padding of warps takes most of the bytes, and least of them in 2LV; in STO it is the gather. Which of \
         XYZ and 2LV is faster depends on the cache. The vectors that are timed here stay in the caches of the CPU.",
    ))
}

/// Speed-up over the previous processor, of all cores or of the GPU.
fn speed_up(seconds: impl Fn(usize) -> f64, processor: usize) -> f64 {
    seconds(processor - 1) / seconds(processor)
}

/// Speed-up of a solve.
fn solving(times: &Times, numbering: Numbering, processor: usize) -> f64 {
    speed_up(|processor| times.solve(numbering, processor).median, processor)
}

/// A value of every numbering: the median, and the range of all as its interval. Each is of all processes of the races.
fn over(timed: &[&Timed], value: impl Fn(Numbering) -> f64) -> Interval {
    let repeated = Interval::span(timed.iter().flat_map(|timed| timed.iter()).map(Times::repeated));
    let Interval { median, low, high, .. } = Interval::of(Numbering::ALL.map(value).into());
    Interval { median, low, high, ..repeated }
}

pub(super) fn table_3(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let timed = timed(run, claim, 0)?;
    let caption = "Table 3: seconds per solve of CIRCLE.";
    run.table("table3", by_level(&timed, (caption, "s"), Times::solve, &TABLE_3));
    let (mut found, mut shown) = (Found::new(), Vec::new());
    for (element, times) in timed.iter().enumerate() {
        for (processor, on) in PROCESSORS.iter().enumerate().skip(1) {
            let share = |numbering| {
                let products = speed_up(|p| times.product(numbering, p), processor);
                solving(times, numbering, processor) / products
            };
            let printed = |numbering: Numbering| {
                let [rates, seconds] =
                    [TABLE_2, TABLE_3].map(|table| table[numbering as usize][element][3]);
                speed_up(|p| seconds[p], processor) / speed_up(|p| 1.0 / rates[p], processor)
            };
            let name = format!("{}, {on}", times.name());
            found = found.ratio(
                format!("share of the product's speed-up, relative to the paper's ({name})"),
                over(&[&timed], |numbering| share(numbering) / printed(numbering)),
            );
            shown.push((name, over(&[&timed], share)));
        }
    }
    let ends = range(shown.iter().map(|(_, share)| share.median));
    let found = found.shows("solver's speed-up relative to the product's", ends);
    let found = found.headline("of the product's");
    let found = shown.into_iter().fold(found, |found, (name, share)| {
        found.shows(format!("solver's speed-up relative to the product's ({name})"), share)
    });
    Ok(found.because("Intervals are over the five numberings."))
}

pub(super) fn table_4(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let timed = timed(run, claim, 0)?;
    let columns = [
        "element",
        "numbering",
        "paper, four cores to one",
        "paper, GPU to four cores",
        "here, all cores to one",
        "here, GPU to all cores",
    ];
    let mut table = Table::new("Table 4: speed-ups of solves of BLOOD.", columns);
    for (element, times) in timed.iter().enumerate() {
        for numbering in Numbering::ALL {
            let paper = TABLE_4[numbering as usize][element].map(Cell::from);
            let here = [1, GPU].map(|p| times.cycle((numbering, p - 1), (numbering, p)).into());
            let name = [times.name().into(), numbering.name().into()];
            table.push(name.into_iter().chain(paper).chain(here));
        }
    }
    run.table("table4", table);
    let cases = [(1, 0), (1, 1), (GPU, 0), (GPU, 1)];
    let found = cases.into_iter().zip(SPEED_UPS);
    let found = found.fold(Found::new(), |found, ((processor, element), (name, _))| {
        let of = |numbering| solving(&timed[element], numbering, processor);
        found.ratio(name, over(&[&timed], of))
    });
    let [q1, q2] = timed.each_ref().map(|times| times.unknowns);
    Ok(found
        .each("times")
        .because(run.in_software("A software rasteriser shares the cores that it is compared with."))
        .because(format!(
            "These levels have only {q1} and {q2} unknowns; on CIRCLE's larger ones two cores gain more (`problems`). \
             Intervals are over the five numberings."
        )))
}

pub(super) fn problems(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (circles, bloods) = (timed(run, claim, 0)?, timed(run, claim, 10)?);
    let mut found = Found::new();
    for (blood, circle) in bloods.iter().zip(&*circles) {
        for (processor, on) in PROCESSORS.iter().enumerate().skip(1) {
            let name = format!("BLOOD's speed-up relative to CIRCLE's ({:?}, {on})", blood.element);
            let [blood, circle] =
                [blood, circle].map(|times| move |n| solving(times, n, processor));
            let both = [&*circles, &*bloods];
            found = found.ratio(name, over(&both, |n| blood(n) / circle(n)));
        }
    }
    let [blood, circle] = [&bloods, &circles]
        .map(|levels| format!("{} and {}", levels[0].unknowns, levels[1].unknowns));
    Ok(found.each("times").because(format!(
        "BLOOD's levels are smaller here than CIRCLE's, and its cycles have sixteen times as many sweeps. They have {blood} \
         unknowns, CIRCLE's {circle}. Intervals are over the five numberings."
    )))
}

pub(super) fn sorting(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let timed = timed(run, claim, 0)?;
    let [q1, q2] = timed.each_ref().map(Times::sorting);
    let printed = |element: usize| {
        let gain = |p: usize| {
            let seconds = |n: Numbering| TABLE_3[n as usize][element][3][p];
            seconds(Stochastic) / seconds(Xyz)
        };
        gain(GPU) / gain(1)
    };
    let found = Found::new()
        .ratio(times("the gain of all cores, for the GPU, Q1"), q1)
        .ratio(times("the gain of all cores, for the GPU, Q2"), q2)
        .each("times")
        .shows("the same by the paper's Table 3, Q1", printed(0))
        .shows("Q2", printed(1));
    let found = timed.iter().fold(found, |found, times| {
        let [cpu, gpu] = [1, GPU].map(|p| [Xyz, Stochastic].map(|n| 1e3 * times.product(n, p)));
        let name = times.name();
        found
            .shows(
                format!("product in XYZ on the GPU relative to all cores ({name})"),
                gpu[0] / cpu[0],
            )
            .shows(
                format!("time that STO adds to a product on all cores ({name})"),
                (cpu[1] - cpu[0], "ms"),
            )
            .shows("on the GPU", (gpu[1] - gpu[0], "ms"))
    });
    Ok(found.because(run.in_software(
        "STO adds about as much time to a product on a software rasteriser as on the cores, whose caches both use, but \
         the rasteriser's products take longer.",
    )))
}
