//! The two precisions of every CPU reference.

use std::fmt::{Debug, Display};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A real number: `f32` (what a 2003 fragment processor computes with) or `f64` (the reference).
///
/// The reference of a kernel is generic over this trait: the same arithmetic in the same order gives both the
/// expected result of the GPU (`f32`) and the exact one (`f64`). (The conversion `to_f64` of
/// `num_traits::Float` may fail; this one cannot.)
pub trait Real:
    Copy
    + Default
    + Debug
    + Display
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + Sum
    + Send
    + Sync
    + 'static
{
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;

    /// The number nearest to `value`.
    fn from_f64(value: f64) -> Self;
    /// The value in double precision (exact).
    fn to_f64(self) -> f64;
    /// √self
    fn sqrt(self) -> Self;
    /// |self|
    fn abs(self) -> Self;
    /// The larger number; if one is NaN, the other one.
    fn max(self, other: Self) -> Self;
    /// Tests whether the number is neither infinite nor NaN.
    fn is_finite(self) -> bool;
}

// The two implementations differ only in the name of the type.
macro_rules! implement_real {
    ($float:ident) => {
        impl Real for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;

            #[inline]
            fn from_f64(value: f64) -> Self {
                value as $float
            }
            #[inline]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline]
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            #[inline]
            fn abs(self) -> Self {
                self.abs()
            }
            #[inline]
            fn max(self, other: Self) -> Self {
                self.max(other)
            }
            #[inline]
            fn is_finite(self) -> bool {
                self.is_finite()
            }
        }
    };
}

implement_real!(f32);
implement_real!(f64);
