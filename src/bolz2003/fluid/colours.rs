//! Colours of the fluid's pictures, starting from a dark background.

use crate::picture::colour::Stop;

/// Night blue to teal, dark enough for visible particles: for quantities that are not negative.
pub const RISING: [Stop; 5] = [
    [0.13, 0.020, 275.0],
    [0.22, 0.065, 282.0],
    [0.33, 0.105, 270.0],
    [0.46, 0.115, 250.0],
    [0.60, 0.105, 215.0],
];

/// Blue for one sign, amber for the other, dark in between: for signed quantities.
pub const SIGNED: [Stop; 7] = [
    [0.88, 0.070, 215.0],
    [0.66, 0.130, 240.0],
    [0.38, 0.110, 262.0],
    [0.13, 0.015, 290.0],
    [0.40, 0.110, 30.0],
    [0.68, 0.150, 52.0],
    [0.90, 0.110, 88.0],
];

/// Background, lower dye and upper dye.
pub const DYES: [Stop; 3] = [
    [0.13, 0.020, 275.0],
    [0.62, 0.125, 235.0],
    [0.70, 0.140, 60.0],
];

/// Old particles and young particles.
pub const PARTICLES: [Stop; 2] = [[0.78, 0.100, 70.0], [0.93, 0.070, 90.0]];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::colour::Linear;
    use crate::picture::colour::oklab::table;

    #[test]
    fn colours_become_lighter_away_from_zero() {
        let luminance = |c: &Linear| 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
        let rising: Vec<f32> = table(&RISING, 64).iter().map(luminance).collect();
        assert!(rising.is_sorted());
        let signed: Vec<f32> = table(&SIGNED, 65).iter().map(luminance).collect();
        assert!(signed[32..].is_sorted() && signed[..=32].iter().rev().is_sorted());
    }
}
