//! A field as a picture: shades from low to high, or from below to above zero.

use std::io;
use std::path::Path;

use fragstream::io::{WriteError, write_atomically};
use image::codecs::png::PngEncoder;
use image::{Rgb, RgbImage};

/// A field of which less than this share lies on the other side of zero has one sign.
const ONE_SIGN: f64 = 1e-2;

/// Colours at equal distances, between which is blended.
struct Colours {
    name: &'static str,
    stops: &'static [[u8; 3]],
}

/// Nine of viridis (Smith, van der Walt 2015): lightness grows steadily.
const SEQUENTIAL: Colours = Colours {
    name: "violet to yellow",
    stops: &[
        [68, 1, 84],
        [71, 44, 122],
        [59, 81, 139],
        [44, 113, 142],
        [33, 144, 141],
        [39, 173, 129],
        [92, 200, 99],
        [170, 220, 50],
        [253, 231, 37],
    ],
};

/// Five of Moreland's cool to warm (2009): zero is grey.
const DIVERGING: Colours = Colours {
    name: "blue to red",
    stops: &[
        [59, 76, 192],
        [141, 176, 254],
        [221, 221, 221],
        [244, 154, 123],
        [180, 4, 38],
    ],
};

impl Colours {
    /// The colour at a place from 0 to 1.
    fn at(&self, place: f64) -> [u8; 3] {
        let last = self.stops.len() - 1;
        let scaled = place.clamp(0.0, 1.0) * last as f64;
        let below = (scaled as usize).min(last - 1);
        let share = scaled - below as f64;
        let [from, to] = [self.stops[below], self.stops[below + 1]];
        std::array::from_fn(|c| {
            let (from, to) = (f64::from(from[c]), f64::from(to[c]));
            (from + share * (to - from)).round() as u8
        })
    }
}

/// What the colours mean.
pub struct Scale {
    colours: &'static Colours,
    /// The value of the first colour.
    pub low: f64,
    /// The value of the last one.
    pub high: f64,
}

impl Scale {
    /// Around zero if values lie on both sides of it, else from the smallest to the largest.
    pub fn of(values: &[f64]) -> Self {
        let (low, high) = range(values.iter().copied());
        let largest = high.abs().max(low.abs());
        let smallest = high.abs().min(low.abs());
        if low < 0.0 && high > 0.0 && smallest > ONE_SIGN * largest {
            Scale {
                colours: &DIVERGING,
                low: -largest,
                high: largest,
            }
        } else {
            Scale {
                colours: &SEQUENTIAL,
                low,
                high,
            }
        }
    }

    /// From which colour to which.
    pub fn name(&self) -> &'static str {
        self.colours.name
    }

    fn colour(&self, value: f64) -> Rgb<u8> {
        // Halved, the difference of two finite numbers is finite.
        let extent = 0.5 * self.high - 0.5 * self.low;
        let place = match extent {
            0.0 => 0.5,
            extent => (0.5 * value - 0.5 * self.low) / extent,
        };
        Rgb(self.colours.at(place))
    }
}

/// The smallest and the largest value.
pub fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// Writes values, given row by row from the bottom, as PNG.
///
/// # Errors
/// [`WriteError::Io`].
pub fn write_picture(
    path: &Path,
    columns: usize,
    values: &[f64],
    scale: &Scale,
) -> Result<(), WriteError> {
    let rows = values.len() / columns;
    let colour = |x, y| scale.colour(values[(rows - 1 - y as usize) * columns + x as usize]);
    let picture = RgbImage::from_fn(columns as u32, rows as u32, colour);
    write_atomically(path, |out| {
        picture
            .write_with_encoder(PngEncoder::new(out))
            .map_err(io::Error::other)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_grey_between_two_signs_and_the_ends_are_the_extrema() {
        let scale = Scale::of(&[-1.0, 0.0, 4.0]);
        assert_eq!((scale.low, scale.high), (-4.0, 4.0));
        assert_eq!(scale.colour(0.0).0, [221, 221, 221]);
        assert_eq!(scale.colour(4.0).0, [180, 4, 38]);
        let scale = Scale::of(&[-1e-9, 2.0]);
        assert_eq!(scale.colour(2.0).0, [253, 231, 37]);
        assert_eq!(scale.colour(-1e-9).0, [68, 1, 84]);
    }

    #[test]
    fn one_value_and_the_largest_values_have_colours() {
        assert_eq!(Scale::of(&[0.0; 3]).colour(0.0).0, [33, 144, 141]);
        let scale = Scale::of(&[-f64::MAX, f64::MAX]);
        assert_eq!(scale.colour(-f64::MAX).0, [59, 76, 192]);
        assert_eq!(scale.colour(f64::MAX).0, [180, 4, 38]);
    }
}
