//! Pictures in a window: as large as possible, encoded as sRGB.

use std::rc::Rc;

use image::RgbImage;

use crate::picture::canvas::read_back;
use crate::picture::colour::linear;
use crate::stream::{
    Format, Kernel, Machine, Pass, Rect, Rects, Size, Source, Stream, StreamError, source,
};

const PRESENT: Source = source!(view, "present");

/// Columns and rows of pixels of a picture that fills a rectangle of a window, and its samples along each side
/// of a pixel. `detail` is the number of samples along each side of the window's pixels: an integer number from
/// 1 on; below 1 the picture has fewer pixels. `limit` is the largest side of a texture.
pub fn samples(rect: Rect, detail: f32, limit: u32) -> (Size, u32) {
    let largest = rect.width.max(rect.height).max(1);
    let shrunk = detail.min(1.0);
    let side = |pixels: u32| ((pixels as f32 * shrunk).round() as u32).max(1);
    let samples = (detail.round() as u32).min(limit / largest).max(1);
    ((side(rect.width), side(rect.height)), samples)
}

/// The largest rectangle with this aspect ratio in the middle of a window.
pub fn fit((width, height): Size, aspect: f32) -> Rect {
    let side = |length: f32, most: u32| (length.round() as u32).clamp(1, most.max(1));
    let size =
        Rect::of_size(side(height as f32 * aspect, width), side(width as f32 / aspect, height));
    Rect {
        x: width.saturating_sub(size.width) / 2,
        y: height.saturating_sub(size.height) / 2,
        ..size
    }
}

/// Displays pictures in a window.
pub struct Presenter {
    machine: Machine,
    kernel: Rc<Kernel>,
    /// The contents of the window, one texel per pixel.
    window: Stream,
    full: Rects,
}

impl Presenter {
    /// Creates a presenter for a window of this size in pixels.
    pub fn new(machine: &Machine, size: Size) -> Result<Self, StreamError> {
        let (width, height) = (size.0.max(1), size.1.max(1));
        let window = Stream::zeros(machine, "window", (width, height), Format::Rgba16F)?;
        Ok(Self {
            machine: machine.clone(),
            kernel: machine.kernel(&PRESENT, &[])?,
            full: machine.rects(&[window.full()])?,
            window,
        })
    }

    /// Columns and rows of the window.
    pub fn size(&self) -> Size {
        self.window.size()
    }

    /// Draws a picture into a rectangle of the window's contents.
    pub fn compose(&self, picture: &Stream, place: Rect) -> Result<(), StreamError> {
        self.draw(picture, place, &self.full)
    }

    /// Draws a picture over the window's contents, in its own pixels, as far as there is room for it.
    pub fn inset(&self, picture: &Stream, [x, y]: [u32; 2]) -> Result<(), StreamError> {
        let (place, (width, height)) = (Rect::at([x, y], picture.size()), self.size());
        let seen = Rect {
            width: place.width.min(width.saturating_sub(x)),
            height: place.height.min(height.saturating_sub(y)),
            ..place
        };
        if seen.area() == 0 {
            return Ok(());
        }
        self.draw(picture, place, &self.machine.rect(seen)?)
    }

    /// A picture in linear light, for a window.
    pub fn upload(&self, picture: &RgbImage) -> Result<Stream, StreamError> {
        let rows = picture.rows().rev().flatten();
        let light = rows.flat_map(|pixel| pixel.0.into_iter().chain([255]).map(linear));
        let light: Vec<f32> = light.collect();
        let size = picture.dimensions();
        Stream::from_data(&self.machine, "panel", size, Format::Rgba16F, &light)
    }

    fn draw(&self, picture: &Stream, place: Rect, extent: &Rects) -> Result<(), StreamError> {
        let (width, height) = (place.width as f32, place.height as f32);
        let ratio = [picture.width() as f32 / width, picture.height() as f32 / height];
        Pass::new(&self.kernel)
            .read("picture", picture)
            .set("corner", [place.x as f32, place.y as f32])
            .set("extent", [width, height])
            .set("ratio", ratio)
            .draw(&self.window, extent)
    }

    /// Shows the contents in the window.
    pub fn show(&self) -> Result<(), StreamError> {
        self.window.show()
    }

    /// The contents of the window, read back.
    pub fn image(&self) -> Result<RgbImage, StreamError> {
        read_back(&self.window, 1, |value| (255.0 * value).round() as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_keeps_its_aspect_in_any_window() {
        assert_eq!(fit((800, 600), 4.0 / 3.0), Rect::of_size(800, 600));
        let wide = fit((1000, 500), 1.0);
        assert_eq!((wide.x, wide.y, wide.width, wide.height), (250, 0, 500, 500));
        let high = fit((300, 900), 1.5);
        assert_eq!((high.x, high.y, high.width, high.height), (0, 350, 300, 200));
        assert_eq!(fit((0, 0), 2.0), Rect::of_size(1, 1));
        assert_eq!(fit((900, 1), 0.01).width, 1);
    }

    #[test]
    fn samples_are_as_many_as_a_texture_holds() {
        let rect = Rect::of_size(3000, 2000);
        assert_eq!(samples(rect, 2.0, 16384).1, 2);
        assert_eq!(samples(rect, 4.0, 8192).1, 2);
        assert_eq!(samples(rect, 2.0, 2048).1, 1);
        assert_eq!(samples(rect, 0.5, 16384), ((1500, 1000), 1));
    }
}
