//! §2, §3, §6: times of the operators, and their ratios.

use std::hint::black_box;

use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Race, Run, Table, times};
use crate::kruger2003::Error;
use crate::kruger2003::diagonals::fitting;
use crate::kruger2003::study::VECTOR_PRODUCT;
use crate::kruger2003::study::cases::{
    banded_product, column_textures_product, dense_product, sum, vector_product,
};
use crate::picture::plot::{Axis, Bars, Group};
use crate::solver::TextureSpace;
use crate::stream::{Format, Layout, Rect, Reduce, Stream, StreamError};
use crate::timing::Work;
use crate::timing::cost::all;
use crate::timing::cpu;
use crate::timing::laps::ratio;
use crate::timing::rig::{program, work};

/// Runs of each work per round.
const CHAIN: usize = 2;
/// Texels of the longest 1D texture of 2003.
const LINE: usize = 2048;
/// Order of the dense matrix.
const ORDER: usize = 4096;
/// Its product, with a texture per column.
const DENSE: &str = "dense matrix, 4096²";
/// Works on the GPU and on the CPU, and the paper's gains.
const GAPS: [(&str, &str, f64); 3] = [
    ("vectors, 2048²", "vectors on the CPU", 13.5),
    (DENSE, "dense matrix on the CPU", 13.5),
    ("reduction, 2048²", "reduction on the CPU", 3.0),
];

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

pub(super) fn vecmul(run: &mut Run<'_>, _: &Claim) -> Checked {
    let cases = [("512²", 512), ("1024²", 1024), ("2048²", 2048)].map(|(name, side)| {
        Ok::<_, Error>((name, vector_product(run.machine, quads(side)?)?.kernel))
    });
    let race = Race::new(all(cases)?).chained(CHAIN);
    let found = race.decide(run, |laps| {
        let name = "as long for 1024² entries as for 512²";
        let found = Found::new().ratio(times(name), laps.ratio("1024²", "512²"));
        let name = "as long for 2048² entries as for 1024²";
        let found = found.ratio(times(name), laps.ratio("2048²", "1024²"));
        found.each("times").because(
            "A pass has a fixed cost, which is a larger share of the time of short vectors.",
        )
    })?;
    let laps = race.laps(run)?;
    let rows = [("512²", 0.2), ("1024²", VECTOR_PRODUCT), ("2048²", 2.8)];
    let rows = rows.map(|(name, paper)| (name, paper, laps.seconds(name)));
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
fn large(run: &mut Run<'_>) -> Result<Race<'static>, BoxedError> {
    let (machine, layout) = (run.machine, Layout::square(ORDER, Format::Rgba32F)?);
    let cases = [
        vector_product(machine, quads(2048)?)?,
        column_textures_product(machine, layout)?,
        sum(machine, quads(2048)?)?,
    ];
    let works = GAPS.into_iter().zip(cases).flat_map(|((name, cpu, _), case)| {
        [Some((name, case.kernel)), case.cpu.map(|work| (cpu, work))]
    });
    let mut works: Vec<(&str, Work<'_>)> = works.flatten().collect();
    let numbers = [0, 1, 2, 3, 64, 65, ORDER - 64, ORDER - 3, ORDER - 2, ORDER - 1];
    let mut banded = banded_product(machine, layout, &numbers, Some(1))?.kernel;
    works.push(("ten diagonals", work(move |_| (0..BANDED_RUNS).try_for_each(&mut banded))));
    let texel = Layout::square(layout.channels(), layout.format())?;
    let mut one_texel = column_textures_product(machine, texel)?.kernel;
    let repeats = ORDER / texel.length();
    works.push(("passes over one texel", work(move |_| (0..repeats).try_for_each(&mut one_texel))));
    works.push(("in tiles", run.aside(dense_product(machine, layout)?.kernel)));
    let mut at_once = banded_product(machine, layout, &numbers, None)?.kernel;
    let at_once = work(move |_| (0..BANDED_RUNS).try_for_each(&mut at_once));
    works.push(("ten diagonals at once", run.aside(at_once)));
    let runs = BANDED_RUNS as f64;
    Ok(Race::new(works).per("ten diagonals", runs).per("ten diagonals at once", runs))
}

/// Runs of the product with ten diagonals, which is too short for a single run.
const BANDED_RUNS: usize = 20;

pub(super) fn gap(run: &mut Run<'_>, _: &Claim) -> Checked {
    let race = run.once(large)?;
    let laps = race.laps(run)?;
    let drawn = compared(
        "Times as fast as the CPU",
        "CPU time / GPU time",
        &GAPS.map(|(name, cpu, paper)| (name, paper, laps.ratio(cpu, name))),
    );
    let caption = "Gain over the CPU: the paper's program of 2003 (12 to 15 times, drawn as 13.5, except for the reduction), and a \
                   threaded one in single precision.";
    run.bars("gap", caption, &drawn)?;
    let renderer = &run.machine.description().renderer;
    race.decide(run, |laps| {
        let found = Found::new().raced(
            laps,
            times("the smaller of the other gains, for the reduction"),
            |lap| {
                let [vectors, dense, reduction] = GAPS.map(|(name, cpu, _)| lap[cpu] / lap[name]);
                reduction / vectors.min(dense)
            },
        );
        let found = GAPS.into_iter().fold(found, |found, (name, cpu, _)| {
            found.shows(format!("gain over the CPU, {name}"), laps.ratio(cpu, name))
        });
        found.because(format!(
            "The GPU is {renderer}; the CPU program uses all cores and vector registers."
        ))
    })
}

pub(super) fn matvec(run: &mut Run<'_>, _: &Claim) -> Checked {
    let race = run.once(large)?;
    let laps = race.laps(run)?;
    let rows = [
        ("dense 4096²", 230.0, laps.seconds(DENSE)),
        ("ten diagonals", 0.72, laps.seconds("ten diagonals")),
    ];
    run.table("matvec", durations("Matrix–vector products of order 4096.", &rows));
    race.decide(run, |laps| {
        let [_, (_, dense_on_cpu, _), _] = GAPS;
        Found::new()
            .raced(laps, times("as long as with ten diagonals"), ratio(DENSE, "ten diagonals"))
            .shows(
                "share of the same number of passes over one texel",
                laps.ratio("passes over one texel", DENSE),
            )
            .shows(
                times("as long with the ten diagonals in ten passes as in one"),
                laps.ratio("ten diagonals", "ten diagonals at once"),
            )
            .shows("dense on the CPU", (laps.seconds(dense_on_cpu).times(1e3), "ms"))
            .because("A pass has a large fixed cost. Each diagonal and each column takes one pass.")
    })
}

pub(super) fn tiled(run: &mut Run<'_>, _: &Claim) -> Checked {
    run.once(large)?.decide(run, |laps| {
        let name = "as long with a texture per column";
        Found::new()
            .raced(laps, times(name), ratio(DENSE, "in tiles"))
            .shows("in tiles", (laps.seconds("in tiles").times(1e3), "ms"))
    })
}

/// Inner product of two vectors.
type Dot = fn(&[f32], &[f32]) -> f32;

/// Compares CPU programs with one addition after the other with programs in vector registers, on one core.
pub(super) fn vector_registers(run: &mut Run<'_>, _: &Claim) -> Checked {
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
    let [[slow_matrix, matrix], [slow_product, product]] = [programs.map(dense), programs.map(sum)];
    let race = Race::new([
        ("matrix, one after the other", slow_matrix),
        ("matrix", matrix),
        ("inner product, one after the other", slow_product),
        ("inner product", product),
    ]);
    race.decide(run, |laps| {
        let name = "as long one after the other";
        Found::new()
            .ratio(
                times(format!("{name}, dense matrix")),
                laps.ratio("matrix, one after the other", "matrix"),
            )
            .ratio(
                times(format!("{name}, inner product")),
                laps.ratio("inner product, one after the other", "inner product"),
            )
            .each("times")
            .shows("order of the matrix", order as f64)
            .because("On one core. A scalar addition waits for the one before it; the vector program adds sixteen sums at a time.")
    })
}

pub(super) fn reduce(run: &mut Run<'_>, _: &Claim) -> Checked {
    let side = 1024_usize;
    let cases = [("1024²", side), ("2048²", 2 * side)];
    let cases = cases.map(|(name, side)| -> Result<_, Error> {
        Ok((name, sum(run.machine, quads(side)?)?.kernel))
    });
    let race = Race::new(all(cases)?).chained(CHAIN);
    let found = race.decide(run, |laps| {
        let ratio = laps.ratio("2048²", "1024²");
        Found::value(times("as long for 2048² entries as for 1024²"), ratio)
            .because("The fixed cost of a pass belongs to both sizes, and keeps the ratio below that of the entries.")
    })?;
    let laps = race.laps(run)?;
    let rows = [("1024²", 1.6), ("2048²", 5.4)];
    let rows = rows.map(|(name, paper)| (name, paper, laps.seconds(name)));
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

pub(super) fn lines(run: &mut Run<'_>, _: &Claim) -> Checked {
    let limit = run.machine.description().rectangle_limit;
    let one = limit as usize;
    // The longest 1D texture of 2003; the longest line here, and a vector in several such lines.
    let mut works = Vec::new();
    let lengths =
        [("short", LINE, LINE as u32), ("long", one, limit), ("many", 1024 * 1024, limit)];
    for (name, length, widest) in lengths {
        let lines = Layout::lines(length, Format::R32F, widest)?;
        let square = Layout::square(length, Format::R32F)?;
        for (name, layout) in [(name.to_owned(), lines), (format!("{name}, square"), square)] {
            let product = vector_product(run.machine, layout)?.kernel;
            works.push((name, if length == LINE { product } else { run.aside(product) }));
        }
    }
    Race::new(works).chained(CHAIN).decide(run, |laps| {
        let [short, long, many] =
            lengths.map(|(name, ..)| laps.ratio(name, &format!("{name}, square")));
        Found::new()
            .ratio(times(format!("as long as a square for a line of {LINE} texels")), short)
            .shows(times(format!("as long for a line of {limit} texels")), long)
            .shows(times("as long for 1024² texels in lines"), many)
            .because("A line covers only one row of the tiles in which it is rasterised. The paper does not print its length.")
    })
}

/// Texels of the lines that are long enough to be timed.
const TEXELS: usize = 1024 * 1024;

pub(super) fn long_lines(run: &mut Run<'_>, _: &Claim) -> Checked {
    let limit = run.machine.description().rectangle_limit;
    let layouts =
        [Layout::lines(TEXELS, Format::R32F, limit), Layout::square(TEXELS, Format::R32F)];
    let [lines, square] = all(layouts)?.map(|layout| vector_product(run.machine, layout));
    let works = [("lines", lines?.kernel), ("square", square?.kernel)];
    Race::new(works).chained(CHAIN).decide(run, |laps| {
        Found::new()
            .raced(
                laps,
                times("as long as a square for 1024² texels in lines"),
                ratio("lines", "square"),
            )
            .shows("texels of a line", f64::from(limit))
    })
}

pub(super) fn single_pixels(run: &mut Run<'_>, _: &Claim) -> Checked {
    let x = Stream::zeros(run.machine, "x", (512, 512), Format::Rgba32F)?;
    let [one, whole] = [Rect::of_size(1, 1), x.full()].map(|part| {
        let x = &x;
        work(move |_| x.read_rect(part).map(|texels| drop(black_box(texels))))
    });
    Race::new([("one texel", one), ("all texels", whole)]).decide(run, |laps| {
        Found::new()
            .raced(
                laps,
                times("as long for a vector of 1024² entries"),
                ratio("all texels", "one texel"),
            )
            .shows("one texel", (laps.seconds("one texel").times(1e6), "µs"))
    })
}

pub(super) fn rgba(run: &mut Run<'_>, _: &Claim) -> Checked {
    let n = 1024 * 1024;
    let layouts = all([Format::R32F, Format::Rgba32F].map(|format| Layout::square(n, format)))?;
    let numbers = [0, 1, 1024, n - 1024, n - 1];
    let machine = run.machine;
    let products = layouts.map(|layout| vector_product(machine, layout));
    let sums = layouts.map(|layout| sum(machine, layout));
    // As many diagonals per pass in both, so that passes are equal.
    let per_pass = layouts.map(fitting).into_iter().min();
    let diagonals = layouts.map(|layout| banded_product(machine, layout, &numbers, per_pass));
    let names = ["product of vectors", "reduction", "five diagonals, two per pass"];
    let cases = names.into_iter().zip([products, sums, diagonals]).map(|(name, cases)| {
        let [scalar, packed] = all(cases)?;
        Ok([(name.to_owned(), scalar.kernel), (format!("{name}, packed"), packed.kernel)])
    });
    let works: Vec<_> = cases.collect::<Result<_, Error>>()?;
    let race = Race::new(works.into_iter().flatten()).chained(CHAIN);
    let found = race.decide(run, |laps| {
        names.into_iter().fold(Found::new(), |found, name| {
            let gain = laps.ratio(name, &format!("{name}, packed"));
            found.ratio(times(format!("as long with one entry per texel: {name}")), gain)
        })
    })?;
    Ok(found.because("Both layouts move the same bytes, and diagonals that do not start at a texel are fetched twice."))
}

pub(super) fn formats(run: &mut Run<'_>, _: &Claim) -> Checked {
    let formats = [
        ("four in 32 bits", Format::Rgba32F),
        ("four in 16 bits", Format::Rgba16F),
        ("one in 32 bits", Format::R32F),
        ("one in 16 bits", Format::R16F),
    ];
    let products = formats.map(|(name, format)| -> Result<_, Error> {
        Ok((name, vector_product(run.machine, Layout::square(1024 * 1024, format)?)?.kernel))
    });
    Race::new(all(products)?).chained(CHAIN).decide(run, |laps| {
        let name = "as long with 32 bits as with 16, four entries per texel";
        let narrow = laps.ratio("one in 32 bits", "one in 16 bits");
        Found::new()
            .ratio(times(name), laps.ratio("four in 32 bits", "four in 16 bits"))
            .shows(times("as long with one entry per texel"), narrow)
            .because("Programs compute in 32 bits in either case. The share of the time spent on moving bytes is not known.")
    })
}
