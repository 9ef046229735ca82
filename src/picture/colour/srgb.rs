//! Between linear light and sRGB (IEC 61966-2-1).

/// A linear value as an sRGB byte, clipped to [0, 1].
pub fn srgb(linear: f32) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    let encoded =
        if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0).round() as u8
}

/// The linear value of an sRGB byte.
pub fn linear(byte: u8) -> f32 {
    let encoded = f32::from(byte) / 255.0;
    if encoded <= 0.040_45 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_the_ends_and_a_fifth_of_the_light_is_half_of_the_bytes() {
        assert_eq!([-1.0, 0.0, 1.0, 7.0].map(srgb), [0, 0, 255, 255]);
        // 255 (1.055 · 0.2^(1/2.4) − 0.055) = 123.6
        assert_eq!(srgb(0.2), 124);
        assert!((0..=255).all(|byte| srgb(linear(byte)) == byte));
    }
}
