//! Points and directions in space.

pub type Point = [f64; 3];

pub fn minus(a: Point, b: Point) -> Point {
    [0, 1, 2].map(|k| a[k] - b[k])
}

pub fn dot(a: Point, b: Point) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

pub fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn norm(a: Point) -> f64 {
    dot(a, a).sqrt()
}

pub fn unit(a: Point) -> Point {
    a.map(|v| v / norm(a))
}
