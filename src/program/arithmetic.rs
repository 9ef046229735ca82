//! Operations of instructions, and their arithmetic.

use std::fmt::Debug;

/// Operation of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are explicit
pub enum Operation {
    /// Fetch from the stream with this number, from 1.
    Fetch(usize),
    /// Difference from the horizontal neighbour.
    DerivativeX,
    /// Difference from the vertical neighbour.
    DerivativeY,
    /// Discards the fragment if a condition holds.
    Kill,
    /// Sum of the products of all channels.
    Dot,
    Reciprocal,
    /// Quotient of a text. Listings multiply by the reciprocal.
    Divide,
    /// Square root of a text. Listings take the reciprocal of the inverse root.
    SquareRoot,
    Add,
    Multiply,
    Minimum,
    Maximum,
    Floor,
    Fraction,
    /// Clamp to [0, 1].
    Saturate,
    /// Interpolation from the first operand to the second by the third.
    Interpolate,
    InverseRoot,
    /// Power of two.
    Exponential,
    /// Logarithm to base two.
    Logarithm,
    Power,
    Sine,
    Cosine,
    Less,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    /// The second operand if the first is not zero, else the third.
    Select,
}

/// A number format with its arithmetic. Every operation is computed in double precision and converted by
/// [`Arithmetic::from_f64`]. For `f32` this is the correctly rounded result; a card's format may round
/// differently.
pub trait Arithmetic: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// Format of streams in memory, and of vertex programs: on the cards of 2003, 32 bits whatever fragment programs
    /// compute in.
    type Stored: Arithmetic;

    /// Converts `value` to this format.
    fn from_f64(value: f64) -> Self;

    /// Its value (exact).
    fn to_f64(self) -> f64;

    /// A number that a program reads.
    #[inline]
    fn load(stored: Self::Stored) -> Self {
        Self::from_f64(stored.to_f64())
    }

    /// A number that a program is given.
    #[inline]
    fn given(value: f64) -> Self {
        Self::load(Self::Stored::from_f64(value))
    }

    /// The result of a program.
    #[inline]
    fn store(self) -> Self::Stored {
        Self::Stored::from_f64(self.to_f64())
    }

    /// Interpolates a coordinate between the corners of a rectangle; `largest` is the largest
    /// absolute value at a corner.
    fn interpolated(value: f64, _largest: f64) -> Self {
        Self::from_f64(value)
    }

    /// Takes the absolute value, then negates.
    #[inline]
    fn modified(self, absolute: bool, negated: bool) -> Self {
        let value = self.to_f64();
        let value = if absolute { value.abs() } else { value };
        Self::from_f64(if negated { -value } else { value })
    }

    /// Sum in double precision, ready for [`Arithmetic::from_f64`].
    #[inline]
    fn sum(a: f64, b: f64) -> f64 {
        a + b
    }

    /// Computes an operation on numbers of one fragment; unused operands are zeros.
    #[inline]
    fn compute(operation: Operation, operands: [Self; 3]) -> Self {
        rounded(operation, operands)
    }

    /// Computes an operation whose result is a position to fetch from, or which compares positions.
    #[inline]
    fn locate(operation: Operation, operands: [Self; 3]) -> Self {
        Self::compute(operation, operands)
    }

    /// Fetches the record at a position of a stream; `at` gives the record nearest to a position.
    #[inline]
    fn fetch(at: impl Fn(f64, f64) -> [Self; 4], [x, y]: [Self; 2]) -> [Self; 4] {
        at(x.to_f64(), y.to_f64())
    }
}

/// Computes an operation in double precision, and rounds it as often as the text or a card does.
#[inline]
pub(crate) fn rounded<T: Arithmetic>(operation: Operation, operands: [T; 3]) -> T {
    let [a, b, c] = operands.map(T::to_f64);
    let round = |value| T::from_f64(value).to_f64();
    T::from_f64(match operation {
        Operation::Add => T::sum(a, b),
        Operation::Fraction => T::sum(a, -a.floor()),
        Operation::Interpolate => T::sum(round(a * round(T::sum(1.0, -c))), round(b * c)),
        Operation::InverseRoot => 1.0 / round(a.sqrt()),
        _ => in_double(operation, a, b, c),
    })
}

/// Computes an operation in double precision. The result is NaN where the language leaves it undefined, for a
/// power of a negative base, and for operations on more than one fragment.
#[inline]
pub(crate) fn in_double(operation: Operation, a: f64, b: f64, c: f64) -> f64 {
    let truth = |value: bool| if value { 1.0 } else { 0.0 };
    match operation {
        Operation::Add => a + b,
        Operation::Multiply => a * b,
        Operation::Divide => a / b,
        Operation::Minimum => a.min(b),
        Operation::Maximum => a.max(b),
        Operation::Floor => a.floor(),
        Operation::Fraction => a - a.floor(),
        Operation::Saturate => a.clamp(0.0, 1.0),
        Operation::Interpolate => a * (1.0 - c) + b * c,
        Operation::Reciprocal => 1.0 / a,
        Operation::SquareRoot => a.sqrt(),
        Operation::InverseRoot => 1.0 / a.sqrt(),
        Operation::Exponential => a.exp2(),
        Operation::Logarithm => a.log2(),
        Operation::Power if a < 0.0 => f64::NAN,
        Operation::Power => a.powf(b),
        Operation::Sine => a.sin(),
        Operation::Cosine => a.cos(),
        Operation::Less => truth(a < b),
        Operation::GreaterEqual => truth(a >= b),
        Operation::Equal => truth(a == b),
        Operation::NotEqual => truth(a != b),
        Operation::And => truth(a != 0.0 && b != 0.0),
        Operation::Or => truth(a != 0.0 || b != 0.0),
        Operation::Select if a != 0.0 => b,
        Operation::Select => c,
        Operation::Fetch(_) | Operation::DerivativeX | Operation::DerivativeY => f64::NAN,
        Operation::Dot | Operation::Kill => f64::NAN,
    }
}

impl Arithmetic for f32 {
    type Stored = Self;

    #[inline]
    fn from_f64(value: f64) -> f32 {
        value as f32
    }

    #[inline]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl Arithmetic for f64 {
    type Stored = Self;

    #[inline]
    fn from_f64(value: f64) -> f64 {
        value
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self
    }
}
