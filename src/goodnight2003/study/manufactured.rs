//! Problems with a known solution: φ = sin(a X + p) sin(b Y + q) in the plane of (X, Y), in any
//! coordinates (ξ, η) of the grid.
//!
//! The source is f = ∇·(k ∇φ) = k Δφ + ∇k·∇φ, computed in the plane, without scale factors or
//! discretisation; each side's γ is α φ + β ∂φ/∂n.

use std::f64::consts::TAU;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::goodnight2003::{Axis, Boundaries, Condition, Error, Grid, Metric, Norm, Problem, Side};

/// Condition of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// U = γ
    Dirichlet,
    /// ∂U/∂n = γ
    Neumann,
    /// 2 U + ∂U/∂n / 2 = γ
    Mixed,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Dirichlet, Self::Neumann, Self::Mixed];

    /// α and β.
    pub fn factors(self) -> [f64; 2] {
        match self {
            Self::Dirichlet => [1.0, 0.0],
            Self::Neumann => [0.0, 1.0],
            Self::Mixed => [2.0, 0.5],
        }
    }
}

/// Conditions in the west, east, south and north; both sides of a periodic axis are `None`. Their word is one name for
/// all sides, or four with commas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds(pub [Option<Kind>; 4]);

const NAMES: [(&str, Option<Kind>); 4] = [
    ("dirichlet", Some(Kind::Dirichlet)),
    ("neumann", Some(Kind::Neumann)),
    ("mixed", Some(Kind::Mixed)),
    ("periodic", None),
];

impl FromStr for Kinds {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let kind = |name| NAMES.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
        let four = match text.split(',').map(kind).collect::<Option<Vec<_>>>().as_deref() {
            Some(&[all]) => Some([all; 4]),
            Some(&[west, east, south, north]) => Some([west, east, south, north]),
            _ => None,
        };
        let is_paired = |[w, e, s, n]: &[Option<Kind>; 4]| {
            w.is_none() == e.is_none() && s.is_none() == n.is_none()
        };
        four.filter(is_paired).map(Self).ok_or(
            "give dirichlet, neumann, mixed or periodic for all sides, or for west,east,south,north; \
             a periodic side has a periodic one opposite",
        )
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name =
            |kind| NAMES.iter().find(|(_, known)| *known == kind).map_or("", |(name, _)| name);
        let names = self.0.map(name);
        let is_one = names.iter().all(|name| *name == names[0]);
        f.write_str(&if is_one { names[0].to_owned() } else { names.join(",") })
    }
}

/// The coordinates of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Coordinates {
    /// X = ξ, Y = η, on the unit square
    Cartesian,
    /// Cartesian with k = 1 + sin(2πX) sin(2πY)/2
    Conductive,
    /// X + iY = ξ e^{iη}, 1 ≤ ξ ≤ 2: radius and angle, the full circle or a part of it
    Polar,
    /// X + iY = ζ + 0.49/ζ with ζ = e^{ξ + iη}, 0 ≤ ξ ≤ 1: around an ellipse, the full circle or a
    /// part of it
    Joukowski,
    /// X + iY = (ξ + iη)²/2 on 1 ≤ ξ ≤ 2, 1/2 ≤ η ≤ 3/2
    Square,
}

/// c² of the Joukowski map; the foci are at ±2c.
const FOCUS: f64 = 0.49;

impl Coordinates {
    /// The first and last value of ξ and η; a full circle if η is periodic.
    fn ranges(self, periodic_y: bool) -> [[f64; 2]; 2] {
        let turn = if periodic_y { TAU } else { 1.25 };
        match self {
            Self::Cartesian | Self::Conductive => [[0.0, 1.0], [0.0, 1.0]],
            Self::Polar => [[1.0, 2.0], [0.0, turn]],
            Self::Joukowski => [[0.0, 1.0], [0.0, turn]],
            Self::Square => [[1.0, 2.0], [0.5, 1.5]],
        }
    }

    /// X and Y at (ξ, η), and their derivatives with respect to ξ and η.
    fn map(self, xi: f64, eta: f64) -> [[f64; 2]; 3] {
        // For an analytic function of ξ + iη the second derivative is i times the first.
        let analytic = |place, slope: [f64; 2]| [place, slope, [-slope[1], slope[0]]];
        let (sine, cosine) = eta.sin_cos();
        match self {
            Self::Cartesian | Self::Conductive => analytic([xi, eta], [1.0, 0.0]),
            Self::Polar => [[xi * cosine, xi * sine], [cosine, sine], [-xi * sine, xi * cosine]],
            Self::Joukowski => {
                let (out, back) = (xi.exp(), FOCUS * (-xi).exp());
                let [sum, difference] = [out + back, out - back];
                analytic([sum * cosine, difference * sine], [difference * cosine, sum * sine])
            }
            Self::Square => analytic([0.5 * (xi * xi - eta * eta), xi * eta], [xi, eta]),
        }
    }

    /// k and ∇k at (X, Y).
    fn conductivity(self, [x, y]: [f64; 2]) -> (f64, [f64; 2]) {
        match self {
            Self::Conductive => {
                let (sx, cx) = (TAU * x).sin_cos();
                let (sy, cy) = (TAU * y).sin_cos();
                (1.0 + 0.5 * sx * sy, [0.5 * TAU * cx * sy, 0.5 * TAU * sx * cy])
            }
            _ => (1.0, [0.0; 2]),
        }
    }

    /// The scale factors, in GLSL and in Rust.
    pub fn metric(self) -> Metric {
        let (name, text) = match self {
            Self::Cartesian => return Metric::cartesian(),
            Self::Polar => return Metric::polar(),
            Self::Conductive => ("a conductivity", CONDUCTIVE),
            Self::Joukowski => ("an ellipse", ELLIPSE),
            Self::Square => ("a square root", SQUARE),
        };
        Metric::new(name, text, move |xi, eta| {
            let [place, along_xi, along_eta] = self.map(xi, eta);
            [norm(along_xi), norm(along_eta), self.conductivity(place).0]
        })
    }
}

const CONDUCTIVE: &str = "vec3 metric(vec2 p) {
    vec2 s = sin(6.2831853 * p);
    return vec3(1.0, 1.0, 1.0 + 0.5 * s.x * s.y);
}
";

const ELLIPSE: &str = "vec3 metric(vec2 p) {
    float far = exp(p.x);
    float near = 0.49 / far;
    float h = length(vec2((far - near) * cos(p.y), (far + near) * sin(p.y)));
    return vec3(h, h, 1.0);
}
";

const SQUARE: &str = "vec3 metric(vec2 p) {
    return vec3(length(p), length(p), 1.0);
}
";

/// A problem on grids of any fineness.
#[derive(Debug, Clone, Copy)]
pub struct Manufactured {
    /// The coordinates.
    pub coordinates: Coordinates,
    /// Conditions in the west, east, south and north; both sides of a periodic axis
    /// are `None`.
    pub kinds: [Option<Kind>; 4],
}

impl Manufactured {
    /// Periodicity of ξ and η.
    fn periodic(&self) -> [bool; 2] {
        [self.kinds[0].is_none(), self.kinds[2].is_none()]
    }

    /// The problem on a grid with these columns and rows, and φ at its nodes.
    ///
    /// If no value is prescribed, the source is shifted by the constant, of second order in
    /// the spacing, that makes sources and boundary flow cancel on this grid; and φ has
    /// mean zero over the nodes.
    pub fn problem(&self, columns: u32, rows: u32) -> Result<(Problem, Vec<f64>), Error> {
        let [periodic_x, periodic_y] = self.periodic();
        let [xs, ys] = self.coordinates.ranges(periodic_y);
        let grid = Grid { x: axis(columns, xs, periodic_x)?, y: axis(rows, ys, periodic_y)? };
        let points = || grid.places(0).map(|place| grid.point(place));
        let places = || points().map(|[xi, eta]| self.coordinates.map(xi, eta)[0]);
        let source = places().map(|place| self.source(place)).collect();
        let boundaries = Boundaries::each(&grid, |side, point| {
            // Sides without a kind are periodic.
            let kind = self.kinds[side as usize].unwrap_or(Kind::Dirichlet);
            self.condition(side, kind, point)
        });
        let mut solution: Vec<f64> = places().map(|place| self.field(place).0).collect();
        let mut problem = Problem::new(grid, self.coordinates.metric(), boundaries, source)?;
        if problem.is_singular() {
            problem.make_compatible()?;
            let mean = grid.mean(|node| solution[node]);
            solution.iter_mut().for_each(|u| *u -= mean);
        }
        Ok((problem, solution))
    }

    /// a, p and b, q: full periods on a periodic Cartesian axis.
    fn waves(&self) -> [[f64; 2]; 2] {
        let cartesian =
            matches!(self.coordinates, Coordinates::Cartesian | Coordinates::Conductive);
        let [x, y] = self.periodic().map(|periodic| periodic && cartesian);
        [if x { [TAU, 0.3] } else { [1.7, 0.4] }, if y { [TAU, 0.8] } else { [2.1, 0.6] }]
    }

    /// φ and ∇φ at (X, Y).
    fn field(&self, [x, y]: [f64; 2]) -> (f64, [f64; 2]) {
        let [[a, p], [b, q]] = self.waves();
        let (sx, cx) = (a * x + p).sin_cos();
        let (sy, cy) = (b * y + q).sin_cos();
        (sx * sy, [a * cx * sy, b * sx * cy])
    }

    fn source(&self, place: [f64; 2]) -> f64 {
        let (k, slope) = self.coordinates.conductivity(place);
        let [[a, _], [b, _]] = self.waves();
        let (value, gradient) = self.field(place);
        -k * (a * a + b * b) * value + dot(slope, gradient)
    }

    fn condition(&self, side: Side, kind: Kind, [xi, eta]: [f64; 2]) -> Condition {
        let [place, along_xi, along_eta] = self.coordinates.map(xi, eta);
        let (tangent, outwards) = match side {
            Side::West => (along_xi, -1.0),
            Side::East => (along_xi, 1.0),
            Side::South => (along_eta, -1.0),
            Side::North => (along_eta, 1.0),
        };
        let (value, gradient) = self.field(place);
        let slope = outwards * dot(tangent, gradient) / norm(tangent);
        let [alpha, beta] = kind.factors();
        Condition { alpha, beta, gamma: alpha * value + beta * slope }
    }
}

fn axis(nodes: u32, [first, last]: [f64; 2], periodic: bool) -> Result<Axis, Error> {
    let spacing = (last - first) / f64::from(nodes.max(2) - 1);
    let axis = if periodic { Axis::periodic } else { Axis::new };
    axis(nodes, first, spacing)
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn norm([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

/// The largest error and its root mean square, over the nodes that are not replicas.
pub fn errors(problem: &Problem, got: &[f64], expected: &[f64]) -> [f64; 2] {
    let (grid, error) = (&problem.grid, |node: usize| got[node] - expected[node]);
    [Norm::Maximum.of(grid.originals(0).map(error)), grid.mean(|node| error(node).powi(2)).sqrt()]
}
