//! §2, §3, §6: times of the operators, and their ratios.

use std::hint::black_box;

use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Race, Run, Table, times};
use crate::kruger2003::Error;
use crate::kruger2003::diagonals::fitting;
use crate::kruger2003::study::cases::{
    banded_product, column_textures_product, dense_product, sum, vector_product,
};
use crate::picture::plot::{Axis, Bars, Group};
use crate::solver::TextureSpace;
use crate::stream::{Format, Layout, Reduce, StreamError};
use crate::timing::Work;
use crate::timing::cost::all;
use crate::timing::cpu;
use crate::timing::rig::{program, work};

/// Runs of each work per round.
const CHAIN: usize = 2;
/// Texels of the longest 1D texture of 2003.
const LINE: usize = 2048;
/// Order of the dense matrix.
const ORDER: usize = 4096;

/// A square of entries, four per texel.
fn quads(side: usize) -> Result<Layout, StreamError> {
    Layout::square(side * side, Format::Rgba32F)
}

/// The paper's milliseconds and the measured ones.
pub(super) fn durations(caption: &str, rows: &[(&str, f64, Interval)]) -> Table {
    let mut table = Table::new(caption, ["operation", "paper (ms)", "here (ms)"]);
    for &(operation, paper, seconds) in rows {
        table.push([operation.into(), paper.into(), seconds.times(1e3).into()]);
    }
    table
}

/// The paper's numbers and the measured ones, by name.
fn compared(title: &str, axis: &str, rows: &[(&str, f64, Interval)]) -> Bars {
    let paper = Group::new("paper", rows.iter().map(|&(_, paper, _)| Some(paper)));
    let here = Group::new("here", rows.iter().map(|&(.., here)| Some(here)));
    let names = rows.iter().map(|&(name, ..)| name);
    Bars::new(title, Axis::logarithmic(axis), names, [paper, here])
}

pub(super) fn vecmul(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let names = ["512²", "1024²", "2048²"];
    let paper = [0.2, 0.72, 2.8];
    let cases = [512, 1024, 2048].map(|side| vector_product(run.machine, quads(side)?));
    let race = Race::of(all(cases)?.map(|case| case.kernel)).chained(CHAIN);
    let found = race.decide(run, claim, |laps| {
        let name = "as long for 1024² entries as for 512²";
        let found =
            Found::new().ratio(times(name), laps.of(|[small, middle, _]: [f64; 3]| middle / small));
        let name = "as long for 2048² entries as for 1024²";
        found.ratio(times(name), laps.of(|[_, middle, large]| large / middle)).each("times")
    })?;
    let seconds = race.laps(run)?.intervals();
    let rows = [0, 1, 2].map(|n| (names[n], paper[n], seconds[n]));
    let caption = "The product of two vectors, entry by entry, four entries per texel.";
    run.table("vecmul-times", durations(caption, &rows));
    let drawn = compared(
        "Time of the product of two vectors by length",
        "milliseconds",
        &rows.map(|(name, paper, seconds)| (name, paper, seconds.times(1e3))),
    );
    run.bars("vecmul", caption, &drawn)?;
    Ok(found)
}

/// Works of three claims: the product of vectors, the dense matrix and the reduction, each on the GPU and on the CPU; the
/// matrix with ten diagonals in ten passes; the dense matrix's number of passes over a single texel; the dense matrix in
/// tiles; and the ten diagonals in one pass.
type Large = Race<'static, [f64; 10]>;

fn large(run: &mut Run<'_>) -> Result<Large, BoxedError> {
    let (machine, layout) = (run.machine, Layout::square(ORDER, Format::Rgba32F)?);
    let cases = [
        vector_product(machine, quads(2048)?)?,
        column_textures_product(machine, layout)?,
        sum(machine, quads(2048)?)?,
    ];
    let works = cases.into_iter();
    let works = works.flat_map(|case| [Some(case.kernel), case.cpu]);
    let mut works: Vec<Work<'_>> = works.flatten().collect();
    let numbers = [0, 1, 2, 3, 64, 65, ORDER - 64, ORDER - 3, ORDER - 2, ORDER - 1];
    let mut banded = banded_product(machine, layout, &numbers, Some(1))?.kernel;
    works.push(work(move |_| (0..BANDED_RUNS).try_for_each(&mut banded)));
    let texel = Layout::square(layout.channels(), layout.format())?;
    let mut one_texel = column_textures_product(machine, texel)?.kernel;
    let repeats = ORDER / texel.length();
    works.push(work(move |_| (0..repeats).try_for_each(&mut one_texel)));
    works.push(run.aside(dense_product(machine, layout)?.kernel));
    let mut at_once = banded_product(machine, layout, &numbers, None)?.kernel;
    works.push(run.aside(work(move |_| (0..BANDED_RUNS).try_for_each(&mut at_once))));
    let mut units = [1.0; 10];
    (units[BANDED], units[AT_ONCE]) = (BANDED_RUNS as f64, BANDED_RUNS as f64);
    Ok(Race::of(works).per(units))
}

const GPU: [usize; 3] = [0, 2, 4];
const CPU: [usize; 3] = [1, 3, 5];
const DENSE: usize = GPU[1];
const BANDED: usize = 6;
const PASSES: usize = 7;
const TILED: usize = 8;
const AT_ONCE: usize = 9;
/// Runs of the product with ten diagonals, which is too short for a single run.
const BANDED_RUNS: usize = 20;

pub(super) fn gap(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let race = run.once(large)?;
    let gain = |round: &[f64; 10], n: usize| round[CPU[n]] / round[GPU[n]];
    let names = ["vectors, 2048²", "dense matrix, 4096²", "reduction, 2048²"];
    let laps = race.laps(run)?;
    let drawn = compared(
        "Times as fast as the CPU",
        "CPU time / GPU time",
        &[0, 1, 2].map(|n| (names[n], [13.5, 13.5, 3.0][n], laps.of(|round| gain(&round, n)))),
    );
    let caption =
        "Gain over the CPU: the paper's program of 2003, and a threaded one in single precision.";
    run.bars("gap", caption, &drawn)?;
    let renderer = &run.machine.description().renderer;
    race.decide(run, claim, |laps| {
        let found = Found::new().raced(
            laps,
            times("the smaller of the other gains, for the reduction"),
            |round| gain(&round, 2) / gain(&round, 0).min(gain(&round, 1)),
        );
        let found = (0..3).fold(found, |found, n| {
            found
                .shows(format!("gain over the CPU, {}", names[n]), laps.of(|round| gain(&round, n)))
        });
        found.because(format!(
            "The GPU is {renderer}; the CPU program uses all cores and vector registers."
        ))
    })
}

pub(super) fn matvec(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let race = run.once(large)?;
    let seconds = race.laps(run)?.intervals();
    let rows = [("dense 4096²", 230.0, seconds[DENSE]), ("ten diagonals", 0.72, seconds[BANDED])];
    run.table("matvec", durations("Matrix–vector products of order 4096.", &rows));
    race.decide(run, claim, |laps| {
        let ratio = |work: usize, by: usize| laps.of(|round| round[work] / round[by]);
        Found::new()
            .raced(laps, times("as long as with ten diagonals"), |round| {
                round[DENSE] / round[BANDED]
            })
            .shows("share of the same number of passes over one texel", ratio(PASSES, DENSE))
            .shows(
                times("as long with the ten diagonals in ten passes as in one"),
                ratio(BANDED, AT_ONCE),
            )
            .shows("dense on the CPU", (laps.intervals()[CPU[1]].times(1e3), "ms"))
            .because("A pass has a large fixed cost. Each diagonal and each column takes one pass.")
    })
}

pub(super) fn tiled(run: &mut Run<'_>, claim: &Claim) -> Checked {
    run.once(large)?.decide(run, claim, |laps| {
        let name = "as long with a texture per column";
        Found::new()
            .raced(laps, times(name), |round| round[DENSE] / round[TILED])
            .shows("in tiles", (laps.intervals()[TILED].times(1e3), "ms"))
    })
}

/// Inner product of two vectors.
type Dot = fn(&[f32], &[f32]) -> f32;

/// Compares CPU programs with one addition after the other with programs in vector registers, on one core.
pub(super) fn vector_registers(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let order = run.pick(1024, ORDER);
    let (a, x) = (vec![1.0 / order as f32; order * order], vec![1.0f32; order]);
    let scalar = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(x, y)| x * y).sum();
    let programs: [Dot; 2] = [scalar, cpu::dot];
    // The reduction is of a vector with a quarter of the entries.
    let halves = a[..a.len() / 2].split_at(a.len() / 4);
    let dense = |dot: Dot| {
        let (a, x) = (&a, &x);
        program(move |_| {
            for row in a.chunks(order) {
                black_box(dot(row, black_box(x)));
            }
        })
    };
    let sum = |dot: Dot| {
        program(move |_| {
            black_box(dot(black_box(halves.0), halves.1));
        })
    };
    let race = Race::of(programs.map(dense).into_iter().chain(programs.map(sum)));
    race.decide(run, claim, |laps| {
        let name = "as long one after the other";
        Found::new()
            .ratio(
                times(format!("{name}, dense matrix")),
                laps.of(|[slow, fast, ..]: [f64; 4]| slow / fast),
            )
            .ratio(times(format!("{name}, inner product")), laps.of(|[.., slow, fast]| slow / fast))
            .each("times")
            .shows("order of the matrix", order as f64)
            .because("On one core. A scalar addition waits for the one before it; the vector program adds sixteen sums at a time.")
    })
}

pub(super) fn reduce(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let side = 1024_usize;
    let cases = [side, 2 * side].map(|side| sum(run.machine, quads(side)?));
    let race = Race::of(all(cases)?.map(|case| case.kernel)).chained(CHAIN);
    let found = race.decide(run, claim, |laps| {
        let ratio = laps.of(|[small, large]: [f64; 2]| large / small);
        Found::value(times("as long for 2048² entries as for 1024²"), ratio)
    })?;
    let seconds = race.laps(run)?.intervals();
    let rows = [("1024²", 1.6, seconds[0]), ("2048²", 5.4, seconds[1])];
    run.table("reduce", durations("The sum of a vector, four entries per texel.", &rows));
    let layout = Layout::square(side * side, Format::R32F)?;
    let space = TextureSpace::new(run.machine, layout)?;
    let x = space.zeros()?;
    run.machine.take_ledger();
    space.reduce(Reduce::Sum, &x, None)?;
    let passes = run.machine.take_ledger().total().passes;
    let halvings = f64::from(side.ilog2());
    Ok(found.equal("passes for 1024² texels", passes as f64, halvings))
}

pub(super) fn lines(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let limit = run.machine.description().rectangle_limit;
    let one = limit as usize;
    // The longest 1D texture of 2003; the longest line here, and a vector in several such lines.
    let mut works = Vec::new();
    for (length, widest) in [(LINE, LINE as u32), (one, limit), (1024 * 1024, limit)] {
        let lines = Layout::lines(length, Format::R32F, widest)?;
        for layout in [lines, Layout::square(length, Format::R32F)?] {
            let product = vector_product(run.machine, layout)?.kernel;
            works.push(if length == LINE { product } else { run.aside(product) });
        }
    }
    Race::of(works).chained(CHAIN).decide(run, claim, |laps| {
        let [short, long, many] =
            [0, 2, 4].map(|k| laps.of(|round: [f64; 6]| round[k] / round[k + 1]));
        Found::new()
            .ratio(times(format!("as long as a square for a line of {LINE} texels")), short)
            .shows(times(format!("as long for a line of {limit} texels")), long)
            .shows(times("as long for 1024² texels in lines"), many)
            .because("A line covers only one row of the tiles in which it is rasterised. The paper does not print its length.")
    })
}

pub(super) fn rgba(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let n = 1024 * 1024;
    let layouts = all([Format::R32F, Format::Rgba32F].map(|format| Layout::square(n, format)))?;
    let numbers = [0, 1, 1024, n - 1024, n - 1];
    let machine = run.machine;
    let products = layouts.map(|layout| vector_product(machine, layout));
    let sums = layouts.map(|layout| sum(machine, layout));
    let diagonals =
        layouts.map(|layout| banded_product(machine, layout, &numbers, Some(fitting(layout))));
    let cases = [products, sums, diagonals].into_iter().flatten();
    let cases: Result<Vec<_>, Error> = cases.collect();
    let race = Race::of(cases?.into_iter().map(|case| case.kernel)).chained(CHAIN);
    let found = race.decide(run, claim, |laps| {
        let gains = [0, 2, 4].map(|k| laps.of(|round: [f64; 6]| round[k] / round[k + 1]));
        let largest = gains.iter().fold(0.0_f64, |largest, gain| largest.max(gain.median));
        let names = ["product of vectors", "reduction", "five diagonals"];
        names.into_iter().zip(gains).fold(Found::new(), |found, (name, gain)| {
            let name = times(format!("as long with one entry per texel: {name}"));
            // "Up to" refers to the largest gain; the others must not be losses.
            if gain.median == largest {
                found.ratio(name, gain)
            } else {
                found.at_least(name, gain.median, 1.0)
            }
        })
    })?;
    Ok(found.because("Both layouts move the same bytes, and diagonals that do not start at a texel are fetched twice."))
}

pub(super) fn formats(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let formats = [Format::Rgba32F, Format::Rgba16F, Format::R32F, Format::R16F];
    let products = formats.map(|format| -> Result<_, Error> {
        Ok(vector_product(run.machine, Layout::square(1024 * 1024, format)?)?.kernel)
    });
    Race::of(all(products)?).chained(CHAIN).decide(run, claim, |laps| {
        let name = "as long with 32 bits as with 16, four entries per texel";
        let narrow = laps.of(|[.., wide, narrow]: [f64; 4]| wide / narrow);
        Found::new()
            .ratio(times(name), laps.of(|[wide, narrow, ..]| wide / narrow))
            .shows(times("as long with one entry per texel"), narrow)
            .because("Programs compute in 32 bits in either case. The share of the time spent on moving bytes is not known.")
    })
}
