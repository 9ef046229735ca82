//! Plates with a steady temperature known in closed form or as a series.

use std::f64::consts::PI;

use crate::goodnight2003::{
    Axis, Boundaries, Condition, Grid, Metric, Norm, Problem, ProblemError, Side,
};

/// Width of these plates; their height is 1.
const WIDTH: f64 = 1.5;

/// Wave number of [`Known::Cooled`]: its cosine has no zero on the plate.
const WAVE: f64 = 0.9;

/// A plate 1.5 wide and 1 high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Known {
    /// Prescribed temperature on all sides, a sine in the north: T = sin(πx/a) sinh(πy/a)/sinh(π/a).
    SineSide,
    /// 1 in the north, 0 on the other sides: a series of sines. At the two corners the
    /// temperature jumps, so only points below three quarters of the height count.
    HotSide,
    /// Insulated in the west and south, cooled by convection in the east, prescribed in the north:
    /// T = cos(λx) cosh(λy)/cosh λ.
    Cooled,
    /// Periodic from west to east, 0 in the south, heated through the north side:
    /// T = cos(2πx/a) sinh(2πy/a)/sinh(2π/a).
    Ring,
    /// Heated inside, 0 on all sides: T = sin(πx/a) sin(πy).
    Heated,
    /// Heated and cooled inside, all sides insulated: T = cos(πx/a) cos(2πy), up to a constant.
    Insulated,
}

impl Known {
    /// All plates.
    pub const ALL: [Self; 6] = [
        Self::SineSide,
        Self::HotSide,
        Self::Cooled,
        Self::Ring,
        Self::Heated,
        Self::Insulated,
    ];

    /// Short description.
    pub fn name(self) -> &'static str {
        match self {
            Self::SineSide => "sine along a side",
            Self::HotSide => "one hot side",
            Self::Cooled => "cooled by convection",
            Self::Ring => "periodic",
            Self::Heated => "heated inside",
            Self::Insulated => "insulated",
        }
    }

    /// T at a point.
    pub fn temperature(self, x: f64, y: f64) -> f64 {
        match self {
            Self::SineSide => (PI * x / WIDTH).sin() * ratio(PI / WIDTH, y),
            Self::HotSide => hot_side(x, y),
            Self::Cooled => (WAVE * x).cos() * (WAVE * y).cosh() / WAVE.cosh(),
            Self::Ring => (2.0 * PI * x / WIDTH).cos() * ratio(2.0 * PI / WIDTH, y),
            Self::Heated => (PI * x / WIDTH).sin() * (PI * y).sin(),
            Self::Insulated => (PI * x / WIDTH).cos() * (2.0 * PI * y).cos(),
        }
    }

    /// f = ∇²T at a point.
    fn source(self, x: f64, y: f64) -> f64 {
        let square = |numbers: [f64; 2]| numbers.iter().map(|n| n * n).sum::<f64>();
        match self {
            Self::Heated => -square([PI / WIDTH, PI]) * self.temperature(x, y),
            Self::Insulated => -square([PI / WIDTH, 2.0 * PI]) * self.temperature(x, y),
            _ => 0.0,
        }
    }

    /// Condition at a point of a side.
    fn condition(self, side: Side, x: f64, y: f64) -> Condition {
        let insulated = Condition::slope(0.0);
        match (self, side) {
            (Self::HotSide, Side::North) => Condition::value(1.0),
            (Self::HotSide, _) => Condition::value(0.0),
            (Self::Cooled, Side::West | Side::South) | (Self::Insulated, _) => insulated,
            (Self::Cooled, Side::East) => Condition {
                alpha: WAVE * (WAVE * WIDTH).tan(),
                beta: 1.0,
                gamma: 0.0,
            },
            (Self::Ring, Side::North) => {
                let wave = 2.0 * PI / WIDTH;
                Condition::slope(wave / wave.tanh() * (wave * x).cos())
            }
            _ => Condition::value(self.temperature(x, y)),
        }
    }

    /// Tests whether a point counts, that is, whether it is far from jumps.
    pub fn counts(self, y: f64) -> bool {
        self != Self::HotSide || y <= 0.75
    }

    /// The problem with `cells` cells over the height, an even number; cells are square.
    pub fn problem(self, cells: u32) -> Result<Problem, ProblemError> {
        let spacing = 1.0 / f64::from(cells.max(1));
        let columns = cells * 3 / 2 + 1;
        let x = match self {
            Self::Ring => Axis::periodic(columns, 0.0, spacing)?,
            _ => Axis::new(columns, 0.0, spacing)?,
        };
        let y = Axis::new(cells + 1, 0.0, spacing)?;
        let grid = Grid { x, y };
        let boundaries = Boundaries::each(&grid, |side, [x, y]| self.condition(side, x, y));
        let points = grid.places(0).map(|place| grid.point(place));
        let source = points.map(|[x, y]| self.source(x, y));
        Problem::new(grid, Metric::cartesian(), boundaries, source.collect())
    }

    /// The largest error of a solution of [`problem`](Self::problem), one value per node. The largest
    /// temperature is 1, so it is a relative error too. If a constant is free, the difference of the means is
    /// subtracted.
    pub fn error(self, grid: &Grid, solution: &[f64]) -> f64 {
        let errors: Vec<f64> = (grid.places(0).map(|place| grid.point(place)))
            .zip(solution)
            .filter(|([_, y], _)| self.counts(*y))
            .map(|([x, y], u)| u - self.temperature(x, y))
            .collect();
        let mean = match self {
            Self::Insulated => errors.iter().sum::<f64>() / errors.len() as f64,
            _ => 0.0,
        };
        Norm::Maximum.of(errors.iter().map(|error| error - mean))
    }
}

/// sinh(wy)/sinh(w) without overflow.
fn ratio(w: f64, y: f64) -> f64 {
    (w * (y - 1.0)).exp() * (-2.0 * w * y).exp_m1() / (-2.0 * w).exp_m1()
}

/// Σ 4/(nπ) sin(nπx/a) sinh(nπy/a)/sinh(nπ/a) over odd n, until a term is below the rounding error.
fn hot_side(x: f64, y: f64) -> f64 {
    if y >= 1.0 {
        return 1.0;
    }
    let mut sum = 0.0;
    let mut n = 1.0;
    loop {
        let size = 4.0 / (n * PI) * ratio(n * PI / WIDTH, y);
        if size < 1e-17 {
            return sum;
        }
        sum += size * (n * PI * x / WIDTH).sin();
        n += 2.0;
    }
}
