//! Complex numbers, as much of them as conformal maps need.

use std::ops::{Add, Div, Mul, Sub};

/// x + iy
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Complex {
    pub x: f64,
    pub y: f64,
}

impl Complex {
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub const fn real(x: f64) -> Self {
        Self { x, y: 0.0 }
    }

    /// r e^{iθ}
    pub fn polar(r: f64, angle: f64) -> Self {
        Self::new(r * angle.cos(), r * angle.sin())
    }

    pub fn magnitude(self) -> f64 {
        self.x.hypot(self.y)
    }

    pub fn angle(self) -> f64 {
        self.y.atan2(self.x)
    }

    /// The root in the right half plane.
    pub fn root(self) -> Self {
        Self::polar(self.magnitude().sqrt(), 0.5 * self.angle())
    }
}

impl Add for Complex {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Complex {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(
            self.x * other.x - self.y * other.y,
            self.x * other.y + self.y * other.x,
        )
    }
}

impl Div for Complex {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let square = other.x * other.x + other.y * other.y;
        Self::new(
            (self.x * other.x + self.y * other.y) / square,
            (self.y * other.x - self.x * other.y) / square,
        )
    }
}
