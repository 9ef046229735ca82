//! §3.2, §3.3, §4.3: batches, rectangles, instructions and theoretical rates of the GeForce FX.

use std::sync::Arc;

use crate::bolz2003::grid::kernels::{GridKernel, GridKernels, OperatorKernels, StencilKind};
use crate::bolz2003::sparse::spmv::SPMV;
use crate::bolz2003::study::pictures;
use crate::card::cost::rectangle::{end_of_step, even_sizes};
use crate::card::cost::theory::reduction_fragments;
use crate::card::cost::{Halving, Nv30};
use crate::card::count::{Count, count};
use crate::claim::{BoxedError, Checked, Claim, Found, Run, worst};
use crate::picture::plot::{Axis, Bars, Chart, Group, Series, Style};
use crate::stream::{Machine, Source, source};

/// Largest area of Fig. 3, in pixels.
pub const LARGEST_AREA: u32 = 2048;
/// Largest aspect ratio of a rectangle.
pub const ASPECT: u32 = 2;
/// Areas that count as just below 500.
const JUST_BELOW: [f64; 2] = [400.0, 499.0];
/// Largest share that rectangles of one batch may lose.
const NEGLIGIBLE: f64 = 0.1;
/// Largest relative difference of a count from the paper's.
const COUNTS: f64 = 0.35;
/// Sides of the grids whose waste is compared.
pub const SIDES: [u32; 7] = [9, 17, 33, 65, 129, 257, 513];
/// Shares that count as almost 50 %, and shares that round to 29 %.
const ALMOST_HALF: [f64; 2] = [0.4, 0.5];
const ABOUT_29: [f64; 2] = [0.285, 0.295];

pub(super) fn staircase(run: &mut Run<'_>, _: &Claim) -> Checked {
    let nv30 = Nv30::default();
    let stairs = nv30.staircase(&even_sizes(LARGEST_AREA, ASPECT), nv30.program_length);
    let (last, first) = end_of_step(&stairs, 1).ok_or("the staircase has one step only")?;
    let points =
        (stairs.iter()).map(|stair| (f64::from(stair.rectangle.area()), stair.batches as f64));
    let full = nv30.fragments_per_batch();
    // Blanks keep the two labels separate.
    let gap = "\u{a0}".repeat(8);
    let marks =
        [(f64::from(last), format!("{last}{gap}")), (f64::from(full), format!("{gap}{full}"))];
    let axes = ["area of the rectangle (pixels)", "time (batches)"].map(Axis::linear);
    let title = "GeForce FX (model): the time of a rectangle rises in steps";
    let chart = Chart::new(title, axes, [Series::new("", Style::Points, points)]).marked(marks);
    let caption = "Every rectangle of even sides (aspect at most 1:2) in the model. Tuples on the diagonal are \
                   processed twice, so the largest rectangle in a single batch of 512 fragments has fewer than 500 \
                   pixels.";
    run.chart("fig3", caption, &chart)?;
    Ok(Found::new()
        .between("largest rectangle in one batch", f64::from(last), JUST_BELOW)
        .headline("pixels")
        .shows("smallest rectangle in two", (f64::from(first), "pixels")))
}

pub(super) fn rectangle(run: &mut Run<'_>, _: &Claim) -> Checked {
    let nv30 = Nv30::default();
    let best = nv30.best_rectangle();
    let caption = "The best rectangle as the model rasterises it: two triangles, in tuples of 2×2 pixels. Dots are \
                   pixel centres, white where both triangles put the tuple into the fragment stage.";
    run.figure("rectangle", caption, pictures::tuples(&nv30, best)?);
    let caption = "Useful share of the fragment stage for every rectangle drawn alone (model). Bright ridges are \
                   rectangles that just fill 1, 2, 3 … batches; the frame marks 26×18.";
    let (picture, csv) = pictures::waste(&nv30, best)?;
    run.figure("rectangle-waste", caption, picture);
    run.numbers(csv);
    let sides = format!("{}×{}", best.width, best.height);
    Ok(Found::new()
        .is("best rectangle", sides, "26×18")
        .headline("")
        .shows("useful work in a batch", (useful(&nv30, 1), "%"))
        .because("Its transpose is as good; the wide one touches fewer rows of the texture."))
}

/// Useful share of this many batches with their best rectangle, in percent.
fn useful(nv30: &Nv30, batches: u32) -> f64 {
    let best = nv30.best_rectangles(batches);
    let waste = best.first().map(|best| nv30.waste(best.width, best.height));
    100.0 * (1.0 - waste.unwrap_or(1.0))
}

pub(super) fn one_batch(_: &mut Run<'_>, _: &Claim) -> Checked {
    let nv30 = Nv30::default();
    let most = [2, 4, 8].map(|z| (format!("= {z}"), useful(&nv30, z)));
    let mut found = Found::new();
    for (z, useful_in_many) in most.into_iter().chain([("→ ∞".to_owned(), 100.0)]) {
        let loss = 1.0 - useful(&nv30, 1) / useful_in_many;
        found = found.at_most(format!("loss compared with z {z}"), loss, NEGLIGIBLE);
    }
    Ok(found.headline("share").because("The cost of starting a rectangle is not in the model."))
}

/// Longest side of the rectangles whose waste is counted, in tuples.
const LONGEST: u32 = 256;

pub(super) fn waste_bound(_: &mut Run<'_>, _: &Claim) -> Checked {
    let nv30 = Nv30::default();
    let side = nv30.tuple_side;
    let sizes = (1..=LONGEST).flat_map(|w| (1..=LONGEST).map(move |h| (w, h)));
    let wasted = sizes.map(|(w, h)| {
        let tuples = nv30.tuples(side * w, side * h);
        (tuples.total() - u64::from(w * h)) as f64 / f64::from(w.max(h))
    });
    Ok(Found::new()
        .at_most("largest number of wasted tuples, relative to max(w, h)", worst(wasted), 1.0)
        .headline("of max(w, h)")
        .shows("rectangles", f64::from(LONGEST * LONGEST)))
}

/// Programs whose lengths the paper gives: name, count, the paper's instructions, and its fetches if they are given.
type Programs = Vec<(&'static str, Arc<Count>, u32, Option<u32>)>;

fn programs(machine: &Machine) -> Result<Programs, BoxedError> {
    const REDUCTION: Source = source!(stream, "bounded/reduce");
    // Six off-diagonal entries and the diagonal one.
    let product = SPMV.assemble(&[("ROW_LENGTH", "6.0")]);
    let reduction = REDUCTION.assemble(&[("COMBINE(a, b)", "((a) + (b))"), ("IDENTITY", "0.0")]);
    let stencil = OperatorKernels::new(machine, StencilKind::Stored)?;
    let grid = GridKernels::new(machine)?;
    // Over grids, the programs of inner texels are counted, since nearly all texels are inner.
    let text = |kernel: &GridKernel| kernel.inner.text().fragment.clone();
    let programs = [
        ("product", product, 33, Some(21)),
        ("reduction", reduction, 10, Some(4)),
        ("stencil", text(&stencil.product), 27, Some(18)),
        ("interpolation", text(&grid.interpolate), 10, None),
        ("projection", text(&grid.project), 19, None),
    ];
    let counted = programs.into_iter();
    counted.map(|(name, text, paper, fetches)| Ok((name, count(&text)?, paper, fetches))).collect()
}

pub(super) fn instructions(run: &mut Run<'_>, _: &Claim) -> Checked {
    let programs = programs(run.machine)?;
    let here = programs.iter().map(|(_, count, ..)| Some(f64::from(count.instructions)));
    let paper = programs.iter().map(|&(_, _, paper, _)| Some(f64::from(paper)));
    let bars = Bars::new(
        "Instructions of a fragment program",
        Axis::linear("instructions, including fetches"),
        programs.iter().map(|(name, ..)| *name),
        [Group::new("here", here), Group::new("paper", paper)],
    );
    let caption = "Instructions of NV_fragment_program, counted from the text of the programs, and the paper's \
                   numbers.";
    run.bars("instructions", caption, &bars)?;
    let lengths = programs.iter().map(|(_, count, ..)| f64::from(count.instructions));
    let mut found = Found::new().list("instructions, in the paper's order", lengths, "");
    for (name, count, instructions, fetches) in programs {
        let bounds = [1.0 - COUNTS, 1.0 + COUNTS].map(|share| share * f64::from(instructions));
        found = found.between(name, f64::from(count.instructions), bounds);
        if let Some(fetches) = fetches {
            let name = format!("fetches of the {name}");
            found = found.equal(name, f64::from(count.fetches), f64::from(fetches));
        }
    }
    Ok(found
        .because("The reduction compares with both bounds; the stencil and the projection add to a position twice."))
}

pub(super) fn offset_fetches(_: &mut Run<'_>, _: &Claim) -> Checked {
    // The only additions step along a segment.
    let product = |entries: u32| -> Result<[f64; 2], BoxedError> {
        let count = count(&SPMV.assemble(&[("ROW_LENGTH", &format!("{entries}.0"))]))?;
        let steps = count.by_kind.get("ADD").copied().unwrap_or(0);
        Ok([steps, count.instructions].map(f64::from))
    };
    let ([steps, all], [more_steps, more]) = (product(6)?, product(7)?);
    let limit = (more_steps - steps) / (more - all);
    let found = Found::value("share of steps in the limit of long rows", (limit, "share"));
    Ok(found
        .at_most("with seven entries per row", steps / all, limit)
        .because("Of the five instructions for each further entry, one steps along the segment."))
}

pub fn theory(_: &mut Run<'_>, _: &Claim) -> Checked {
    let nv30 = Nv30::default();
    // The paper multiplies the first pass by 4/3, the sum of the geometric series.
    let series = nv30.peak_rate(100 * 100, 10) * 3.0 / 4.0;
    let reduction = |halving| nv30.peak_rate(reduction_fragments(200, 200, halving), 10);
    // The paper's numbers are rounded to two digits.
    let rounded = |value: f64| {
        let unit = 10f64.powf(value.log10().floor() - 1.0);
        (value / unit).round() * unit
    };
    let stencil = nv30.peak_rate(129 * 129, 27);
    Ok(Found::new()
        .equal("reductions per second, to two digits", rounded(series), 15_000.0)
        .headline("reductions per second")
        .shows("the same pass by pass, odd sizes rounded up", reduction(Halving::Up))
        .shows("rounded down", reduction(Halving::Down))
        .shows("products per second, three components", nv30.peak_rate_by_component(37_000, 33, 3))
        .shows("products per second, four components", nv30.peak_rate(37_000, 33))
        .equal("stencils per second, to two digits", rounded(stencil), 4500.0)
        .shows("interpolations per second", nv30.peak_rate(129 * 129, 10))
        .shows("projections per second", nv30.peak_rate(65 * 65, 19))
        .because("“Over 500” products is a reading: it fits if the four pipelines are divided by the three components of a \
                  position."))
}

/// Shares of time that square grids waste in the model.
pub fn waste() -> [f64; 7] {
    let nv30 = Nv30::default();
    SIDES.map(|n| nv30.waste(n, n))
}

pub fn batch(_: &mut Run<'_>, _: &Claim) -> Checked {
    let waste = waste();
    let falls = waste.windows(2).filter(|pair| pair[1] < pair[0]).count();
    let name = "sizes from 17² on that waste less than the one before";
    let name_of_all = "time wasted on 17² and 33²";
    Ok(Found::new()
        .list(name_of_all, [waste[1], waste[2]].map(|share| 100.0 * share), "%")
        .between("share of time wasted on 17²", waste[1], ALMOST_HALF)
        .between("share of time wasted on 33²", waste[2], ABOUT_29)
        .equal(name, falls as f64, 6.0)
        .because(
            "17² fragments leave part of one batch unused, and 33² fragments need three batches.",
        ))
}
