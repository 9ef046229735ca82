//! Random numbers that are the same on every machine.
//!
//! A noisy mesh is an experiment's input, so its seed must name it exactly. The standard library's
//! `ln`, `sin` and `cos` come from the system's C library and may differ in the last bit between
//! systems; the series below use only operations that IEEE 754 fixes.

use std::f64::consts::{FRAC_PI_2, LN_2, SQRT_2};

/// SplitMix64 (Steele, Lea, Flood 2014): small, and good enough to disturb a mesh.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The sequence that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in (0, 1], in steps of 2⁻⁵³.
    pub fn uniform(&mut self) -> f64 {
        ((self.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// Normal with mean 0 and variance 1, by Box and Muller's method.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * ln(self.uniform())).sqrt();
        let (_, cosine) = sin_cos_turns(self.uniform());
        radius * cosine
    }
}

/// Natural logarithm of a positive normal number, to 1e-15 (relative where it exceeds 1).
fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = ((bits >> 52) & 0x7FF) as i64 - 1023;
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if mantissa > SQRT_2 {
        mantissa /= 2.0;
        exponent += 1;
    }
    // ln m = 2 artanh s with s = (m − 1)/(m + 1), |s| ≤ 0.172: terms beyond s²¹ are below 1e-18.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let series = (0..=10)
        .rev()
        .fold(0.0, |sum, k| sum * s * s + 1.0 / (2 * k + 1) as f64);
    exponent as f64 * LN_2 + 2.0 * s * series
}

/// Sine and cosine of an angle given in turns (1 is 2π), to 1e-15.
pub(crate) fn sin_cos_turns(turns: f64) -> (f64, f64) {
    let quarter = (4.0 * turns).round();
    // |angle| ≤ π/4, where the terms left out of either series are below 1e-18.
    let angle = (4.0 * turns - quarter) * FRAC_PI_2;
    let square = angle * angle;
    let series = |first: u32| {
        // Σ (−1)^k angle^2k / ((first + 1)…(first + 2k)), summed from the small end.
        (1..=9).rev().fold(1.0, |sum, k| {
            let order = first + 2 * k;
            1.0 - sum * square / (f64::from(order) * f64::from(order - 1))
        })
    };
    let (sine, cosine) = (angle * series(1), series(0));
    match (quarter as i64).rem_euclid(4) {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_gives_the_published_sequence() {
        // The first outputs for seed 1234567 of the reference implementation.
        let mut random = SplitMix64::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(expected.map(|_| random.next_u64()), expected);
    }

    #[test]
    fn the_series_agree_with_the_system_library() {
        let mut random = SplitMix64::new(7);
        for _ in 0..10_000 {
            let u = random.uniform();
            assert!(
                (ln(u) - u.ln()).abs() <= 1e-15 * u.ln().abs().max(1.0),
                "ln {u}"
            );
            let (sine, cosine) = sin_cos_turns(u);
            // Rounding the product moves the system's angle by up to 4e-16.
            let angle = std::f64::consts::TAU * u;
            assert!((sine - angle.sin()).abs() < 1e-15, "sin of {u} turns");
            assert!((cosine - angle.cos()).abs() < 1e-15, "cos of {u} turns");
        }
        assert_eq!(ln(1.0), 0.0);
    }

    #[test]
    fn normal_numbers_have_the_moments_of_the_normal_distribution() {
        let mut random = SplitMix64::new(42);
        let n = 200_000;
        let mut moments = [0.0; 4];
        for _ in 0..n {
            let x = random.normal();
            for (power, moment) in (1..).zip(&mut moments) {
                *moment += x.powi(power) / f64::from(n);
            }
        }
        // Five standard deviations of each sample moment: √(Var xᵖ / n) with Var = 1, 2, 15, 96.
        for ((moment, expected), variance) in moments
            .into_iter()
            .zip([0.0, 1.0, 0.0, 3.0])
            .zip([1.0, 2.0, 15.0, 96.0_f64])
        {
            let tolerance = 5.0 * (variance / f64::from(n)).sqrt();
            assert!(
                (moment - expected).abs() < tolerance,
                "{moment} for {expected}"
            );
        }
    }
}
