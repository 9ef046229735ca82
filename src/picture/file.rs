//! Encoded pictures: PNG, and animated GIF.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::Duration;

use image::codecs::gif::{GifEncoder, Repeat};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{Delay, DynamicImage, Frame, ImageResult, RgbImage};

/// Duration of a frame of an animation.
const FRAME: Duration = Duration::from_millis(40);

/// A picture as PNG.
pub fn png(picture: &RgbImage) -> ImageResult<Vec<u8>> {
    let mut bytes = Vec::new();
    // The default of the crate is fast, but makes charts three times as large.
    let (packed, filter) = (CompressionType::Default, FilterType::Adaptive);
    let encoder = PngEncoder::new_with_quality(&mut bytes, packed, filter);
    picture.write_with_encoder(encoder)?;
    Ok(bytes)
}

/// An endless animation, encoded frame by frame.
pub struct Gif {
    bytes: Shared,
    encoder: GifEncoder<Shared>,
    /// Number of bytes up to the end of each frame.
    ends: Vec<usize>,
}

impl Gif {
    /// An animation without frames.
    pub fn new() -> ImageResult<Self> {
        let bytes = Shared::default();
        // Speed 10 of 30: colours are chosen from every tenth pixel.
        let mut encoder = GifEncoder::new_with_speed(bytes.clone(), 10);
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self { bytes, encoder, ends: Vec::new() })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// A picture that cannot be encoded: GIF has at most 65535 pixels per side.
    pub fn add(&mut self, picture: RgbImage) -> ImageResult<()> {
        let delay = Delay::from_saturating_duration(FRAME);
        let picture = DynamicImage::from(picture).into_rgba8();
        let frame = Frame::from_parts(picture, 0, 0, delay);
        self.encoder.encode_frame(frame)?;
        self.ends.push(self.bytes.0.borrow().len());
        Ok(())
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.ends.len()
    }

    /// Writes a file with the first frames.
    pub fn write(&self, frames: usize, out: &mut impl Write) -> io::Result<()> {
        let end = frames.checked_sub(1).and_then(|last| self.ends.get(last)).copied();
        out.write_all(&self.bytes.0.borrow()[..end.unwrap_or(0)])?;
        out.write_all(b";")
    }
}

/// Bytes that outlive the encoder that writes them.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
