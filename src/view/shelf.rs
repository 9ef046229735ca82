//! Small pictures of many textures, on one sheet.

use std::rc::Rc;

use crate::bolz2003::fluid::picture::SIGNED;
use crate::picture::colour::oklab::table;
use crate::picture::colour::srgb;
use crate::stream::{
    Format, Kernel, Machine, Pass, Rect, Size, Source, Stream, StreamError, source,
};

use super::texture::Largest;

const CHANNELS: Source = source!(view, "channels");

/// Colours of a texture's values, from the lowest to the highest.
const COLOURS: usize = 255;

/// Draws textures in colours: blue below zero, amber above, magenta where a value is not finite. The channels of a
/// record are side by side, two in a row. A picture has at most one pixel per texel.
pub struct Shelf {
    kernel: Rc<Kernel>,
    colours: Stream,
    largest: Largest,
    sheet: Stream,
}

/// Picture of a texture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tile {
    /// Its rectangle on the sheet.
    pub place: Rect,
    /// Largest absolute value, which has the brightest colour.
    pub most: f32,
}

impl Shelf {
    /// Creates a sheet of this size in pixels.
    pub fn new(machine: &Machine, size: Size) -> Result<Self, StreamError> {
        let encoded = |light| f32::from(srgb(light)) / 255.0;
        let colours = table(&SIGNED, COLOURS).into_iter();
        let colours: Vec<f32> =
            colours.flat_map(|[r, g, b]| [encoded(r), encoded(g), encoded(b), 1.0]).collect();
        let along = (COLOURS as u32, 1);
        Ok(Self {
            kernel: machine.kernel(&CHANNELS, &[])?,
            colours: Stream::from_data(machine, "colours", along, Format::Rgba32F, &colours)?,
            largest: Largest::new(machine),
            sheet: Stream::zeros(machine, "shelf", size, Format::Rgba16F)?,
        })
    }

    /// The pictures, encoded as sRGB.
    pub fn sheet(&self) -> &Stream {
        &self.sheet
    }

    /// Draws textures in pictures of at most `side` pixels along each side, fewer if the sheet is too small. Reads one
    /// record of each back.
    pub fn draw(&mut self, textures: &[&Stream], side: u32) -> Result<Vec<Tile>, StreamError> {
        let places = places(self.sheet.size(), textures.len() as u32, side);
        let tiles = textures.iter().zip(places).map(|(texture, place)| self.tile(texture, place));
        tiles.collect()
    }

    /// Draws a texture within a square.
    fn tile(&mut self, stored: &Stream, square: Rect) -> Result<Tile, StreamError> {
        let channels = stored.format().channels() as u32;
        let columns = stored.width() * channels.min(2);
        let rows = stored.height() * channels.div_ceil(2);
        let scale = (f64::from(square.width) / f64::from(columns.max(rows))).min(1.0);
        let side = |texels: u32| ((f64::from(texels) * scale) as u32).max(1);
        let place = Rect { width: side(columns), height: side(rows), ..square };
        let most = self.largest.of(stored)?.into_iter().fold(0.0, f32::max);
        Pass::new(&self.kernel)
            .read("stored", stored)
            .read("colours", &self.colours)
            .set("corner", (place.x, place.y))
            .set("texels", [columns as f32 / place.width as f32, rows as f32 / place.height as f32])
            .set("size", stored.size())
            .set("most", most.max(f32::MIN_POSITIVE))
            .draw(&self.sheet, place)?;
        Ok(Tile { place, most })
    }
}

/// Squares for `count` pictures on a sheet, with sides of at most `side`.
fn places((width, height): Size, count: u32, side: u32) -> impl Iterator<Item = Rect> {
    let room = |side: u32| (width / side) * (height / side);
    let most = side.min(width).min(height).max(1);
    let side = (1..=most).rev().find(|&side| room(side) >= count).unwrap_or(1);
    let across = (width / side).max(1);
    (0..count).map(move |k| Rect::at([k % across * side, k / across * side], (side, side)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_fit_without_overlap_and_no_larger_ones_would() {
        for (size, count) in [((900, 675), 28), ((200, 200), 28), ((640, 480), 3), ((37, 11), 5)] {
            let all: Vec<Rect> = places(size, count, 128).collect();
            assert_eq!(all.len(), count as usize);
            for (k, a) in all.iter().enumerate() {
                assert!(a.within(size), "{size:?}: {a:?}");
                for b in &all[..k] {
                    let apart = a.x + a.width <= b.x
                        || b.x + b.width <= a.x
                        || a.y + a.height <= b.y
                        || b.y + b.height <= a.y;
                    assert!(apart, "{a:?} {b:?}");
                }
            }
            let larger = all[0].width + 1;
            assert!(larger > 128 || (size.0 / larger) * (size.1 / larger) < count, "{size:?}");
        }
    }
}
