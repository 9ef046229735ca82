//! The chart: a panel per machine with the measured ratios against the expected and the printed ones, on logarithmic axes.

use super::prediction::{Prediction, predictions};
use super::{Machine, Sentence};
use crate::picture::plot::style::{GRID, colour};
use crate::picture::sheet::{Align, INK, QUIET, Sheet, SheetError};

const WIDTH: f64 = 1280.0;
/// Side of a panel, its distance from the next one, and the upper left corner of the first.
const SIDE: f64 = 352.0;
const STEP: f64 = 416.0;
const CORNER: [f64; 2] = [70.0, 150.0];
/// Ends of both axes. A range beyond them is cut.
const RANGE: [f64; 2] = [0.05, 20.0];
const TICKS: [f64; 6] = [0.05, 0.2, 0.5, 1.0, 3.0, 10.0];
/// Places in the palette.
const EXPECTED: usize = 5;
const PRINTED: usize = 1;
const SIZE: f64 = 22.0;
/// A point this far from its prediction, as a factor, has its name.
const FAR: f64 = 1.25;

/// Share of an axis.
fn share(ratio: f64) -> f64 {
    let [from, to] = RANGE.map(f64::ln);
    ((ratio.ln() - from) / (to - from)).clamp(0.0, 1.0)
}

/// A panel by its upper left corner.
struct Panel([f64; 2]);

impl Panel {
    fn x(&self, ratio: f64) -> f64 {
        self.0[0] + SIDE * share(ratio)
    }

    fn y(&self, ratio: f64) -> f64 {
        self.0[1] + SIDE * (1.0 - share(ratio))
    }

    /// The axes with the line on which predictions are right.
    fn axes(&self, sheet: &mut Sheet, name: &str) -> Result<(), SheetError> {
        let [left, top] = self.0;
        let (right, bottom) = (left + SIDE, top + SIDE);
        for ratio in TICKS {
            let (x, y, shade) =
                (self.x(ratio), self.y(ratio), if ratio == 1.0 { QUIET } else { GRID });
            sheet.line(&[[x, top], [x, bottom]], 1.0, shade)?;
            sheet.line(&[[left, y], [right, y]], 1.0, shade)?;
            sheet.text(&ratio.to_string(), (x, bottom + 18.0), Align::Centre, SIZE, QUIET)?;
            sheet.text(&ratio.to_string(), (left - 8.0, y), Align::Right, SIZE, QUIET)?;
        }
        sheet.line(&[[left, bottom], [right, top]], 2.0, QUIET)?;
        sheet.text(name, (0.5 * (left + right), top - 18.0), Align::Centre, 26.0, INK)?;
        sheet.text("predicted", (0.5 * (left + right), bottom + 46.0), Align::Centre, SIZE, INK)
    }

    /// The printed ratio, and the expected one with its range and the measured interval.
    fn point(&self, sheet: &mut Sheet, one: &Prediction<'_>) -> Result<(), SheetError> {
        let (y, blue) = (self.y(one.found.median), colour(EXPECTED));
        if let Some(printed) = one.sentence.number {
            diamond(sheet, [self.x(printed), y])?;
        }
        let [low, high] = one.range.map(|end| self.x(end));
        sheet.line(&[[low, y], [high, y]], 2.0, blue)?;
        let x = self.x(one.expected());
        if one.found.rounds > 0 {
            sheet.line(&[[x, self.y(one.found.low)], [x, self.y(one.found.high)]], 2.0, blue)?;
        }
        sheet.disc((x, y), 6.0, blue)?;
        if (one.found.median / one.expected()).ln().abs() > FAR.ln() {
            sheet.text(one.sentence.key, (high.max(x) + 10.0, y), Align::Left, SIZE, blue)?;
        }
        Ok(())
    }
}

fn diamond(sheet: &mut Sheet, [x, y]: [f64; 2]) -> Result<(), SheetError> {
    let corners = [[x - 7.0, y], [x, y - 7.0], [x + 7.0, y], [x, y + 7.0], [x - 7.0, y]];
    sheet.line(&corners, 2.5, colour(PRINTED))
}

/// The chart as SVG.
pub(super) fn svg(sentences: &[Sentence], machines: &[Machine]) -> Result<String, SheetError> {
    let all = machines.iter().rev().map(|one| (one, predictions(sentences, one, machines)));
    let all: Vec<_> = all.filter(|(_, predictions)| !predictions.is_empty()).collect();
    let width = (CORNER[0] + STEP * all.len() as f64).max(WIDTH);
    let mut sheet = Sheet::vector(width as u32, (CORNER[1] + SIDE + 70.0) as u32);
    sheet.text(
        "Which advice of 2003 aged: gains on later machines",
        (40.0, 34.0),
        Align::Left,
        32.0,
        INK,
    )?;
    sheet.disc((46.0, 80.0), 6.0, colour(EXPECTED))?;
    let text = "measured, against what limits let one expect";
    sheet.text(text, (64.0, 80.0), Align::Left, SIZE, INK)?;
    diamond(&mut sheet, [640.0, 80.0])?;
    sheet.text("measured, against what was printed", (658.0, 80.0), Align::Left, SIZE, INK)?;
    for (at, (machine, predictions)) in all.iter().enumerate() {
        let panel = Panel([CORNER[0] + STEP * at as f64, CORNER[1]]);
        panel.axes(&mut sheet, &machine.name)?;
        predictions.iter().try_for_each(|one| panel.point(&mut sheet, one))?;
    }
    Ok(sheet.svg())
}
