//! Panels over the picture in a window: the colour bar, and help on the keys.

use image::RgbImage;

use crate::base::number::written;
use crate::picture::colour::srgb;
use crate::picture::sheet::{Align, Colour, Sheet, SheetError, widest};
use crate::scene::Scale;
use crate::stream::{Stream, StreamError};

use super::keys::KEYS;
use super::stage::Stage;

const GROUND: Colour = [20, 22, 28];
const TEXT: Colour = [225, 225, 220];

/// Sizes in pixels: type, distance between lines, margin.
const SIZE: f64 = 14.0;
const LINE: f64 = 20.0;
const MARGIN: f64 = 10.0;

/// Number of characters before the meaning of a key, and their width in pixels.
const KEY: usize = 14;
const KEY_WIDTH: f64 = 100.0;

/// The panels that a window shows, above each other in the lower left corner of the picture.
#[derive(Default)]
pub struct Panels {
    /// True if the help is shown.
    pub help: bool,
    /// The panels of the last frame, and their contents.
    last: (Option<Scale>, bool),
    streams: Vec<Stream>,
}

impl Panels {
    /// Draws the panels over the picture of a stage.
    pub fn draw(&mut self, stage: &Stage) -> Result<(), StreamError> {
        let wanted = (stage.scale().cloned(), self.help);
        if self.last != wanted {
            let pictures = [wanted.0.as_ref().map(bar), self.help.then(help)];
            // Without its fonts, the program draws no panels.
            let pictures = pictures.into_iter().flatten().filter_map(Result::ok);
            let streams = pictures.map(|picture| stage.presenter().upload(&picture));
            self.streams = streams.collect::<Result<_, _>>()?;
            self.last = wanted;
        }
        let place = stage.picture();
        let mut y = place.y + MARGIN as u32;
        for panel in &self.streams {
            stage.presenter().inset(panel, [place.x + MARGIN as u32, y])?;
            y += panel.height() + MARGIN as u32;
        }
        Ok(())
    }
}

/// The colours of a quantity, with the values at their ends.
fn bar(scale: &Scale) -> Result<RgbImage, SheetError> {
    let (width, thickness) = (240.0, 12.0);
    let mut sheet = dark(width, 2.0 * MARGIN + thickness + LINE);
    let (right, bottom) = (width - MARGIN, MARGIN + thickness);
    sheet.shade([MARGIN, MARGIN], [right, bottom], |share, _| scale.at(share as f32).map(srgb));
    let ends = scale.ends.map(|end| written(format!("{end:.1e}").parse().unwrap_or_default()));
    let y = bottom + 0.5 * LINE + 3.0;
    sheet.text(&ends[0], [MARGIN, y], Align::Left, SIZE, TEXT)?;
    sheet.text(&ends[1], [right, y], Align::Right, SIZE, TEXT)?;
    Ok(sheet.picture())
}

/// The keys and their meanings.
fn help() -> Result<RgbImage, SheetError> {
    let meanings = KEYS.lines().map(|line| &line[KEY..]);
    let width = 2.0 * MARGIN + KEY_WIDTH + widest(meanings, SIZE)?;
    let mut sheet = dark(width, 2.0 * MARGIN + LINE * KEYS.lines().count() as f64);
    for (line, text) in KEYS.lines().enumerate() {
        let y = MARGIN + LINE * (line as f64 + 0.5);
        let (key, meaning) = text.split_at(KEY);
        sheet.text(key.trim(), [MARGIN, y], Align::Left, SIZE, TEXT)?;
        sheet.text(meaning, [MARGIN + KEY_WIDTH, y], Align::Left, SIZE, TEXT)?;
    }
    Ok(sheet.picture())
}

fn dark(width: f64, height: f64) -> Sheet {
    let mut sheet = Sheet::new(width as u32, height as u32);
    sheet.fill([0.0, 0.0], [width, height], GROUND);
    sheet
}
