//! Colours of the fluid's pictures. They run straight between a few stops in Oklab (Ottosson 2020),
//! where equal distances look equally far, from a dark ground up.

/// A colour in linear light, red, green, blue from 0 to 1.
pub type Linear = [f32; 3];

/// A stop: lightness, chroma, hue in degrees, of Oklab.
type Stop = [f64; 3];

/// Night blue to teal, dark enough for particles to stand out: for what is not negative.
const RISING: [Stop; 5] = [
    [0.13, 0.020, 275.0],
    [0.22, 0.065, 282.0],
    [0.33, 0.105, 270.0],
    [0.46, 0.115, 250.0],
    [0.60, 0.105, 215.0],
];

/// Blue for one sign, amber for the other, and dark between: for what has a sign.
const SIGNED: [Stop; 7] = [
    [0.88, 0.070, 215.0],
    [0.66, 0.130, 240.0],
    [0.38, 0.110, 262.0],
    [0.13, 0.015, 290.0],
    [0.40, 0.110, 30.0],
    [0.68, 0.150, 52.0],
    [0.90, 0.110, 88.0],
];

/// Ground, lower and upper dye.
const DYES: [Stop; 3] = [
    [0.13, 0.020, 275.0],
    [0.62, 0.125, 235.0],
    [0.70, 0.140, 60.0],
];

/// Particles, when old and when young.
const PARTICLES: [Stop; 2] = [[0.78, 0.100, 70.0], [0.93, 0.070, 90.0]];

/// `n` colours for a range that begins at zero.
pub fn rising(n: usize) -> Vec<Linear> {
    table(&RISING, n)
}

/// `n` colours for a range with zero in its middle.
pub fn signed(n: usize) -> Vec<Linear> {
    table(&SIGNED, n)
}

/// The ground, the lower and the upper dye.
pub fn dyes() -> [Linear; 3] {
    DYES.map(|stop| linear(oklab(stop)))
}

/// Old and young particles.
pub fn particles() -> [Linear; 2] {
    PARTICLES.map(|stop| linear(oklab(stop)))
}

/// A linear value as an sRGB byte.
pub fn srgb(linear: f32) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    let encoded = if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    };
    (encoded * 255.0).round() as u8
}

fn table(stops: &[Stop], n: usize) -> Vec<Linear> {
    let colour = |k: usize| {
        let place = (stops.len() - 1) as f64 * k as f64 / (n - 1).max(1) as f64;
        let below = (place as usize).min(stops.len() - 2);
        let share = place - below as f64;
        let (a, b) = (oklab(stops[below]), oklab(stops[below + 1]));
        linear([0, 1, 2].map(|c| a[c] + share * (b[c] - a[c])))
    };
    (0..n).map(colour).collect()
}

/// From polar coordinates.
fn oklab([lightness, chroma, hue]: Stop) -> [f64; 3] {
    let (sine, cosine) = hue.to_radians().sin_cos();
    [lightness, chroma * cosine, chroma * sine]
}

/// From Oklab to linear sRGB, cut off at the gamut.
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

    #[test]
    fn colours_become_lighter_away_from_zero() {
        let luminance = |c: &Linear| 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
        let rising: Vec<f32> = rising(64).iter().map(luminance).collect();
        assert!(rising.is_sorted());
        let signed: Vec<f32> = signed(65).iter().map(luminance).collect();
        assert!(signed[32..].is_sorted() && signed[..=32].iter().rev().is_sorted());
    }
}
