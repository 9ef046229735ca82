//! §5.3, colour plate 1: flow around a flapping wing.

use crate::base::error::BoxedError;
use crate::card::cost::GEFORCE_FX_5800_ULTRA;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::goodnight2003::scenes;
use crate::goodnight2003::scenes::wing::WING;
use crate::goodnight2003::wing::{View, Wing, WingPainter};
use crate::picture::Canvas;
use crate::picture::sheet::{Align, INK, Sheet};
use crate::stream::{Ledger, Source, source};

/// Height of the line above the picture.
const HEAD: u32 = 44;
/// Last time of which forces are left out: before, the initial vortex sheet causes an unbounded force.
const CALM: f64 = 0.3;

/// Settings that the passes of a step depend on.
const PASSES: &str = "size operator cycles pre post cycle smoother coarsest_sweeps levels storage programs \
    red_black_map precision steps";

/// The flow around a wing.
pub static WING_FLOW: Study = Study::measuring(
    "goodnight2003/flow",
    "Flow around a wing, its forces, and what is uploaded between the steps",
    Takes::of(&WING, "paper", PASSES)
        .and("body reynolds radius heave lag pitch incidence courant hazard"),
    &[
        ("uploads", "", "between the steps"),
        ("time", "chords", "of the last step"),
        ("times", "chords", "of the history, after 0.3"),
        ("{lift|drag}", "½ρU²c", "over these times"),
    ],
    flow,
);

fn flow(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: scenes::wing::Settings = experiment.typed()?;
    let mut wing = Wing::new(place.machine, settings.flow()?)?;
    place.machine.take_ledger();
    (0..experiment.steps()).try_for_each(|_| wing.step())?;
    let (ledger, mut record) = (place.machine.take_ledger(), Record::new());
    record.one("uploads", ledger.uploads as f64);
    record.ledger("", &ledger);
    record.one("time", wing.time());
    let calm = || wing.history().iter().filter(|sample| sample.time > CALM);
    record.each("times", calm().map(|sample| sample.time));
    record.each("lift", calm().map(|sample| sample.forces.lift));
    record.each("drag", calm().map(|sample| sample.forces.drag));
    let caption = "Vorticity around an airfoil that heaves by half its chord and pitches by 20 degrees, at Re 400.";
    let (view, [width, height]) = (View::default(), [1080, 480]);
    let canvas = Canvas::new(place.machine, width, height)?;
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
    record.picture("wing", caption, sheet.png()?);
    Ok(record)
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

/// The Poisson equation's share of the flow.
pub static BULKY: Study = Study::measuring(
    "goodnight2003/bulk",
    "The Poisson equation's share of the steps of a wing's flow",
    Takes::of(&WING, "paper", PASSES),
    &[
        ("share.model", "share", "of the time in the model"),
        ("share.{fetches|fragments|passes}", "share", "of these"),
    ],
    shares,
);

fn shares(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: scenes::wing::Settings = experiment.typed()?;
    let mut wing = Wing::new(place.machine, settings.flow()?)?;
    wing.step()?;
    place.machine.take_ledger();
    (0..experiment.steps()).try_for_each(|_| wing.step())?;
    let ledger = place.machine.take_ledger();
    let others = ledger.passes_of(&TRANSPORT);
    let share = |of: &dyn Fn(&Ledger) -> f64| 1.0 - of(&others) / of(&ledger);
    let seconds = |ledger: &Ledger| {
        let seconds = GEFORCE_FX_5800_ULTRA.seconds(ledger).unwrap_or(f64::NAN);
        seconds - GEFORCE_FX_5800_ULTRA.switching_seconds(ledger)
    };
    let mut record = Record::new();
    record.one("share.model", share(&seconds));
    record.one("share.fetches", share(&|ledger| ledger.total().fetches as f64));
    record.one("share.fragments", share(&|ledger| ledger.total().fragments as f64));
    record.one("share.passes", share(&|ledger| ledger.total().passes as f64));
    record.ledger("", &ledger);
    Ok(record)
}
