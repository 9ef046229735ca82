//! What the claims about the GPUs of 2003 run. The claims are rows of figures/card/claims.toml.

use std::sync::LazyLock;

use super::{Basis, FACTOR, Timing, gains, timings};
use crate::base::error::BoxedError;
use crate::base::table::{Cell, Table};
use crate::card::cache::Shape;
use crate::card::traffic::Traffic;
use crate::claim::traced::{Traced, caches_of_2003};
use crate::claim::{Claim, Claims, Paper, rows};
use crate::experiment::{Record, Study, Subject, Takes};
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::program::interpret::Order;
use crate::stream::{Edges, Format, Machine, Reduce, Reduction, Stream};
use crate::timing::{Effort, seconds_a_switch};

/// The studies that the claims read.
pub static STUDIES: &[&Study] = &[&STRIDED, &TIMINGS, &SWITCH];

static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
    let subjects: Vec<_> = STUDIES.iter().map(|&study| study as &'static dyn Subject).collect();
    let text = include_str!("../../figures/card/claims.toml");
    rows::built_in("figures/card/claims.toml", text, "id,value\n", &subjects)
});

/// The claims about the GPUs of 2003, which belong to no single paper.
pub static PAPER: Paper = Paper {
    id: "card",
    authors: "",
    title: "The GPUs of 2003",
    year: 2003,
    subject: "the papers' timings, computed by a model of their cards",
    partly: &[],
    together: &[],
    claims: Claims::Of(&CLAIMS),
};

/// Texels per side of the sum whose first pass is traced.
const SIDE: u32 = 512;

/// The traffic of strided fetches.
static STRIDED: Study = Study::measuring(
    "card/strided",
    "Bytes that the first pass of a sum over 512² texels moves through the plausible texture caches of a card of 2003",
    Takes::nothing(),
    &[
        (
            "{batches|fragments}",
            "",
            "bytes moved per byte fetched through each cache, batch by batch and fragment by fragment",
        ),
        ("up_to_8", "", "those batch by batch in caches of up to 8 KB"),
    ],
    |_, place| strided(place.machine),
);

fn strided(machine: &Machine) -> Result<Record, BoxedError> {
    let (size, format) = ((SIDE, SIDE), Format::Rgba32F);
    let x = Stream::zeros(machine, "x", size, format)?;
    let halves = u64::from(SIDE / 2);
    let sum = Reduction::new(machine, size, format, Reduce::Sum, Edges::Padded)?;
    let sum = sum.stopping_at(halves * halves);
    let bytes = x.bytes() as f64;
    let share = |order| -> Result<Traced, BoxedError> {
        let traffic = Traffic::of(machine, caches_of_2003(), order, || sum.of(&x).map(|_| ()))?;
        let moved = traffic.bytes_moved();
        Ok(Traced::new(caches_of_2003(), |at| moved[at] as f64 / bytes))
    };
    let [batches, fragments] = [share(Order::Batches)?, share(Order::Fragments)?];
    let mut record = Record::new();
    // The range begins with the smaller caches.
    let smaller = Shape::range(&[2, 4, 8]).len();
    record.each("up_to_8", batches.values[..smaller].iter().copied());
    record.each("batches", batches.values.iter().copied());
    record.each("fragments", fragments.values.iter().copied());
    let caption = "Bytes moved per byte fetched by the first pass of a sum over 512² texels; ranges over two to eight \
                   ways, plain and hashed sets.";
    let columns = [("batch by batch", &batches), ("fragment by fragment", &fragments)];
    record.table("strided", Traced::table(caption, &columns));
    Ok(record)
}

/// The papers' timings and gains in the model.
static TIMINGS: Study = Study::measuring(
    "card/timings",
    "The papers' timings and gains of single changes in the model of the GPUs of 2003",
    Takes::nothing(),
    &[
        ("{calibrated|held_out}.ratios", "", "seconds in the model relative to the printed ones"),
        ("{calibrated|held_out}.within", "", "number of those within 30 %, in words"),
        ("calibrated.{mean|spread}", "", "mean and root mean square of the logarithms of these"),
        ("gain.{c1|c2|c3|c6|c7|c8|fig6}", "", "gains of changes, by their steps and figures"),
    ],
    |_, _| in_the_model(),
);

fn in_the_model() -> Result<Record, BoxedError> {
    let (timings, mut record) = (timings()?, Record::new());
    for (basis, name) in [(Basis::Calibrated, "calibrated"), (Basis::HeldOut, "held_out")] {
        let own = timings.iter().filter(|timing| timing.basis == basis);
        record.each(format!("{name}.ratios"), own.clone().map(Timing::ratio));
        let near = own.clone().filter(|timing| timing.is_within(FACTOR)).count();
        record.text(format!("{name}.within"), format!("{near} of {}", own.count()));
    }
    let fitted = timings.iter().filter(|one| one.basis == Basis::Calibrated);
    let logarithms: Vec<f64> = fitted.map(|timing| timing.ratio().ln()).collect();
    let mean = |power: i32| {
        let powers = logarithms.iter().map(|logarithm| logarithm.powi(power));
        powers.sum::<f64>() / logarithms.len() as f64
    };
    record.one("calibrated.mean", mean(1));
    record.one("calibrated.spread", mean(2).sqrt());
    let columns = ["step", "section", "change", "paper (times as long without)", "model"];
    let mut table = Table::new("Gains of single changes, as printed and in the model.", columns);
    for gain in gains()? {
        let numbers = [gain.printed, gain.model].map(Cell::Number);
        let name = [gain.id, gain.section, gain.what].map(Cell::from);
        table.push(name.into_iter().chain(numbers));
        let (_, step) = gain.id.split_once('-').unwrap_or_default();
        record.one(format!("gain.{}", step.replace('.', "").to_lowercase()), gain.model);
    }
    record.table("gains", table);
    let caption = "The model's seconds relative to the printed ones, for every printed timing; between the outer lines \
                   they agree within a factor of 1.3.";
    let chart = picture(&timings);
    record.chart("cards", caption, chart.svg()?, chart.csv());
    Ok(record)
}

/// A target switch of this driver.
static SWITCH: Study = Study::measuring(
    "card/switch",
    "Time that this driver takes to switch the target",
    Takes::nothing(),
    &[("seconds", "s", "seconds of a switch")],
    |_, place| {
        let seconds = seconds_a_switch(place.machine, Effort::FULL)?;
        Ok(Record::numbers([("seconds", seconds)]))
    },
);

/// The model's seconds relative to the printed ones.
pub fn picture(timings: &[Timing]) -> Chart {
    let points = Basis::ALL.map(|basis| {
        let of_basis = timings.iter().filter(|timing| timing.basis == basis);
        let points = of_basis.map(|timing| (1e3 * timing.printed, timing.ratio()));
        // A label is at the last point: the longest timing's, so that labels do not overlap.
        let mut points: Vec<(f64, f64)> = points.collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series::new(basis.name(), Style::Points, points)
    });
    let level = |label: &str, ratio: f64| {
        let points = [0.1, 20_000.0].map(|end| (end, ratio));
        Series::new(label, Style::Line, points)
    };
    let levels = [level("as printed", 1.0), level("× 1.3", FACTOR), level("÷ 1.3", 1.0 / FACTOR)];
    let axes =
        [Axis::logarithmic("printed (ms)"), Axis::linear("model / printed").with_range(0.4, 1.4)];
    let series = points.into_iter().chain(levels);
    Chart::new("Timings of four papers in the model of their GPUs", axes, series)
}
