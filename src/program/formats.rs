//! The number formats of the cards of 2003, and the choice among them.
//!
//! R300 computes in 24 bits: a sign, seven bits of exponent, sixteen of mantissa, written s16e7. Here the exact
//! result of an operation is rounded once to that format, either towards zero or to the nearest. Published
//! measurements place the hardware between the two, which was not verified. The product and the sum of a
//! multiply-add are rounded separately. A quotient is a product with the reciprocal, which is rounded too, because
//! the cards have no division; a square root is rounded once. NV30 also has registers in half precision.

use std::fmt;

use crate::program::arithmetic::{Arithmetic, Operation, rounded};

/// Registers of fragment programs: the arithmetic of a card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Registers {
    /// 32 bits.
    #[default]
    Single,
    /// 16 bits for data and 32 for positions, as with `half` on NV30.
    Nv30Half,
    /// 24 bits, truncated.
    #[cfg_attr(feature = "cli", value(name = "r300-24"))]
    R300,
    /// 24 bits, rounded to the nearest.
    #[cfg_attr(feature = "cli", value(name = "r300-24-nearest"))]
    R300Nearest,
}

impl Registers {
    /// Tests whether a number is beyond their range: infinite, NaN, or where there is no infinity the largest one.
    #[cfg(feature = "cli")]
    pub(crate) fn overflows(self, value: f32) -> bool {
        match self {
            Self::Single | Self::Nv30Half => !value.is_finite(),
            Self::R300 | Self::R300Nearest => value.is_nan() || value.abs() >= MOST_24 as f32,
        }
    }
}

impl fmt::Display for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Single => "single precision",
            Self::Nv30Half => "half precision of NV30",
            Self::R300 => "24 bits of R300, truncated",
            Self::R300Nearest => "24 bits of R300, rounded to the nearest",
        })
    }
}

/// A 24-bit number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounded24<const TO_NEAREST: bool>(f32);

/// A 24-bit number, truncated.
pub type Chopped24 = Rounded24<false>;

/// A 24-bit number, rounded to the nearest.
pub type Nearest24 = Rounded24<true>;

/// A register of a program whose author declared `half` for data and `float` for positions: a 16-bit number, rounded
/// to the nearest, or a position in 32 bits, which data operations round when they read it. Comparisons round what they
/// read as well, constants too, unless they compare positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Half(f32);

/// Bits of a double's mantissa that s16e7 and half precision do not have.
const DROPPED: u32 = 52 - 16;
const DROPPED_OF_HALF: u32 = 52 - 10;
/// The smallest positive number of s16e7, 2^-62. Smaller results are flushed to zero.
const LEAST_24: f64 = 1.0 / (1u64 << 62) as f64;
/// The largest number, (2 - 2^-16) 2^64. Larger results become it, because there is no infinity.
const MOST_24: f64 = (2.0 - 1.0 / 65_536.0) * 18_446_744_073_709_551_616.0;

/// Clamps a number with the mantissa of s16e7 to its range.
#[inline]
fn in_range(value: f64) -> f32 {
    match value.abs() {
        size if size < LEAST_24 => 0.0,
        // NaN stays NaN.
        _ => value.clamp(-MOST_24, MOST_24) as f32,
    }
}

/// Truncates a mantissa by `dropped` bits.
#[inline]
fn chop(bits: u64, dropped: u32) -> f64 {
    f64::from_bits(bits >> dropped << dropped)
}

/// Rounds a mantissa to the nearest, ties to even.
#[inline]
fn nearest(value: f64, dropped: u32) -> f64 {
    // Half of the last remaining bit, or one less if that bit is even.
    let bits = value.to_bits();
    let half = (1 << (dropped - 1)) - 1 + ((bits >> dropped) & 1);
    chop(bits + half, dropped)
}

/// Computes an operation of a text by the operations of a card: a quotient is a product with the reciprocal.
#[inline]
fn on_card<T: Copy>(
    operation: Operation,
    operands: [T; 3],
    compute: impl Fn(Operation, [T; 3]) -> T,
) -> T {
    let [a, b, c] = operands;
    match operation {
        Operation::Divide => {
            compute(Operation::Multiply, [a, compute(Operation::Reciprocal, [b, c, c]), c])
        }
        _ => compute(operation, operands),
    }
}

/// Sum of two numbers in double precision, rounded towards zero.
#[inline]
fn truncated_sum(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // The exact rounding error (Knuth's TwoSum).
    let part = sum - a;
    let error = (a - (sum - part)) + (b - part);
    if error * sum < 0.0 { f64::from_bits(sum.to_bits() - 1) } else { sum }
}

impl<const TO_NEAREST: bool> Arithmetic for Rounded24<TO_NEAREST> {
    type Stored = f32;

    #[inline]
    fn sum(a: f64, b: f64) -> f64 {
        // To the nearest, 53 bits are enough for two roundings to be one.
        if TO_NEAREST { a + b } else { truncated_sum(a, b) }
    }

    #[inline]
    fn compute(operation: Operation, operands: [Self; 3]) -> Self {
        on_card(operation, operands, rounded)
    }

    #[inline]
    fn from_f64(value: f64) -> Self {
        if !value.is_finite() {
            return Self(in_range(value));
        }
        Self(in_range(if TO_NEAREST {
            nearest(value, DROPPED)
        } else {
            chop(value.to_bits(), DROPPED)
        }))
    }

    #[inline]
    fn to_f64(self) -> f64 {
        f64::from(self.0)
    }
}

impl Arithmetic for Half {
    type Stored = f32;

    #[inline]
    fn from_f64(value: f64) -> Self {
        let size = value.abs();
        // Above the largest number, 65504, rounding gives infinity from half a step on.
        if size >= 65_520.0 || !size.is_finite() {
            return Self((value * f64::INFINITY) as f32);
        }
        // Ten bits after the leading one; below 2^-14, multiples of 2^-24, the last place of that number.
        const LARGE: f64 = 1.5 * (1u64 << 28) as f64;
        Self(if size < 1.0 / 16_384.0 {
            ((size + LARGE) - LARGE).copysign(value) as f32
        } else {
            nearest(value, DROPPED_OF_HALF) as f32
        })
    }

    #[inline]
    fn to_f64(self) -> f64 {
        f64::from(self.0)
    }

    #[inline]
    fn load(stored: f32) -> Self {
        Self(stored)
    }

    #[inline]
    fn store(self) -> f32 {
        self.as_data().0
    }

    #[inline]
    fn interpolated(value: f64, _: f64) -> Self {
        Self(value as f32)
    }

    #[inline]
    fn modified(self, absolute: bool, negated: bool) -> Self {
        Self(self.0.modified(absolute, negated))
    }

    #[inline]
    fn compute(operation: Operation, operands: [Self; 3]) -> Self {
        on_card(operation, operands.map(Self::as_data), rounded)
    }

    #[inline]
    fn locate(operation: Operation, operands: [Self; 3]) -> Self {
        Self(on_card(operation, operands.map(|one| one.0), rounded))
    }
}

impl Half {
    #[inline]
    fn as_data(self) -> Self {
        Self::from_f64(self.to_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chopped(value: f64) -> f64 {
        Chopped24::from_f64(value).to_f64()
    }

    fn nearest(value: f64) -> f64 {
        Nearest24::from_f64(value).to_f64()
    }

    fn half(value: f64) -> f64 {
        Half::from_f64(value).to_f64()
    }

    /// The distance between neighbouring numbers from 1 on.
    const STEP: f64 = 1.0 / 65_536.0;

    #[test]
    fn numbers_of_the_formats_stay_and_others_go_where_the_format_says() {
        for value in [0.0, 1.0, -1.5, 256.5, 1.0 + STEP, LEAST_24, MOST_24] {
            assert_eq!((chopped(value), nearest(value)), (value, value));
        }
        assert_eq!(chopped(1.0 + 0.9 * STEP), 1.0);
        assert_eq!(chopped(-1.0 - 0.9 * STEP), -1.0);
        assert_eq!(nearest(1.0 + 0.9 * STEP), 1.0 + STEP);
        assert_eq!(nearest(1.0 + 0.5 * STEP), 1.0);
        assert_eq!(nearest(1.0 + 1.5 * STEP), 1.0 + 2.0 * STEP);
        assert_eq!(nearest(2.0 - 0.1 * STEP), 2.0);
        assert_eq!((chopped(0.9 * LEAST_24), nearest(0.9 * LEAST_24)), (0.0, 0.0));
        assert_eq!((chopped(1e30), nearest(-f64::INFINITY)), (MOST_24, -MOST_24));
        assert!(chopped(f64::NAN).is_nan() && nearest(f64::NAN).is_nan());
    }

    #[test]
    fn half_precision_is_that_of_the_standard() {
        let least = 1.0 / f64::from(1 << 24);
        for value in [0.0, 1.0, -65_504.0, 0.333_251_953_125, least, 6.103_515_625e-5] {
            assert_eq!(half(value), value);
        }
        assert_eq!(half(2049.0), 2048.0);
        assert_eq!(half(2051.0), 2052.0);
        assert_eq!((half(0.5 * least), half(0.6 * least)), (0.0, least));
        assert_eq!((half(65_519.0), half(65_520.0)), (65_504.0, f64::INFINITY));
        assert_eq!(half(-1e9), -f64::INFINITY);
        assert!(half(f64::NAN).is_nan());
    }

    proptest! {
        #[test]
        fn roundings_are_within_a_place_or_half_of_one(value in -1e9f64..1e9) {
            let place = STEP * value.abs();
            let (down, near) = (chopped(value), nearest(value));
            prop_assert!(down.abs() <= value.abs() && (value - down).abs() <= place);
            prop_assert!((value - near).abs() <= 0.5 * place);
            prop_assert_eq!((chopped(down), nearest(near)), (down, near));
        }

        #[test]
        fn half_precision_is_a_multiple_of_its_last_place(mantissa in -2.0f64..2.0, exponent in -30..15) {
            let value = mantissa * f64::from(exponent).exp2();
            let place = f64::from((value.abs().log2().floor() as i32).max(-14) - 10).exp2();
            prop_assert_eq!(half(value), (value / place).round_ties_even() * place);
        }
    }
}
