//! Pictures as the bytes of files: PNG, and animated GIF.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::Duration;

use image::codecs::gif::{GifEncoder, Repeat};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{Delay, DynamicImage, Frame, ImageResult, RgbImage};

/// How long a frame of an animation stands.
const FRAME: Duration = Duration::from_millis(40);

/// A picture as PNG.
///
/// # Errors
/// When it cannot be encoded.
pub fn png(picture: &RgbImage) -> ImageResult<Vec<u8>> {
    let mut bytes = Vec::new();
    // Left to itself, the crate is fast and packs charts three times as large.
    let (packed, filter) = (CompressionType::Default, FilterType::Adaptive);
    let encoder = PngEncoder::new_with_quality(&mut bytes, packed, filter);
    picture.write_with_encoder(encoder)?;
    Ok(bytes)
}

/// A picture as GIF: 256 colours.
///
/// # Errors
/// When it cannot be encoded: GIF holds up to 65535 pixels a side.
pub fn gif(picture: &RgbImage) -> ImageResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let picture = DynamicImage::ImageRgb8(picture.clone()).into_rgba8();
    GifEncoder::new_with_speed(&mut bytes, 10).encode_frame(Frame::new(picture))?;
    Ok(bytes)
}

/// An animation that starts over at its end, encoded as the frames come.
pub struct Gif {
    bytes: Shared,
    encoder: GifEncoder<Shared>,
}

impl Gif {
    /// One without frames.
    pub fn new() -> ImageResult<Self> {
        let bytes = Shared::default();
        // Speed 10 of 30: colours are chosen from every tenth pixel.
        let mut encoder = GifEncoder::new_with_speed(bytes.clone(), 10);
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self { bytes, encoder })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// When it cannot be encoded: GIF holds up to 65535 pixels a side.
    pub fn add(&mut self, picture: RgbImage) -> ImageResult<()> {
        let delay = Delay::from_saturating_duration(FRAME);
        let picture = DynamicImage::from(picture).into_rgba8();
        let frame = Frame::from_parts(picture, 0, 0, delay);
        self.encoder.encode_frame(frame)
    }

    /// The bytes of the file.
    pub fn finish(self) -> Vec<u8> {
        // The encoder writes the animation's end when it is dropped.
        drop(self.encoder);
        self.bytes.0.take()
    }
}

/// Bytes that can be read after the encoder which writes them is gone.
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
