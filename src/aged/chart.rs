//! The chart: each timed advice as a row, the mechanisms as bands, ratios over a logarithmic axis.

use super::{Kind, Machine, Mechanism, Sentence};
use crate::picture::plot::style::{GRID, colour};
use crate::picture::sheet::{Align, Colour, INK, QUIET, Sheet, SheetError};

const WIDTH: f64 = 1280.0;
/// Heights of a row, of the head, and of the foot with its axis.
const ROW: f64 = 30.0;
const HEAD: f64 = 96.0;
const FOOT: f64 = 60.0;
/// Ends of the axis in pixels.
const AXIS: [f64; 2] = [690.0, 1240.0];
/// Ends of the axis as ratios. A range beyond them is cut.
const RANGE: [f64; 2] = [0.05, 200.0];
const TICKS: [f64; 12] = [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];
/// Places in the palette: the printed effect, and the machines.
const PRINTED: usize = 1;
const MACHINES: [usize; 4] = [2, 5, 0, 3];
const EXPECTED: Colour = [0xe2, 0xe0, 0xd4];

/// Position of a ratio.
fn place(ratio: f64) -> f64 {
    let [from, to] = RANGE.map(f64::ln);
    let share = ((ratio.ln() - from) / (to - from)).clamp(0.0, 1.0);
    AXIS[0] + share * (AXIS[1] - AXIS[0])
}

/// The chart as SVG.
pub(super) fn svg(sentences: &[Sentence], machines: &[Machine]) -> Result<String, SheetError> {
    let is_timed = |one: &&Sentence| {
        one.kind == Kind::Advice
            && machines.iter().any(|machine| one.measured(&machine.report).is_some())
    };
    let rows: Vec<&Sentence> = sentences.iter().filter(is_timed).collect();
    let height = HEAD + (rows.len() + Mechanism::ALL.len()) as f64 * ROW + FOOT;
    let mut sheet = Sheet::vector(WIDTH as u32, height as u32);
    sheet.text("Which advice of 2003 aged", (40.0, 34.0), Align::Left, 32.0, INK)?;
    key(&mut sheet, machines)?;
    let bottom = height - FOOT;
    for ratio in TICKS {
        let (x, width) = (place(ratio), if ratio == 1.0 { 2.0 } else { 1.0 });
        let grid = if ratio == 1.0 { QUIET } else { GRID };
        sheet.line(&[[x, HEAD], [x, bottom]], width, grid)?;
        sheet.text(&ratio.to_string(), (x, bottom + 16.0), Align::Centre, 18.0, QUIET)?;
    }
    let label = "times as long without the advice: it pays to the right of 1";
    sheet.text(label, (0.5 * (AXIS[0] + AXIS[1]), bottom + 42.0), Align::Centre, 19.0, INK)?;
    let mut y = HEAD;
    for mechanism in Mechanism::ALL {
        y += ROW;
        let name = format!("Saves {}", mechanism.name());
        sheet.text(&name, (40.0, y - 0.5 * ROW), Align::Left, 21.0, INK)?;
        sheet.line(&[[40.0, y - 2.0], [AXIS[1], y - 2.0]], 1.0, QUIET)?;
        for sentence in rows.iter().filter(|row| row.mechanism == mechanism) {
            row(&mut sheet, sentence, machines, y + 0.5 * ROW)?;
            y += ROW;
        }
    }
    Ok(sheet.svg())
}

/// The marks' meanings, in a line below the title.
fn key(sheet: &mut Sheet, machines: &[Machine]) -> Result<(), SheetError> {
    let (mut x, y) = (40.0, 72.0);
    sheet.line(&[[x, y - 9.0], [x, y + 9.0]], 4.0, colour(PRINTED))?;
    sheet.text("printed", (x + 12.0, y), Align::Left, 19.0, INK)?;
    x += 120.0;
    diamond(sheet, x, y)?;
    sheet.text("its card: model, count", (x + 16.0, y), Align::Left, 19.0, INK)?;
    x += 210.0;
    for (machine, place) in machines.iter().zip(MACHINES) {
        sheet.disc((x, y), 6.0, colour(place))?;
        sheet.text(&machine.name, (x + 14.0, y), Align::Left, 19.0, INK)?;
        x += 60.0 + 10.0 * machine.name.chars().count() as f64;
    }
    if let Some(machine) = machines.iter().rfind(|machine| machine.limits.is_some()) {
        sheet.fill((x, y - 9.0), (x + 26.0, y + 9.0), EXPECTED);
        let name = format!("expected from the {}'s limits", machine.name);
        sheet.text(&name, (x + 36.0, y), Align::Left, 19.0, INK)?;
    }
    Ok(())
}

fn diamond(sheet: &mut Sheet, x: f64, y: f64) -> Result<(), SheetError> {
    let corners = [[x - 7.0, y], [x, y - 7.0], [x + 7.0, y], [x, y + 7.0], [x - 7.0, y]];
    sheet.line(&corners, 2.0, INK)
}

fn row(sheet: &mut Sheet, one: &Sentence, machines: &[Machine], y: f64) -> Result<(), SheetError> {
    let paper = one.paper.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let name = format!("{paper} {}", one.section);
    sheet.text(one.statement, (40.0, y), Align::Left, 16.0, INK)?;
    sheet.text(&name, (AXIS[0] - 12.0, y), Align::Right, 14.0, QUIET)?;
    let expected =
        machines.iter().rev().find_map(|machine| machine.limits.as_ref()?.expected(one.key));
    if let Some([low, high]) = expected {
        sheet.fill((place(low) - 3.0, y - 11.0), (place(high) + 3.0, y + 11.0), EXPECTED);
    }
    if let Some(printed) = one.number {
        sheet.line(
            &[[place(printed), y - 9.0], [place(printed), y + 9.0]],
            4.0,
            colour(PRINTED),
        )?;
    }
    let model = machines.first().and_then(|machine| one.on_its_card(&machine.report));
    if let Some(model) = model {
        diamond(sheet, place(model.median), y)?;
    }
    for (at, (machine, shade)) in machines.iter().zip(MACHINES.map(colour)).enumerate() {
        let Some(found) = one.measured(&machine.report) else { continue };
        let y = y + 7.0 * (at as f64 - 0.5 * (machines.len() as f64 - 1.0));
        if found.rounds > 0 {
            sheet.line(&[[place(found.low), y], [place(found.high), y]], 2.0, shade)?;
        }
        sheet.disc((place(found.median), y), 5.0, shade)?;
    }
    // The ends of the range, over the discs; an end beyond the axis has none.
    for end in expected.into_iter().flatten().filter(|&end| end > RANGE[0] && end < RANGE[1]) {
        sheet.line(&[[place(end), y - 13.0], [place(end), y + 13.0]], 1.0, INK)?;
    }
    Ok(())
}
