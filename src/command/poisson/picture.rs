//! A field as a picture: shades from low to high, or from below to above zero.

use crate::picture::colour::{Map, map};
use image::{Rgb, RgbImage};

/// A field of which less than this share lies on the other side of zero has one sign.
const ONE_SIGN: f64 = 1e-2;

/// What the colours mean.
pub struct Scale {
    map: &'static Map,
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
                map: &map::DIVERGING,
                low: -largest,
                high: largest,
            }
        } else {
            Scale {
                map: &map::SEQUENTIAL,
                low,
                high,
            }
        }
    }

    /// From which colour to which.
    pub fn name(&self) -> &'static str {
        self.map.name
    }

    fn colour(&self, value: f64) -> Rgb<u8> {
        // Halved, the difference of two finite numbers is finite.
        let extent = 0.5 * self.high - 0.5 * self.low;
        let place = match extent {
            0.0 => 0.5,
            extent => (0.5 * value - 0.5 * self.low) / extent,
        };
        Rgb(self.map.at(place))
    }
}

/// The smallest and the largest value.
pub fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// Values, given row by row from the bottom, as colours.
pub fn picture_of(columns: usize, values: &[f64], scale: &Scale) -> RgbImage {
    let rows = values.len() / columns;
    let colour = |x, y| scale.colour(values[(rows - 1 - y as usize) * columns + x as usize]);
    RgbImage::from_fn(columns as u32, rows as u32, colour)
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
