//! Arithmetic on points and vectors of space, in double precision.

/// A point or a vector.
pub type Vector = [f64; 3];

/// The single-precision point in double precision, which is exact.
pub fn widen(p: [f32; 3]) -> Vector {
    p.map(f64::from)
}

pub fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b.
pub fn subtract(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn scale(s: f64, a: Vector) -> Vector {
    a.map(|component| s * component)
}

/// a · b.
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// ‖a‖₂.
pub fn norm(a: Vector) -> f64 {
    dot(a, a).sqrt()
}
