//! Tables 2 to 4, §4.3 to §4.5: rates of the product, times of a solve, and the effect of the numbering on both.

use std::ops::RangeInclusive;

use crate::claim::{
    BoxedError, Cell, Checked, Claim, Found, Interval, Printed, Run, Samples, Table,
};
use crate::timing::rig::range;

use super::printed::{
    LEVELS, Processors, SPEED_UPS, STEPS, TABLE_2, TABLE_3, TABLE_4, products_a_solve,
};
use super::race::{GPU, PROCESSORS, Race, ends};
use crate::geveler2011::{Element, Numbering, Setup};

/// Timings of Tables 2 to 4.
struct Timed {
    /// CIRCLE's levels of Q1 and of Q2, the largest at the end.
    circle: [Vec<Race>; 2],
    /// BLOOD, Q1 and Q2.
    blood: [Race; 2],
}

impl Timed {
    /// CIRCLE's largest levels.
    fn largest(&self) -> [&Race; 2] {
        [0, 1].map(|element: usize| &self.circle[element][self.circle[element].len() - 1])
    }
}

/// Times the second level below the paper's smallest for either element in quick mode, otherwise three levels, or the given
/// one.
fn timed(run: &mut Run<'_>) -> Result<Timed, BoxedError> {
    let levels = match run.given.levels {
        Some(level) => level..=level,
        None => run.pick(5..=5, 7..=9),
    };
    let is_ordered = |products: &Samples| {
        let processors = 0..PROCESSORS.len();
        let mut ends = processors.flat_map(|processor| ends(products, processor));
        ends.all(|(_, ratio)| Printed::Faster.is_reproduced(ratio).is_some())
    };
    let circle = |element, levels: RangeInclusive<usize>| {
        let last = *levels.end();
        let races = levels.map(|level| {
            let is_enough = run.quick || level != last;
            let decided = |products: &Samples| is_enough || is_ordered(products);
            Race::run(run, Setup::Circle, (element, level), decided)
        });
        races.collect::<Result<Vec<_>, _>>()
    };
    let [q1, q2] = run.pick([2, 2], [4, 3]);
    let blood = |element, level| Race::run(run, Setup::Blood, (element, level), |_| true);
    Ok(Timed {
        circle: [
            circle(Element::Q1, levels.clone())?,
            circle(Element::Q2, levels.start() - 1..=levels.end() - 1)?,
        ],
        blood: [blood(Element::Q1, q1)?, blood(Element::Q2, q2)?],
    })
}

/// A table of all levels: three of the paper's numbers and three measured here, by numbering and level.
fn by_level(
    timed: &Timed,
    (caption, unit): (&str, &str),
    here: impl Fn(&Race, Numbering, usize) -> Interval,
    paper: &[[[Processors; 4]; 2]; 5],
) -> Table {
    let heads = ["paper, one core", "paper, four cores", "paper, GPU"].map(str::to_owned);
    let heads = heads.into_iter().chain(PROCESSORS.map(|name| format!("here, {name}")));
    let heads = heads.map(|head| format!("{head} ({unit})"));
    let columns = ["level", "unknowns", "numbering"].map(str::to_owned);
    let mut table = Table::new(caption, columns.into_iter().chain(heads));
    for (element, races) in timed.circle.iter().enumerate() {
        for race in races {
            let row = LEVELS[element].iter().position(|&level| level == race.level);
            for numbering in Numbering::ALL {
                let printed = row.map(|row| paper[numbering as usize][element][row]);
                let printed = (0..3).map(|k| printed.map(|of| of[k]).into());
                let here = (0..3).map(|processor| Cell::Measured(here(race, numbering, processor)));
                let name = [race.name().into(), race.unknowns.into(), numbering.name().into()];
                table.push(name.into_iter().chain(printed).chain(here));
            }
        }
    }
    table
}

pub(super) fn table_2(run: &mut Run<'_>, _: &Claim) -> Checked {
    let timed = run.once(timed)?;
    let caption = "Table 2: MFlop/s of the product in double precision.";
    run.table("table2", by_level(&timed, (caption, "MFlop/s"), Race::rate, &TABLE_2));
    let mut found = Found::new();
    for race in timed.largest() {
        for (processor, on) in PROCESSORS.iter().enumerate() {
            for ([slow, fast], ratio) in race.ends(processor) {
                let (slow, fast, level) = (slow.name(), fast.name(), race.name());
                found = found
                    .ratio(format!("times as long in {slow} as in {fast} ({level}, {on})"), ratio);
            }
        }
    }
    let ends = <[f64; 2]>::from(range(found.printed().map(|ratio| ratio.median)));
    Ok(found.shows("smallest and largest of these", ends).headline("times").because(
        "A vector of the largest level here is smaller than the paper's, and more of it stays in the caches. The \
         cause of the order is not known.",
    ))
}

/// Speed-up over the previous processor, of all cores or of the GPU.
fn speed_up(seconds: impl Fn(usize) -> f64, processor: usize) -> f64 {
    seconds(processor - 1) / seconds(processor)
}

/// A value of every numbering: the median, and the range of all as its interval. Each is of the races' rounds.
fn over(timed: &Timed, value: impl Fn(Numbering) -> f64) -> Interval {
    let races = timed.circle.iter().flatten().chain(&timed.blood);
    let rounds = races.map(Race::rounds).min().unwrap_or_default();
    Interval { rounds, ..Interval::of(Numbering::ALL.map(value).into()) }
}

pub(super) fn table_3(run: &mut Run<'_>, _: &Claim) -> Checked {
    let timed = run.once(timed)?;
    let caption = "Table 3: seconds per solve of CIRCLE.";
    run.table("table3", by_level(&timed, (caption, "s"), Race::solves, &TABLE_3));
    let (mut found, mut shown) = (Found::new(), Vec::new());
    for (element, race) in timed.largest().into_iter().enumerate() {
        for (processor, on) in PROCESSORS.iter().enumerate().skip(1) {
            let share = |numbering| {
                let solves = speed_up(|p| race.solve(numbering, p), processor);
                solves / speed_up(|p| race.product(numbering, p), processor)
            };
            let printed = |numbering: Numbering| {
                let [rates, seconds] =
                    [TABLE_2, TABLE_3].map(|table| table[numbering as usize][element][3]);
                speed_up(|p| seconds[p], processor) / speed_up(|p| 1.0 / rates[p], processor)
            };
            let name = format!("{}, {on}", race.name());
            found = found.ratio(
                format!("share of the product's speed-up, relative to the paper's ({name})"),
                over(&timed, |numbering| share(numbering) / printed(numbering)),
            );
            shown.push((name, over(&timed, share)));
        }
    }
    let ends = <[f64; 2]>::from(range(shown.iter().map(|(_, share)| share.median)));
    let found = found.shows("solver's speed-up relative to the product's", ends);
    let found = found.headline("of the product's");
    let found = shown.into_iter().fold(found, |found, (name, share)| {
        found.shows(format!("solver's speed-up relative to the product's ({name})"), share)
    });
    Ok(found.because("Intervals are over the five numberings."))
}

pub(super) fn table_4(run: &mut Run<'_>, _: &Claim) -> Checked {
    let timed = run.once(timed)?;
    let columns = [
        "element",
        "numbering",
        "paper, four cores to one",
        "paper, GPU to four cores",
        "here, all cores to one",
        "here, GPU to all cores",
    ];
    let mut table = Table::new("Table 4: speed-ups of solves of BLOOD.", columns);
    for (element, race) in timed.blood.iter().enumerate() {
        for numbering in Numbering::ALL {
            let paper = TABLE_4[numbering as usize][element].map(Cell::from);
            let here = [1, GPU].map(|p| race.speed_up(numbering, p).into());
            let name = [race.name().into(), numbering.name().into()];
            table.push(name.into_iter().chain(paper).chain(here));
        }
    }
    run.table("table4", table);
    let cases = [(1, 0), (1, 1), (GPU, 0), (GPU, 1)];
    let found = cases.into_iter().zip(SPEED_UPS);
    let found = found.fold(Found::new(), |found, ((processor, element), (name, _))| {
        let race = &timed.blood[element];
        found.ratio(name, over(&timed, |n| speed_up(|p| race.solve(n, p), processor)))
    });
    Ok(found.each("times").because(
        "llvmpipe shares the two cores that it is compared with. Intervals are over the five numberings.",
    ))
}

pub(super) fn problems(run: &mut Run<'_>, _: &Claim) -> Checked {
    let timed = run.once(timed)?;
    let mut found = Found::new();
    for (blood, circle) in timed.blood.iter().zip(timed.largest()) {
        for (processor, on) in PROCESSORS.iter().enumerate().skip(1) {
            let gain = |race: &Race, n| speed_up(|p| race.solve(n, p), processor);
            let name = format!("BLOOD's speed-up relative to CIRCLE's ({:?}, {on})", blood.element);
            found = found.ratio(name, over(&timed, |n| gain(blood, n) / gain(circle, n)));
        }
    }
    Ok(found.each("times").because(
        "Intervals are over the five numberings. BLOOD's levels are smaller here than CIRCLE's, and its cycles have \
         sixteen times as many sweeps.",
    ))
}

pub(super) fn sorting(run: &mut Run<'_>, _: &Claim) -> Checked {
    let timed = run.once(timed)?;
    let [q1, q2] = timed.largest().map(Race::sorting);
    let printed = |element: usize| {
        let gain = |p: usize| {
            let seconds = |n: Numbering| TABLE_3[n as usize][element][3][p];
            seconds(Numbering::Stochastic) / seconds(Numbering::Xyz)
        };
        gain(GPU) / gain(1)
    };
    Ok(Found::new()
        .ratio("times the gain of all cores, for the GPU, Q1", q1)
        .ratio("times the gain of all cores, for the GPU, Q2", q2)
        .each("times")
        .shows("the same by the paper's Table 3, Q1", printed(0))
        .shows("Q2", printed(1))
        .because("llvmpipe runs on the cores that it is compared with. The rest of the cause is not known."))
}

pub(super) fn ordering(run: &mut Run<'_>, _: &Claim) -> Checked {
    use Numbering::{CuthillMcKee, Hierarchical, Stochastic, TwoLevel, Xyz};
    let timed = run.once(timed)?;
    let order = [Stochastic, CuthillMcKee, Hierarchical, TwoLevel, Xyz];
    let found = order.windows(2).zip(STEPS);
    let found = found.fold(Found::new(), |found, (pair, (name, _))| {
        let rounds = timed.largest().into_iter().flat_map(|race| race.gains(pair[0], pair[1]));
        found.ratio(name, Interval::of(rounds.collect()))
    });
    Ok(found.each("times").because(
        "According to the paper's own tables only the first factor is as printed. A factor of four in it is due to \
         cycles that STO does not need here.",
    ))
}

pub(super) fn factor(run: &mut Run<'_>, _: &Claim) -> Checked {
    let timed = run.once(timed)?;
    let mut found = Found::new();
    for (element, race) in timed.largest().into_iter().enumerate() {
        for (processor, on) in PROCESSORS.iter().enumerate().skip(1) {
            let printed = Numbering::ALL.map(|n| TABLE_3[n as usize][element][3][processor]);
            let (fastest, slowest) = range(printed);
            let name = race.name();
            found = found
                .ratio(
                    format!("times as long in the slowest numbering ({name}, {on})"),
                    race.spread(processor),
                )
                .shows("the same by the paper's Table 3", slowest / fastest);
        }
    }
    Ok(found.each("times").because(
        "The number of cycles does not depend on the numbering here. By the paper's own table the factor is 10 to 13 on \
         its CPU.",
    ))
}

/// STO's value relative to the mean of all others.
fn excess(products: impl Fn(Numbering) -> f64) -> f64 {
    let others = Numbering::ALL.into_iter();
    let others = others.filter(|&numbering| numbering != Numbering::Stochastic);
    4.0 * products(Numbering::Stochastic) / others.map(&products).sum::<f64>()
}

pub(super) fn sto_cycles(run: &mut Run<'_>, _: &Claim) -> Checked {
    let timed = run.once(timed)?;
    let (mut here, mut paper, mut shown) = (Vec::new(), Vec::new(), Found::new());
    for (element, race) in timed.largest().into_iter().enumerate() {
        for processor in 0..PROCESSORS.len() {
            let products = |n| race.solve(n, processor) / race.product(n, processor);
            here.push(excess(products));
            paper.push(excess(|n| products_a_solve(n, element, 3)[processor]));
        }
        let [two_level, stochastic] = race.counts.map(|count| count as f64);
        let name = race.name();
        shown =
            shown.shows(format!("cycles in 2LV ({name})"), two_level).shows("in STO", stochastic);
    }
    let (low, high) = range(paper);
    let found = Found::new()
        .ratio("times the others' products per solve in STO", Interval::of(here))
        .shows("smallest value in the paper's tables", low)
        .shows("most", high);
    Ok(Found { values: [found.values, shown.values].concat(), ..found }.because(
        "The number of cycles does not depend on the numbering here. Perhaps the paper's solves in STO did not \
         converge; this is only inferred.",
    ))
}
