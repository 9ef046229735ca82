//! Double precision with a bound on the error of single precision.

use fragstream::program::interpret::{Arithmetic, Operation};

/// Half the distance from 1 to the next larger number of single precision.
const UNIT: f64 = 1.0 / (1u64 << 24) as f64;

/// A number in double precision, with a bound on its difference from a driver's single-precision number: a
/// running error analysis. Sums may be evaluated in any order, a product may be distributed over a sum in one
/// of its factors, and functions may be as inaccurate as the drivers' are; exact operations must be exact. If a
/// comparison could go either way, the bound covers both results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Exact value.
    pub value: f64,
    /// Bound on a driver's error. Infinite or NaN if there is no bound.
    pub error: f64,
    /// Sum of the absolute values of all terms, to which rounding errors are relative.
    magnitude: f64,
    /// Power of two of which all terms are multiples.
    grain: f64,
}

impl Estimate {
    fn exact(value: f64) -> Self {
        Self { value, error: 0.0, magnitude: value.abs(), grain: grain(value) }
    }

    /// A number with the error carried over from its operands.
    fn carrying(value: f64, error: f64) -> Self {
        Self { error, ..Self::exact(value) }
    }

    /// Tests whether a result of exact operands is exact: single precision holds it and all intermediate
    /// results, in any order of terms.
    fn is_exact(self) -> bool {
        let most = (1u64 << 24) as f64 * self.grain;
        self.error == 0.0 && self.magnitude <= most
    }

    /// Adds this number of rounding errors.
    fn rounded(self, roundings: f64) -> Self {
        if self.is_exact() {
            return self;
        }
        Self { error: self.error + roundings * UNIT * self.magnitude, ..self }
    }

    fn with_magnitude(self, magnitude: f64) -> Self {
        Self { magnitude, ..self }
    }

    fn with_grain(self, grain: f64) -> Self {
        Self { grain, ..self }
    }

    fn is_certain(self) -> bool {
        self.error == 0.0
    }

    /// The smallest and the largest possible value.
    fn ends(self) -> [f64; 2] {
        [self.value - self.error, self.value + self.error]
    }
}

impl Arithmetic for Estimate {
    type Stored = Self;

    fn load(stored: Self) -> Self {
        stored
    }

    fn store(self) -> Self {
        self
    }

    fn from_f64(value: f64) -> Self {
        Self::exact(value)
    }

    fn to_f64(self) -> f64 {
        self.value
    }

    /// Interpolates; planes through the corners are computed from their largest number.
    fn interpolated(value: f64, largest: f64) -> Self {
        Self::carrying(value, 16.0 * UNIT * largest)
    }

    fn modified(self, absolute: bool, negated: bool) -> Self {
        Self { value: self.value.modified(absolute, negated), ..self }
    }

    fn compute(operation: Operation, [a, b, c]: [Self; 3]) -> Self {
        let value = f64::compute(operation, [a.value, b.value, c.value]);
        let carrying = |error| Self::carrying(value, error);
        match operation {
            Operation::Add => carrying(a.error + b.error)
                .with_magnitude(a.magnitude + b.magnitude)
                .with_grain(a.grain.min(b.grain))
                .rounded(1.0),
            Operation::Multiply => {
                let error = a.value.abs() * b.error + b.value.abs() * a.error + a.error * b.error;
                carrying(error)
                    .with_magnitude(distributed(a, b).max(distributed(b, a)))
                    .with_grain(a.grain * b.grain)
                    .rounded(1.0)
            }
            Operation::Divide => {
                let least = above_zero(b.value.abs() - b.error);
                carrying((a.error + value.abs() * b.error) / least)
                    .with_magnitude(a.magnitude / least)
                    .rounded(3.0)
            }
            Operation::Minimum | Operation::Maximum => {
                let [chosen, other] = if value == a.value { [a, b] } else { [b, a] };
                if (a.value - b.value).abs() > a.error + b.error {
                    chosen
                } else {
                    carrying(a.error.max(b.error))
                        .with_magnitude(chosen.magnitude.max(other.magnitude))
                }
            }
            Operation::Floor => {
                let [least, most] = a.ends().map(f64::floor);
                carrying((value - least).max(most - value))
            }
            Operation::Fraction => {
                let [least, most] = a.ends().map(f64::floor);
                // The fraction of a small negative number is close to one, and rounded as such.
                carrying(if least == most { a.error } else { 1.0 })
                    .with_magnitude(a.magnitude.max(value))
                    .rounded(1.0)
            }
            Operation::Saturate => [(Operation::Maximum, 0.0), (Operation::Minimum, 1.0)]
                .into_iter()
                .fold(a, |one, (operation, end)| {
                    Self::compute(operation, [one, Self::exact(end), c])
                }),
            Operation::Interpolate => {
                let ends = (1.0 - c.value).abs() * a.error + (c.value.abs() + c.error) * b.error;
                let error = ends + ((b.value - a.value).abs() + a.error) * c.error;
                // Drivers may also compute a + c (b - a), which is exact only for c = 0, or distribute.
                if c.is_certain() && c.value == 0.0 {
                    return a;
                }
                let share = c.value.abs() + c.error;
                let rounding = a.magnitude * (1.0 + share) + b.magnitude * share;
                let magnitude = a.magnitude * (1.0 - c.value).abs() + b.magnitude * c.value.abs();
                carrying(error + 3.0 * UNIT * rounding).with_magnitude(magnitude)
            }
            Operation::Reciprocal => Self::compute(Operation::Divide, [Self::exact(1.0), a, c]),
            Operation::SquareRoot => {
                let [least, most] = a.ends().map(|end| end.max(0.0).sqrt());
                carrying((most - value).max(value - least)).rounded(3.0)
            }
            Operation::InverseRoot => {
                let most = 1.0 / above_zero(a.value - a.error).sqrt();
                carrying(most - value).rounded(4.0)
            }
            Operation::Fetch(_) | Operation::DerivativeX | Operation::DerivativeY => carrying(0.0),
            Operation::Dot | Operation::Kill => carrying(0.0),
            Operation::Exponential => {
                let error = value * (a.error.exp2() - 1.0);
                carrying(error).rounded(2.0 * (3.0 + 2.0 * a.value.abs()))
            }
            Operation::Logarithm => {
                let error = a.error / above_zero(a.value - a.error) / std::f64::consts::LN_2;
                carrying(error + 8.0 * UNIT).rounded(4.0)
            }
            Operation::Power => power(a, b, value),
            Operation::Sine | Operation::Cosine => {
                carrying(a.error + 16.0 * UNIT * (1.0 + a.value.abs()))
            }
            Operation::Less | Operation::GreaterEqual | Operation::Equal | Operation::NotEqual => {
                let either = a.error + b.error;
                let is_certain = either == 0.0 || (a.value - b.value).abs() > either;
                carrying(if is_certain { 0.0 } else { 1.0 })
            }
            Operation::And | Operation::Or => {
                let decides = f64::from(operation == Operation::Or);
                let decided = |one: Self| one.is_certain() && one.value == decides;
                if decided(a) || decided(b) {
                    carrying(0.0)
                } else {
                    carrying(a.error.max(b.error))
                }
            }
            Operation::Select => {
                let [chosen, other] = if a.value != 0.0 { [b, c] } else { [c, b] };
                if a.is_certain() {
                    chosen
                } else {
                    let apart = (chosen.value - other.value).abs();
                    carrying(chosen.error.max(apart + other.error))
                }
            }
        }
    }

    fn fetch(at: impl Fn(f64, f64) -> [Self; 4], [x, y]: [Self; 2]) -> [Self; 4] {
        let mut record = at(x.value, y.value);
        let mut is_near = true;
        for at_x in x.ends() {
            for at_y in y.ends() {
                // No further than the next texel.
                is_near &= (at_x - x.value).abs() < 1.0 && (at_y - y.value).abs() < 1.0;
                for (channel, other) in record.iter_mut().zip(at(at_x, at_y)) {
                    channel.error = channel.error.max((other.value - channel.value).abs());
                }
            }
        }
        if !is_near {
            let channels = record.iter_mut();
            channels.for_each(|channel| channel.error = f64::INFINITY);
        }
        record
    }
}

/// Magnitude of a product that is distributed over the terms of a sum.
fn distributed(sum: Estimate, factor: Estimate) -> f64 {
    sum.magnitude * (factor.value.abs() + factor.error)
}

/// Largest power of two of which a single-precision number is a multiple.
fn grain(value: f64) -> f64 {
    let bits = value.to_bits();
    match bits << 12 {
        _ if value == 0.0 => f64::MAX,
        0 => value.abs(),
        fraction => {
            let exponent = f64::from_bits(bits >> 52 << 52).abs();
            exponent / (1u64 << (64 - fraction.trailing_zeros())) as f64
        }
    }
}

/// Handles a divisor that may be zero: the quotient is infinite, with either sign.
fn above_zero(value: f64) -> f64 {
    value.max(0.0)
}

/// Computes a power as drivers do, exp2 of a product with a logarithm; powers of zero are zero.
fn power(base: Estimate, exponent: Estimate, value: f64) -> Estimate {
    let [least, most] = base.ends();
    if least <= 0.0 && exponent.value > 0.0 {
        return Estimate::carrying(value, most.powf(exponent.value) - value);
    }
    let none = Estimate::exact(0.0);
    let logarithm = Estimate::compute(Operation::Logarithm, [base, none, none]);
    let product = Estimate::compute(Operation::Multiply, [exponent, logarithm, none]);
    let error = Estimate::compute(Operation::Exponential, [product, none, none]).error;
    Estimate::carrying(value, error)
}
