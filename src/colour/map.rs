//! Colours for numbers, as bytes of sRGB.

/// Colours of sRGB at equal distances, between which is blended.
pub struct Map {
    /// From which colour to which.
    pub name: &'static str,
    stops: &'static [[u8; 3]],
}

/// Nine of viridis (Smith, van der Walt 2015): lightness grows steadily.
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

/// Five of Moreland's cool to warm (2009): zero is grey.
pub static DIVERGING: Map = Map {
    name: "blue to red",
    stops: &[
        [59, 76, 192],
        [141, 176, 254],
        [221, 221, 221],
        [244, 154, 123],
        [180, 4, 38],
    ],
};

impl Map {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_are_met_and_between_them_is_blended() {
        assert_eq!(SEQUENTIAL.at(-1.0), [68, 1, 84]);
        assert_eq!(SEQUENTIAL.at(2.0), [253, 231, 37]);
        assert_eq!(DIVERGING.at(0.5), [221, 221, 221]);
        assert_eq!(DIVERGING.at(0.125), [100, 126, 223]);
    }
}
