//! §3.2, §3.3, §4.3: batches, rectangles and instructions of the GeForce FX.

use crate::base::error::BoxedError;
use crate::bolz2003::grid::kernels::{GridKernel, GridKernels, OperatorKernels, StencilKind};
use crate::bolz2003::sparse::spmv::SPMV;
use crate::bolz2003::study::pictures;
use crate::card::cost::Nv30;
use crate::card::cost::rectangle::{end_of_step, even_sizes};
use crate::card::count::count;
use crate::claim::worst;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::stream::{Source, source};

/// Largest area of Fig. 3, in pixels.
pub const LARGEST_AREA: u32 = 2048;
/// Largest aspect ratio of a rectangle.
pub const ASPECT: u32 = 2;
/// Sides of the grids whose waste is compared.
const SIDES: [u32; 7] = [9, 17, 33, 65, 129, 257, 513];
/// Longest side of the rectangles whose waste is counted, in tuples.
const LONGEST: u32 = 256;

/// The model of batches.
pub static MODEL: Study = Study::measuring(
    "bolz2003/model",
    "Rectangles and batches in the model of the GeForce FX",
    Takes::nothing(),
    &[
        ("{area|batches}", "", "pixels of every rectangle of even sides, and its batches"),
        ("{last|first}", "pixels", "the largest of them in one batch, and the smallest in two"),
        ("full", "", "fragments of a full batch"),
        ("best", "", "sides of the best rectangle for one batch"),
        ("useful.{1|2|4|8}", "%", "useful share of so many batches with their best rectangle"),
        ("square.{9|17|33|65|129|257|513}", "", "wasted share of a square grid with this side"),
        ("falls", "", "sides that waste less than the one before"),
        ("diagonal", "", "largest number of wasted tuples, relative to max(w, h)"),
        ("rectangles", "", "rectangles of w×h tuples"),
    ],
    model,
);

fn model(_: &Experiment, _: Place<'_>) -> Result<Record, BoxedError> {
    let (nv30, mut record) = (Nv30::default(), Record::new());
    let stairs = nv30.staircase(&even_sizes(LARGEST_AREA, ASPECT), nv30.program_length);
    let (last, first) = end_of_step(&stairs, 1).ok_or("the staircase has one step only")?;
    record.one("last", f64::from(last));
    record.one("first", f64::from(first));
    record.one("full", f64::from(nv30.fragments_per_batch()));
    record.each("area", stairs.iter().map(|stair| f64::from(stair.rectangle.area())));
    record.each("batches", stairs.iter().map(|stair| stair.batches as f64));
    for batches in [1, 2, 4, 8] {
        record.one(format!("useful.{batches}"), useful(&nv30, batches));
    }
    let waste = SIDES.map(|n| nv30.waste(n, n));
    for (side, waste) in SIDES.into_iter().zip(waste) {
        record.one(format!("square.{side}"), waste);
    }
    let falls = waste.windows(2).filter(|pair| pair[1] < pair[0]).count();
    record.one("falls", falls as f64);
    let side = nv30.tuple_side;
    let sizes = (1..=LONGEST).flat_map(|w| (1..=LONGEST).map(move |h| (w, h)));
    let wasted = sizes.map(|(w, h)| {
        let tuples = nv30.tuples(side * w, side * h);
        (tuples.total() - u64::from(w * h)) as f64 / f64::from(w.max(h))
    });
    record.one("diagonal", worst(wasted));
    record.one("rectangles", f64::from(LONGEST * LONGEST));
    let best = nv30.best_rectangle();
    record.text("best", format!("{}×{}", best.width, best.height));
    let caption = "The best rectangle as the model rasterises it: two triangles, in tuples of 2×2 pixels. Dots are pixel \
                   centres, white where both triangles put the tuple into the fragment stage.";
    record.picture("rectangle", caption, pictures::tuples(&nv30, best)?);
    let caption = "Useful share of the fragment stage for every rectangle drawn alone (model). Bright ridges are \
                   rectangles that just fill 1, 2, 3 … batches; the frame marks 26×18.";
    let (picture, csv) = pictures::waste(&nv30, best)?;
    record.picture("rectangle-waste", caption, picture);
    record.numbers_of_last(csv);
    Ok(record)
}

/// Useful share of this many batches with their best rectangle, in percent.
fn useful(nv30: &Nv30, batches: u32) -> f64 {
    let best = nv30.best_rectangles(batches);
    let waste = best.first().map(|best| nv30.waste(best.width, best.height));
    100.0 * (1.0 - waste.unwrap_or(1.0))
}

/// Programs whose lengths the paper gives.
pub static PROGRAMS: Study = Study::measuring(
    "bolz2003/programs",
    "The lengths of the programs, in the instructions of NV_fragment_program",
    Takes::nothing(),
    &[(
        "{product|longer|reduction|stencil|interpolation|projection}.{instructions|fetches|additions}",
        "",
        "all instructions, and two kinds of them; the product with seven entries per row, or with eight",
    )],
    |_, place| {
        const REDUCTION: Source = source!(stream, "bounded/reduce");
        let reduction =
            REDUCTION.assemble(&[("COMBINE(a, b)", "((a) + (b))"), ("IDENTITY", "0.0")]);
        // Off-diagonal entries and the diagonal one.
        let product = |length: &str| SPMV.assemble(&[("ROW_LENGTH", length)]);
        let stencil = OperatorKernels::new(place.machine, StencilKind::Stored)?;
        let grid = GridKernels::new(place.machine)?;
        // Over grids, the programs of inner texels are counted, since nearly all texels are inner.
        let text = |kernel: &GridKernel| kernel.inner.text().fragment.clone();
        let programs = [
            ("product", product("6.0")),
            ("longer", product("7.0")),
            ("reduction", reduction),
            ("stencil", text(&stencil.product)),
            ("interpolation", text(&grid.interpolate)),
            ("projection", text(&grid.project)),
        ];
        let mut record = Record::new();
        for (name, text) in programs {
            let count = count(&text)?;
            let additions = count.by_kind.get("ADD").copied().unwrap_or(0);
            for (what, number) in [
                ("instructions", count.instructions),
                ("fetches", count.fetches),
                ("additions", additions),
            ] {
                record.one(format!("{name}.{what}"), f64::from(number));
            }
        }
        Ok::<_, BoxedError>(record)
    },
);
