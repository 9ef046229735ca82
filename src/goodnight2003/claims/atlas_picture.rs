//! Figure 5 as a picture: where the levels lie in two buffers, and in one.

use image::{Rgb, RgbImage};

use crate::claim::BoxedError;
use crate::goodnight2003::multigrid::atlas::Atlas;
use crate::stream::{Rect, Size};

/// Texels to a pixel.
const SCALE: u32 = 4;
/// Pixels round surfaces.
const GAP: u32 = 24;
const PAPER: Rgb<u8> = Rgb([252, 252, 250]);
const FREE: Rgb<u8> = Rgb([226, 226, 222]);

/// A surface: its size, and its levels with their places.
struct Surface {
    size: Size,
    levels: Vec<(usize, Rect)>,
}

/// Draws the surfaces: above, two buffers (front and back of the finest level; one surface with two
/// places for every other level); below, the front and the back surface of one buffer. A level has
/// one colour everywhere.
pub fn draw(sizes: &[Size], limit: u32) -> Result<RgbImage, BoxedError> {
    let finest = || Surface {
        size: sizes[0],
        levels: vec![(0, Rect::of_size(sizes[0].0, sizes[0].1))],
    };
    let twice: Vec<_> = sizes[1..].iter().flat_map(|size| [*size; 2]).collect();
    let others = surface(&twice, limit, |place| 1 + place / 2)?;
    let all = || surface(sizes, limit, |place| place);
    let rows = [vec![finest(), finest(), others], vec![all()?, all()?]];

    let width = |row: &[Surface]| row.iter().map(|s| GAP + s.size.0 / SCALE).sum::<u32>() + GAP;
    let height = |row: &[Surface]| row.iter().map(|s| s.size.1 / SCALE).max().unwrap_or(0);
    let columns = rows.iter().map(|row| width(row)).max().unwrap_or(0);
    let lines = rows.iter().map(|row| GAP + height(row)).sum::<u32>() + GAP;
    let mut picture = RgbImage::from_pixel(columns, lines, PAPER);
    let mut top = GAP;
    for row in &rows {
        let mut left = GAP;
        for surface in row {
            draw_surface(&mut picture, (left, top), surface);
            left += surface.size.0 / SCALE + GAP;
        }
        top += height(row) + GAP;
    }
    Ok(picture)
}

fn surface(
    sizes: &[Size],
    limit: u32,
    level: impl Fn(usize) -> usize,
) -> Result<Surface, BoxedError> {
    let atlas = Atlas::pack(sizes, limit)?;
    let levels = atlas.places.iter().enumerate();
    Ok(Surface {
        size: atlas.size,
        levels: levels.map(|(place, rect)| (level(place), *rect)).collect(),
    })
}

fn draw_surface(picture: &mut RgbImage, (left, top): (u32, u32), surface: &Surface) {
    let full = Rect::of_size(surface.size.0, surface.size.1);
    fill(picture, (left, top), full, FREE);
    for (level, rect) in &surface.levels {
        fill(picture, (left, top), *rect, colour(*level));
    }
}

fn fill(picture: &mut RgbImage, (left, top): (u32, u32), rect: Rect, colour: Rgb<u8>) {
    for y in rect.y / SCALE..(rect.y + rect.height).div_ceil(SCALE) {
        for x in rect.x / SCALE..(rect.x + rect.width).div_ceil(SCALE) {
            picture.put_pixel(left + x, top + y, colour);
        }
    }
}

/// From dark blue, the finest, over green to yellow.
fn colour(level: usize) -> Rgb<u8> {
    const COLOURS: [[u8; 3]; 5] = [
        [38, 70, 120],
        [42, 125, 142],
        [64, 166, 125],
        [148, 196, 88],
        [236, 205, 72],
    ];
    Rgb(COLOURS[level % COLOURS.len()])
}
