//! §5.3, colour plate 1: flow around a flapping wing.

use crate::card::cost::GEFORCE_FX_5800_ULTRA;
use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::goodnight2003::scenes;
use crate::goodnight2003::wing::{Forces, Sample, View, Wing, WingPainter};
use crate::picture::Canvas;
use crate::picture::plot::{Axis, Chart, Series, Style};
use crate::picture::sheet::{Align, INK, Sheet};
use crate::stream::{Ledger, Source, source};

/// Height of the line above the picture.
const HEAD: u32 = 44;
/// First time of which forces are drawn: before, the initial vortex sheet causes an unbounded force.
const CALM: f64 = 0.3;

pub(super) fn flap(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (settings, steps) = run.settings::<scenes::wing::Settings>(claim)?;
    let mut wing = Wing::new(run.machine, settings.flow()?)?;
    run.machine.take_ledger();
    (0..steps).try_for_each(|_| wing.step())?;
    let uploads = run.machine.take_ledger().uploads;
    let caption = "Vorticity around an airfoil that heaves by half its chord and pitches by 20 degrees, at Re 400.";
    let (view, [width, height]) = (View::default(), [1080, 480]);
    let canvas = Canvas::new(run.machine, width, height)?;
    WingPainter::new(&wing, view)?.draw(&wing, &canvas)?;
    // Time and scale are above the picture.
    let mut sheet = Sheet::new(width, HEAD + height);
    sheet.paste(&canvas.image()?, [0, HEAD]);
    let text = format!("time {:.1} (chords travelled by the stream)", wing.time());
    sheet.text(&text, [20.0, 22.0], Align::Left, 24.0, INK)?;
    let end = f64::from(width) - 20.0;
    let start = end - f64::from(width) / (view.right - view.left);
    sheet.text("1 chord", [(start + end) / 2.0, 16.0], Align::Centre, 22.0, INK)?;
    sheet.line(&[[start, 34.0], [end, 34.0]], 3.0, INK)?;
    run.figure("wing", caption, sheet.png()?);
    draw_forces(run, wing.history())?;
    Ok(Found::new()
        .equal("uploads between the steps", uploads as f64, 0.0)
        .headline("uploads")
        .shows("steps", wing.steps() as f64))
}

/// Plots lift and drag over time.
fn draw_forces(run: &mut Run<'_>, history: &[Sample]) -> Result<(), BoxedError> {
    let of = |label, value: fn(&Forces) -> f64| {
        let calm = history.iter().filter(|sample| sample.time > CALM);
        let points = calm.map(|sample| (sample.time, value(&sample.forces)));
        Series::new(label, Style::Line, points)
    };
    let axes =
        ["time (chords travelled by the stream)", "force / (½ ρ U² chord)"].map(Axis::linear);
    let series = [of("lift", |f| f.lift), of("drag", |f| f.drag)];
    let chart = Chart::new("A flapping airfoil at Re 400", axes, series);
    run.chart("wing-lift", "Lift and drag: A flapping airfoil at Re 400.", &chart)
}

/// Programs of a step other than the Poisson equation with its source, and the forces.
const TRANSPORT: [Source; 6] = [
    source!(goodnight2003, "wing/transport"),
    source!(goodnight2003, "wing/far"),
    source!(goodnight2003, "wing/wall"),
    source!(goodnight2003, "wing/rate"),
    source!(goodnight2003, "wing/probe"),
    source!(goodnight2003, "wing/nodes"),
];
/// Smallest share that is the bulk.
const BULK: f64 = 0.5;

pub(super) fn bulk(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (settings, steps) = run.settings::<scenes::wing::Settings>(claim)?;
    let mut wing = Wing::new(run.machine, settings.flow()?)?;
    wing.step()?;
    run.machine.take_ledger();
    (0..steps).try_for_each(|_| wing.step())?;
    let ledger = run.machine.take_ledger();
    let others = ledger.passes_of(&TRANSPORT);
    let share = |of: &dyn Fn(&Ledger) -> f64| (1.0 - of(&others) / of(&ledger), "share");
    let seconds = |ledger: &Ledger| {
        let seconds = GEFORCE_FX_5800_ULTRA.seconds(ledger).unwrap_or(f64::NAN);
        seconds - GEFORCE_FX_5800_ULTRA.switching_seconds(ledger)
    };
    Ok(Found::new()
        .at_least(
            "the Poisson equation's share of a step's time in the model",
            share(&seconds),
            BULK,
        )
        .headline("share")
        .shows("of its fetches", share(&|ledger| ledger.total().fetches as f64))
        .shows("of its fragments", share(&|ledger| ledger.total().fragments as f64))
        .shows("of its passes", share(&|ledger| ledger.total().passes as f64))
        .because("A step takes one V-cycle here; the paper does not give the number."))
}
