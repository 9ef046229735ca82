//! Linear interpolation between stops in Oklab (Ottosson 2020), where equal distances look equal.

/// A colour in linear light: red, green, blue from 0 to 1.
pub type Linear = [f32; 3];

/// A stop in Oklab: lightness, chroma, hue in degrees.
pub type Stop = [f64; 3];

/// The colour of a stop.
pub fn colour(stop: Stop) -> Linear {
    linear(oklab(stop))
}

/// `n` colours from the first stop to the last, the stops at equal distances.
pub fn table(stops: &[Stop], n: usize) -> Vec<Linear> {
    let colour = |k: usize| {
        let place = (stops.len() - 1) as f64 * k as f64 / (n - 1).max(1) as f64;
        let below = (place as usize).min(stops.len() - 2);
        let share = place - below as f64;
        let (a, b) = (oklab(stops[below]), oklab(stops[below + 1]));
        linear([0, 1, 2].map(|c| a[c] + share * (b[c] - a[c])))
    };
    (0..n).map(colour).collect()
}

/// Converts from polar coordinates.
fn oklab([lightness, chroma, hue]: Stop) -> [f64; 3] {
    let (sine, cosine) = hue.to_radians().sin_cos();
    [lightness, chroma * cosine, chroma * sine]
}

/// Converts from Oklab to linear sRGB, clipped to the gamut.
fn linear([lightness, a, b]: [f64; 3]) -> Linear {
    let cubed = |a_share: f64, b_share: f64| (lightness + a_share * a + b_share * b).powi(3);
    let l = cubed(0.396_337_777_4, 0.215_803_757_3);
    let m = cubed(-0.105_561_345_8, -0.063_854_172_8);
    let s = cubed(-0.089_484_177_5, -1.291_485_548_0);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ]
    .map(|value| value.clamp(0.0, 1.0) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_chroma_a_colour_is_grey_of_the_cubed_lightness() {
        for lightness in [0.0, 0.2, 0.5, 1.0] {
            for value in linear([lightness, 0.0, 0.0]) {
                assert!((f64::from(value) - lightness.powi(3)).abs() < 1e-6);
            }
        }
    }
}
