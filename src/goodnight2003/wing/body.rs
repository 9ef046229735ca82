//! The bodies and the coordinates around them (goodnight2003 §5.3): a rectangle, wrapped into a disc,
//! warped by the Joukowski map.
//!
//! ξ is the logarithm of the radius in the plane of the circle, from 0 on the body, and η the angle
//! around it. With both, the map is conformal: h₁ = h₂, so the Laplacian is that of a plain grid
//! over h², cells are nearly square, and a radius of a hundred diameters costs only
//! 5.3 units of ξ.
//!
//! **The Joukowski map** z = s (w + 1/w) takes the circle |w − m| = a to an airfoil. Where the
//! circle passes through w = 1, dz/dw vanishes: the trailing edge is a cusp and the metric is
//! singular there. Here the circle passes it at a distance, `edge`. This rounds the trailing edge,
//! to a radius of about one per cent of the chord for the default of 0.15, and h = 0.07
//! chords there. The length of an explicit step of diffusion is proportional to the square of the smallest cell,
//! so it depends on this distance.

use std::f64::consts::TAU;

use crate::goodnight2003::Metric;

/// A body in the flow, of diameter or chord one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Body {
    /// A circular cylinder around the origin.
    Cylinder,
    /// An airfoil.
    Airfoil(Joukowski),
}

/// A Joukowski airfoil of chord one, its trailing edge to the right, relative to its pivot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joukowski {
    /// The middle of the circle.
    middle: [f64; 2],
    /// The radius of the circle.
    radius: f64,
    /// The length of a unit of the circle's plane, in chords.
    scale: f64,
    /// Image of the pivot under the map, before it is moved to the origin.
    pivot: f64,
    /// The direction from the middle of the circle to the trailing edge, −β.
    edge_angle: f64,
}

impl Joukowski {
    /// An airfoil whose circle has its middle at −`thickness` + i `camber` and passes the critical
    /// point w = 1 at the distance `edge`, and whose pivot is at the share `pivot` of the
    /// chord from the leading edge. An airfoil is about 1.1 `thickness` + 0.9 `edge` chords thick.
    pub fn new(thickness: f64, camber: f64, edge: f64, pivot: f64) -> Self {
        let to_edge = [1.0 + thickness, -camber];
        let unscaled = Self {
            middle: [-thickness, camber],
            radius: to_edge[0].hypot(to_edge[1]) + edge,
            scale: 1.0,
            pivot: 0.0,
            edge_angle: to_edge[1].atan2(to_edge[0]),
        };
        let along = |k: u32| unscaled.place(0.0, f64::from(k) * TAU / 4096.0)[0];
        let low = (0..4096).map(along).fold(f64::MAX, f64::min);
        let high = (0..4096).map(along).fold(f64::MIN, f64::max);
        let scale = 1.0 / (high - low);
        Self { scale, pivot: scale * low + pivot, ..unscaled }
    }

    /// The radius of the circle in chords.
    pub fn radius(&self) -> f64 {
        self.scale * self.radius
    }

    /// w at (ξ, η); η = 0 is the trailing edge.
    fn circle(&self, xi: f64, eta: f64) -> [f64; 2] {
        // §5.3, wrapped into a disc: w = m + a e^(ξ + i (η − β))
        let [x, y] = polar(self.radius * xi.exp(), eta + self.edge_angle);
        [self.middle[0] + x, self.middle[1] + y]
    }

    fn place(&self, xi: f64, eta: f64) -> [f64; 2] {
        let [x, y] = self.circle(xi, eta);
        let squared = x * x + y * y;
        // §5.3, warped by the Joukowski map: z = s (w + 1/w)
        [self.scale * (x + x / squared) - self.pivot, self.scale * (y - y / squared)]
    }

    /// |dz/dw| a e^ξ
    fn stretch(&self, xi: f64, eta: f64) -> f64 {
        let [x, y] = self.circle(xi, eta);
        // |1 − 1/w²| = |w − 1| |w + 1| / |w|²
        let slope = (x - 1.0).hypot(y) * (x + 1.0).hypot(y) / (x * x + y * y);
        self.scale * self.radius * xi.exp() * slope
    }
}

fn polar(radius: f64, angle: f64) -> [f64; 2] {
    [radius * angle.cos(), radius * angle.sin()]
}

impl Default for Joukowski {
    /// A symmetric airfoil, 18 % thick, that pitches around its quarter-chord point.
    fn default() -> Self {
        Self::new(0.05, 0.0, 0.15, 0.25)
    }
}

impl Body {
    /// The radius of the circle from which the map starts, in diameters or chords.
    pub fn circle_radius(&self) -> f64 {
        match self {
            Body::Cylinder => 0.5,
            Body::Airfoil(airfoil) => airfoil.radius(),
        }
    }

    /// x and y at (ξ, η), in the frame of the body.
    pub fn place(&self, xi: f64, eta: f64) -> [f64; 2] {
        match self {
            Body::Cylinder => polar(0.5 * xi.exp(), eta),
            Body::Airfoil(airfoil) => airfoil.place(xi, eta),
        }
    }

    /// h₁ = h₂ at (ξ, η).
    pub fn stretch(&self, xi: f64, eta: f64) -> f64 {
        match self {
            Body::Cylinder => 0.5 * xi.exp(),
            Body::Airfoil(airfoil) => airfoil.stretch(xi, eta),
        }
    }

    /// The coordinates as text of a fragment program, with the scale factors on the CPU.
    pub fn metric(&self) -> Metric {
        let body = *self;
        let host = move |xi, eta| {
            let h = body.stretch(xi, eta);
            [h, h, 1.0]
        };
        match self {
            Body::Cylinder => Metric::new(
                "goodnight2003/problem/metric_log_polar",
                include_str!("../../../glsl/goodnight2003/problem/metric_log_polar.glsl"),
                host,
            ),
            Body::Airfoil(airfoil) => {
                let numbers = [
                    ("MIDDLE_X", airfoil.middle[0]),
                    ("MIDDLE_Y", airfoil.middle[1]),
                    ("RADIUS", airfoil.radius),
                    ("EDGE_ANGLE", airfoil.edge_angle),
                    ("SCALE", airfoil.scale),
                    ("PIVOT", airfoil.pivot),
                ];
                let define = |(name, value)| format!("#define {name} ({value:?})\n");
                let defines = numbers.map(define).concat();
                let text =
                    include_str!("../../../glsl/goodnight2003/problem/metric_joukowski.glsl");
                let label = numbers.map(|(_, value)| format!("{value:?}")).join(" ");
                Metric::new(
                    format!("goodnight2003/problem/metric_joukowski {label}"),
                    format!("{defines}{text}"),
                    host,
                )
            }
        }
    }
}
