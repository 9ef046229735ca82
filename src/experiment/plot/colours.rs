//! Colour maps: colours for the numbers from 0 to 1.

use plotters::prelude::RGBColor;

/// Colours at equal distances, between which is blended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColourMap {
    stops: &'static [[u8; 3]],
}

/// Nine of inferno (Smith, van der Walt 2015): from black through red to yellow, like what glows;
/// lightness grows steadily.
pub const GLOW: ColourMap = ColourMap {
    stops: &[
        [0, 0, 4],
        [31, 12, 72],
        [85, 15, 109],
        [136, 34, 106],
        [186, 54, 85],
        [227, 89, 51],
        [249, 142, 9],
        [249, 203, 53],
        [252, 255, 164],
    ],
};

impl ColourMap {
    /// The colour at a place from 0 to 1.
    pub fn at(&self, place: f64) -> [u8; 3] {
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

    /// The same for the drawing library.
    pub(super) fn ink(&self, place: f64) -> RGBColor {
        let [red, green, blue] = self.at(place);
        RGBColor(red, green, blue)
    }

    /// Whether dark lines can be seen on the colour at a place.
    pub(super) fn is_light(&self, place: f64) -> bool {
        let [red, green, blue] = self.at(place).map(u32::from);
        // Rec. 709's shares, roughly, of half of white.
        2 * red + 7 * green + blue > 5 * 255
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_run_from_dark_to_light() {
        assert_eq!(GLOW.at(-1.0), [0, 0, 4]);
        assert_eq!(GLOW.at(0.5), [186, 54, 85]);
        assert_eq!(GLOW.at(2.0), [252, 255, 164]);
        assert!(!GLOW.is_light(0.1) && GLOW.is_light(0.9));
    }
}
