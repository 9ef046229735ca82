//! The claim that the model retrodicts the papers' timings, and its picture.

use super::{Basis, FACTOR, Timing, gains, timings};
use crate::base::interval::range;
use crate::card::cache::Shape;
use crate::card::traffic::Traffic;
use crate::claim::traced::{Traced, caches_of_2003};
use crate::claim::{
    BoxedError, Cell, Checked, Claim, Claims, Found, Interval, JudgedOn, Paper, Printed, Run,
    Table, fit, shape,
};
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::program::interpret::Order;
use crate::stream::{Edges, Format, Reduce, Reduction, Stream};
use crate::timing::{Effort, seconds_a_switch};

/// Largest mean and root mean square of the logarithms to which the model was fitted.
const MEAN: f64 = 0.03;
const SPREAD: f64 = 0.12;

/// The claims about the GPUs of 2003, which belong to no single paper.
pub static PAPER: Paper = Paper {
    id: "card",
    authors: "",
    title: "The GPUs of 2003",
    year: 2003,
    subject: "the papers' timings, computed by a model of their cards",
    partly: &[],
    together: &[],
    claims: Claims::These(&[
        shape(
            "strided",
            "model",
            "In the model of the cards a fetch of every other texel takes k times as long as one of neighbouring texels. \
             The fit gave k = 2.2; here k is derived from a trace: batch by batch, such fetches move this number of times \
             their bytes through a texture cache.",
            Printed::Ratio(2.2),
            strided,
        )
        .ours()
        .judged_on(JudgedOn::Trace),
        fit(
        "cards",
        "four papers",
        "One model of the GPUs of 2003 with five fitted numbers gives within 30 % the timings of the four papers of \
         2003 that can be computed from their texts: those to which it was fitted, and those to which it was not. Timings \
         derived from a printed rate are shown. Of the gains of single changes to a program, none was fitted.",
        Printed::Words("all within 30 %"),
        cards,
    )
    .ours()
    .judged_on(JudgedOn::Model)
    ]),
};

/// Texels per side of the sum whose first pass is traced.
const SIDE: u32 = 512;

fn strided(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (machine, size, format) = (run.machine, (SIDE, SIDE), Format::Rgba32F);
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
    let caption = "Bytes moved per byte fetched by the first pass of a sum over 512² texels; ranges over two to eight \
                   ways, plain and hashed sets.";
    let columns = [("batch by batch", &batches), ("fragment by fragment", &fragments)];
    run.table("strided", Traced::table(caption, &columns));
    // The range begins with the smaller caches.
    let up_to_8 = Traced::new(Shape::range(&[2, 4, 8]), |at| batches.values[at]);
    Ok(Found::new()
        .ratio("bytes moved per byte fetched", batches.interval())
        .headline("times")
        .shows("the same in caches of up to 8 KB", up_to_8.interval())
        .shows("the same fragment by fragment", fragments.interval())
        .because(
            "A cache of up to 8 KB evicts the second half of each line before its instruction; one of 16 KB holds the \
             lines of a batch.",
        ))
}

fn cards(run: &mut Run<'_>, _: &Claim) -> Checked {
    let timings = timings()?;
    let mut found = Found::new();
    for (basis, name) in [
        (Basis::Calibrated, "model relative to printed seconds, calibrated"),
        (Basis::HeldOut, "model relative to printed seconds, held out"),
    ] {
        let ratios = timings.iter().filter(|timing| timing.basis == basis);
        let ratios = Interval::of_ratios(range(ratios.map(Timing::ratio)));
        found = found.between(name, ratios, [1.0 / FACTOR, FACTOR]);
    }
    let fitted = timings.iter().filter(|one| one.basis == Basis::Calibrated);
    let logarithms: Vec<f64> = fitted.map(|timing| timing.ratio().ln()).collect();
    let mean = |power: i32| {
        let powers = logarithms.iter().map(|logarithm| logarithm.powi(power));
        powers.sum::<f64>() / logarithms.len() as f64
    };
    found = found.at_most("mean logarithm of the calibrated ones", mean(1).abs(), MEAN).at_most(
        "root mean square of these",
        mean(2).sqrt(),
        SPREAD,
    );
    let within = |basis: Basis| {
        let own = timings.iter().filter(|timing| timing.basis == basis);
        let near = own.clone().filter(|timing| timing.is_within(FACTOR)).count();
        format!("{near} of {}", own.count())
    };
    found = found
        .shows("calibrated timings within 30 %", within(Basis::Calibrated))
        .shows("held-out timings within 30 %", within(Basis::HeldOut))
        .headline("held out within 30 %");
    let columns = ["step", "section", "change", "paper (times as long without)", "model"];
    let mut table = Table::new("Gains of single changes, as printed and in the model.", columns);
    for gain in gains()? {
        let numbers = [gain.printed, gain.model].map(Cell::Number);
        let name = [gain.id, gain.section, gain.what].map(Cell::from);
        table.push(name.into_iter().chain(numbers));
        let printed = gain.printed;
        found = found
            .shows(format!("gain of {} in the model (printed {printed:.2})", gain.id), gain.model);
    }
    run.table("gains", table);
    let switch = seconds_a_switch(run.machine, Effort::of(run.quick))?;
    found = found
        .shows("target switch here, for comparison with the model's 330", (1e6 * switch, "µs"));
    let caption = "The model's seconds relative to the printed ones, for every printed timing; between the outer lines \
                   they agree within a factor of 1.3.";
    run.chart("cards", caption, &picture(&timings))?;
    Ok(found.because(
        "The form of the model was chosen after the timings were seen. bolz2003's product and half of kruger2003's \
         Navier–Stokes equations are not judged. bolz2003's time step is further off: the listing of its smoother \
         holds six registers. goodnight2003 prints a rate and no times, and bolz2003's iteration contains its product. The gain of step 6 of batty2003's Appendix C has the wrong sign: adjacent texels are \
         strided fetches, which the fit made slower.",
    ))
}

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
