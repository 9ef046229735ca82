//! Curves of boundaries.

/// A curve in the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Curve {
    /// A straight line, which contains its midpoints.
    Line,
    /// A circle.
    Circle {
        /// Its centre.
        centre: [f64; 2],
        /// Its radius.
        radius: f64,
    },
}

impl Curve {
    /// The point of the curve nearest to one between two of its points.
    pub fn nearest(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        match *self {
            Self::Line => [x, y],
            Self::Circle { centre, radius } => {
                let (dx, dy) = (x - centre[0], y - centre[1]);
                let scale = radius / dx.hypot(dy);
                [centre[0] + scale * dx, centre[1] + scale * dy]
            }
        }
    }
}
