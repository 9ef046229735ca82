//! sRGB colours for numbers.

/// A map of equidistant sRGB colours with linear interpolation.
#[derive(Debug, PartialEq, Eq)]
pub struct Map {
    /// Names of the first and the last colour.
    pub name: &'static str,
    stops: &'static [[u8; 3]],
}

/// Nine colours of viridis (Smith, van der Walt 2015): lightness grows steadily.
pub static SEQUENTIAL: Map = Map {
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

/// Nine colours of inferno (Smith, van der Walt 2015): from black through red to yellow, as of glowing bodies;
/// lightness grows steadily.
pub static GLOWING: Map = Map {
    name: "black to yellow",
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

impl Map {
    /// The colour of a number from 0 to 1.
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

    /// Tests whether dark lines are visible on the colour of a number.
    pub fn is_light(&self, place: f64) -> bool {
        let [red, green, blue] = self.at(place).map(u32::from);
        // Half of white, by Rec. 709's approximate weights.
        2 * red + 7 * green + blue > 5 * 255
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_are_met_and_between_them_is_blended() {
        assert_eq!(SEQUENTIAL.at(-1.0), [68, 1, 84]);
        assert_eq!(SEQUENTIAL.at(2.0), [253, 231, 37]);
        assert_eq!(SEQUENTIAL.at(0.5), [33, 144, 141]);
        assert_eq!(SEQUENTIAL.at(0.0625), [70, 23, 103]);
    }

    #[test]
    fn what_glows_runs_from_dark_to_light() {
        assert_eq!(GLOWING.at(0.5), [186, 54, 85]);
        assert!(!GLOWING.is_light(0.1) && GLOWING.is_light(0.9));
    }
}
