//! Random numbers that do not depend on the machine.
//!
//! A seed must determine an experiment's input exactly. The standard library's `ln` and `cos` come from the
//! system's C library and may differ in the last bit between systems; `libm` uses only operations defined by
//! IEEE 754.

use std::f64::consts::TAU;

/// Increment of the state: 2⁶⁴ divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// SplitMix64 (Steele, Lea, Flood 2014): small, and good enough for data.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The sequence without its first `n` numbers.
    pub fn skip(self, n: u64) -> Self {
        let state = self.state.wrapping_add(n.wrapping_mul(STEP));
        Self { state }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in (0, 1], in steps of 2⁻⁵³.
    pub fn uniform(&mut self) -> f64 {
        ((self.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform from −1 to 1.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.uniform() - 1.0
    }

    /// Numbers from −1 to 1, in single precision.
    pub fn vector(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| self.signed() as f32).collect()
    }

    /// A random integer below `n`, which must be positive.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next_u64() % n as u64) as usize
    }

    /// Shuffles values, all orders being equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        (1..values.len()).rev().for_each(|last| values.swap(last, self.below(last + 1)));
    }

    /// A normal number with mean 0 and variance 1, by Box and Muller's method.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(self.uniform())).sqrt();
        radius * libm::cos(TAU * self.uniform())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_gives_the_published_sequence() {
        // The first outputs for seed 1234567 of the reference implementation.
        let mut random = SplitMix64::new(1_234_567);
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(expected.map(|_| random.next_u64()), expected);
        let mut third = SplitMix64::new(1_234_567).skip(2);
        assert_eq!(third.next_u64(), expected[2]);
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
        for ((moment, expected), variance) in
            moments.into_iter().zip([0.0, 1.0, 0.0, 3.0]).zip([1.0, 2.0, 15.0, 96.0_f64])
        {
            let tolerance = 5.0 * (variance / f64::from(n)).sqrt();
            assert!((moment - expected).abs() < tolerance, "{moment} for {expected}");
        }
    }
}
