//! Problems whose solution is known: φ = sin(a X + p) sin(b Y + q) in the plane of (X, Y), whatever
//! the coordinates (ξ, η) of the grid.
//!
//! The source is f = ∇·(k ∇φ) = k Δφ + ∇k·∇φ, taken in the plane, where neither the scale factors
//! nor the discretisation come in; each side's γ is α φ + β ∂φ/∂n.

use crate::goodnight2003::{
    Axis, Boundaries, Condition, Grid, Metric, Norm, Problem, ProblemError, Side,
};

/// What a side prescribes.
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
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Dirichlet, Self::Neumann, Self::Mixed];

    /// α and β.
    pub fn factors(self) -> [f64; 2] {
        match self {
            Self::Dirichlet => [1.0, 0.0],
            Self::Neumann => [0.0, 1.0],
            Self::Mixed => [2.0, 0.5],
        }
    }

    /// One letter for tables.
    pub fn letter(self) -> char {
        match self {
            Self::Dirichlet => 'D',
            Self::Neumann => 'N',
            Self::Mixed => 'M',
        }
    }
}

/// The coordinates of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coordinates {
    /// X = ξ, Y = η, on the unit square.
    Cartesian,
    /// The same with k = 1 + sin(2πX) sin(2πY)/2.
    Conductive,
    /// X + iY = ξ e^{iη}, 1 ≤ ξ ≤ 2: radius and angle, the whole turn or a part of it.
    Polar,
    /// X + iY = ζ + 0.49/ζ with ζ = e^{ξ + iη}, 0 ≤ ξ ≤ 1: round an ellipse, the whole turn or a
    /// part of it.
    Joukowski,
    /// X + iY = (ξ + iη)²/2 on 1 ≤ ξ ≤ 2, 1/2 ≤ η ≤ 3/2.
    Square,
}

/// c² of the Joukowski map; the foci lie at ±2c.
const FOCUS: f64 = 0.49;

impl Coordinates {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Cartesian,
        Self::Conductive,
        Self::Polar,
        Self::Joukowski,
        Self::Square,
    ];

    /// The first and last value of ξ and η; a whole turn where η is to be periodic.
    fn ranges(self, periodic_y: bool) -> [[f64; 2]; 2] {
        let turn = if periodic_y {
            std::f64::consts::TAU
        } else {
            1.25
        };
        match self {
            Self::Cartesian | Self::Conductive => [[0.0, 1.0], [0.0, 1.0]],
            Self::Polar => [[1.0, 2.0], [0.0, turn]],
            Self::Joukowski => [[0.0, 1.0], [0.0, turn]],
            Self::Square => [[1.0, 2.0], [0.5, 1.5]],
        }
    }

    /// X and Y.
    fn point(self, xi: f64, eta: f64) -> [f64; 2] {
        match self {
            Self::Cartesian | Self::Conductive => [xi, eta],
            Self::Polar => [xi * eta.cos(), xi * eta.sin()],
            Self::Joukowski => {
                let (out, back) = (xi.exp(), FOCUS * (-xi).exp());
                [(out + back) * eta.cos(), (out - back) * eta.sin()]
            }
            Self::Square => [0.5 * (xi * xi - eta * eta), xi * eta],
        }
    }

    /// ∂(X, Y)/∂ξ and ∂(X, Y)/∂η.
    fn tangents(self, xi: f64, eta: f64) -> [[f64; 2]; 2] {
        match self {
            Self::Cartesian | Self::Conductive => [[1.0, 0.0], [0.0, 1.0]],
            Self::Polar => [[eta.cos(), eta.sin()], [-xi * eta.sin(), xi * eta.cos()]],
            Self::Joukowski => {
                let (out, back) = (xi.exp(), FOCUS * (-xi).exp());
                let along = [(out - back) * eta.cos(), (out + back) * eta.sin()];
                [along, [-along[1], along[0]]]
            }
            Self::Square => [[xi, eta], [-eta, xi]],
        }
    }

    /// k and ∇k at (X, Y).
    fn conductivity(self, [x, y]: [f64; 2]) -> (f64, [f64; 2]) {
        let turn = std::f64::consts::TAU;
        match self {
            Self::Conductive => {
                let (sx, cx) = (turn * x).sin_cos();
                let (sy, cy) = (turn * y).sin_cos();
                let slope = 0.5 * turn;
                (1.0 + 0.5 * sx * sy, [slope * cx * sy, slope * sx * cy])
            }
            _ => (1.0, [0.0; 2]),
        }
    }

    /// The scale factors, in both languages.
    pub fn metric(self) -> Metric {
        match self {
            Self::Cartesian => Metric::cartesian(),
            Self::Polar => Metric::polar(),
            Self::Conductive => Metric::new("a conductivity", CONDUCTIVE, move |xi, eta| {
                [1.0, 1.0, self.conductivity([xi, eta]).0]
            }),
            Self::Joukowski => Metric::new("an ellipse", ELLIPSE, |xi, eta| {
                let (out, back) = (xi.exp(), FOCUS * (-xi).exp());
                let h = ((out - back) * eta.cos()).hypot((out + back) * eta.sin());
                [h, h, 1.0]
            }),
            Self::Square => Metric::new("a square root", SQUARE, |xi, eta| {
                [xi.hypot(eta), xi.hypot(eta), 1.0]
            }),
        }
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

/// A problem to be made on grids of any fineness.
#[derive(Debug, Clone, Copy)]
pub struct Manufactured {
    /// The coordinates.
    pub coordinates: Coordinates,
    /// What west, east, south and north prescribe; both sides of an axis `None` where it is
    /// periodic.
    pub kinds: [Option<Kind>; 4],
}

impl Manufactured {
    /// In short: `Cartesian DNMM`, with `P` for periodic sides.
    pub fn name(&self) -> String {
        let letters = self.kinds.map(|kind| kind.map_or('P', Kind::letter));
        format!(
            "{:?} {}",
            self.coordinates,
            letters.iter().collect::<String>()
        )
    }

    /// Whether ξ and η are periodic.
    fn periodic(&self) -> [bool; 2] {
        [self.kinds[0].is_none(), self.kinds[2].is_none()]
    }

    /// The problem on a grid of so many columns and rows, and φ at its nodes.
    ///
    /// Where nothing holds the solution, the source is shifted by the constant, of second order in
    /// the spacing, that makes sources and boundary flow cancel on this grid; and φ has the mean
    /// zero over the nodes.
    pub fn problem(&self, columns: u32, rows: u32) -> Result<(Problem, Vec<f64>), ProblemError> {
        let [periodic_x, periodic_y] = self.periodic();
        let [xs, ys] = self.coordinates.ranges(periodic_y);
        let grid = Grid {
            x: axis(columns, xs, periodic_x)?,
            y: axis(rows, ys, periodic_y)?,
        };
        let place = |(column, row)| (grid.x.position(0, column), grid.y.position(0, row));
        let places = || grid.places(0).map(place);
        let source = places().map(|place| self.source(place)).collect();
        let boundaries = Boundaries::each(&grid, |side, node| {
            // Sides without a kind are periodic.
            let kind = self.kinds[side as usize].unwrap_or(Kind::Dirichlet);
            self.condition(side, kind, place(node))
        });
        let mut solution: Vec<f64> = places().map(|place| self.field(place)).collect();
        let mut problem = Problem::new(grid, self.coordinates.metric(), boundaries, source)?;
        if problem.is_singular() {
            let scales = problem.scales()?;
            if let Err(ProblemError::Incompatible(sum)) = problem.balance(&scales) {
                let whole = problem.whole_volume(&scales);
                problem.source.iter_mut().for_each(|f| *f -= sum / whole);
            }
            let mean = grid.mean(|node| solution[node]);
            solution.iter_mut().for_each(|u| *u -= mean);
        }
        Ok((problem, solution))
    }

    /// a, p and b, q: whole turns where a Cartesian axis is periodic.
    fn waves(&self) -> [[f64; 2]; 2] {
        let cartesian = matches!(
            self.coordinates,
            Coordinates::Cartesian | Coordinates::Conductive
        );
        let [x, y] = self.periodic().map(|periodic| periodic && cartesian);
        let turn = std::f64::consts::TAU;
        [
            if x { [turn, 0.3] } else { [1.7, 0.4] },
            if y { [turn, 0.8] } else { [2.1, 0.6] },
        ]
    }

    fn field(&self, (xi, eta): (f64, f64)) -> f64 {
        let [x, y] = self.coordinates.point(xi, eta);
        let [[a, p], [b, q]] = self.waves();
        (a * x + p).sin() * (b * y + q).sin()
    }

    /// ∇φ in the plane.
    fn gradient(&self, (xi, eta): (f64, f64)) -> [f64; 2] {
        let [x, y] = self.coordinates.point(xi, eta);
        let [[a, p], [b, q]] = self.waves();
        [
            a * (a * x + p).cos() * (b * y + q).sin(),
            b * (a * x + p).sin() * (b * y + q).cos(),
        ]
    }

    fn source(&self, (xi, eta): (f64, f64)) -> f64 {
        let (k, slope) = self
            .coordinates
            .conductivity(self.coordinates.point(xi, eta));
        let [[a, _], [b, _]] = self.waves();
        let gradient = self.gradient((xi, eta));
        -k * (a * a + b * b) * self.field((xi, eta)) + dot(slope, gradient)
    }

    fn condition(&self, side: Side, kind: Kind, (xi, eta): (f64, f64)) -> Condition {
        let [along_xi, along_eta] = self.coordinates.tangents(xi, eta);
        let (tangent, outwards) = match side {
            Side::West => (along_xi, -1.0),
            Side::East => (along_xi, 1.0),
            Side::South => (along_eta, -1.0),
            Side::North => (along_eta, 1.0),
        };
        let length = dot(tangent, tangent).sqrt();
        let slope = outwards * dot(tangent, self.gradient((xi, eta))) / length;
        let [alpha, beta] = kind.factors();
        Condition {
            alpha,
            beta,
            gamma: alpha * self.field((xi, eta)) + beta * slope,
        }
    }
}

fn axis(nodes: u32, [first, last]: [f64; 2], periodic: bool) -> Result<Axis, ProblemError> {
    let spacing = (last - first) / f64::from(nodes.max(2) - 1);
    match periodic {
        true => Axis::periodic(nodes, first, spacing),
        false => Axis::new(nodes, first, spacing),
    }
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The largest error, and its root mean square, over the nodes that are no replicas.
pub fn errors(problem: &Problem, got: &[f64], expected: &[f64]) -> [f64; 2] {
    let (grid, error) = (&problem.grid, |node: usize| got[node] - expected[node]);
    [
        Norm::Maximum.of(grid.originals(0).map(error)),
        grid.mean(|node| error(node).powi(2)).sqrt(),
    ]
}
