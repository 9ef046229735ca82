//! Picture of the surfaces that hold all levels (section 6, Fig. 5).

use image::{Rgb, RgbImage};

use crate::base::error::BoxedError;
use crate::picture::sheet::{blend, side_by_side};
use crate::stream::{Rect, Size};

use crate::goodnight2003::Atlas;

/// Texels per pixel of the picture.
const SCALE: u32 = 4;
const FREE: Rgb<u8> = Rgb([226, 226, 222]);
/// Colours of the finest and of the coarsest level, and of those between: dark blue through green to yellow.
const COLOURS: [[u8; 3]; 3] = [[38, 70, 120], [64, 166, 125], [236, 205, 72]];

/// Colour of a level, different for each of this number of levels.
fn colour_of(level: usize, levels: usize) -> Rgb<u8> {
    let at = 2.0 * level as f64 / (levels.max(2) - 1) as f64;
    let (first, share) = if at < 1.0 { (0, at) } else { (1, at - 1.0) };
    Rgb(blend(COLOURS[first], COLOURS[first + 1], share))
}

/// Figure 5: two buffers (front and back of the finest level, and one surface with two places for every other level), and the
/// one buffer, whose front and back hold the same levels. No surface is wider or higher than the limit.
pub fn surfaces(sizes: &[Size], limit: u32) -> Result<Vec<u8>, BoxedError> {
    let levels = sizes.len();
    let surface = |sizes: &[Size], level: fn(usize) -> usize| -> Result<_, BoxedError> {
        let atlas = Atlas::pack(sizes, limit)?;
        let (width, height) = atlas.size;
        let mut picture = RgbImage::from_pixel(width / SCALE, height / SCALE, FREE);
        for (place, rect) in atlas.places.iter().enumerate() {
            fill(&mut picture, *rect, colour_of(level(place), levels));
        }
        Ok((format!("{width}×{height}"), picture))
    };
    let finest = surface(&sizes[..1], |_| 0)?;
    let twice: Vec<_> = sizes[1..].iter().flat_map(|size| [*size; 2]).collect();
    let named =
        |name: &str, (size, picture): (String, RgbImage)| (format!("{name}, {size}"), picture);
    Ok(side_by_side(&[
        named("two buffers: the finest level, front and back", finest),
        named("and all others twice", surface(&twice, |place| 1 + place / 2)?),
        named("one buffer: all levels, front and back", surface(sizes, |place| place)?),
    ])?)
}

/// Fills a rectangle of texels.
fn fill(picture: &mut RgbImage, rect: Rect, colour: Rgb<u8>) {
    for y in rect.y / SCALE..((rect.y + rect.height).div_ceil(SCALE)).min(picture.height()) {
        for x in rect.x / SCALE..((rect.x + rect.width).div_ceil(SCALE)).min(picture.width()) {
            picture.put_pixel(x, y, colour);
        }
    }
}
