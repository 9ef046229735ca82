//! The solver: a problem on the GPU, and the cycles that solve it (goodnight2003 §4).

use std::cell::OnceCell;

use serde::Serialize;

use crate::solver::multigrid::{Start, cycle, iterate};
use crate::solver::{Criteria, Ending, Reason};
use crate::stream::{Machine, Rect, Rects, Stream};

use super::convergence::{Check, Meter, Rows};
use super::levels::Levels;
use super::maps::{Maps, equations_of};
use crate::goodnight2003::{Boundaries, Equations, Error, Level, Problem, Settings};

/// Outcome of a solve.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Solved {
    /// Reason for the end, by the true residual.
    pub reason: Ending,
    /// Number of cycles, including those of all corrections.
    pub cycles: usize,
    /// Number of corrections in double precision.
    pub corrections: usize,
    /// GPU measurements before the first cycle and at each test: the norm, or, with an
    /// occlusion query, the number of nodes whose residual exceeds the tolerance.
    pub history: Vec<f64>,
    /// Norm of the true residual, computed on the CPU in double precision.
    #[serde(rename = "residual_true")]
    pub residual: f64,
    /// Required norm.
    pub tolerance: f64,
    /// Largest norm of the residual that rounding alone can leave.
    pub rounding: f64,
    /// Residuals by row, if they were judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<Rows>,
}

impl Solved {
    /// Tests whether the equations are solved: within the tolerance, or as accurately as the surface's
    /// precision can represent the solution.
    pub fn is_solved(&self) -> bool {
        match *self.reason {
            Reason::Converged => true,
            Reason::Stagnated => self.residual <= self.rounding,
            _ => false,
        }
    }
}

/// A problem on the GPU.
///
/// A solution that is determined only up to a constant is read back with mean zero over the nodes,
/// without replicas.
pub struct Solver {
    pub(super) equations: Equations,
    levels: Levels,
    meter: Meter,
    /// The finest level, ready to be drawn.
    rects: Rects,
    pub(super) settings: Settings,
    /// F as last given, without the conditions' contributions.
    source: Vec<f32>,
    /// True if F is no longer the problem's.
    pub(super) is_source_replaced: bool,
    /// The finest level in double precision, with the coefficients that the fragment programs use.
    finest: OnceCell<Level>,
}

impl Solver {
    /// Uploads the problem and computes its maps. The source is the problem's; the solution is
    /// zero.
    pub fn new(machine: &Machine, problem: &Problem, settings: &Settings) -> Result<Self, Error> {
        settings.check()?;
        let equations = equations_of(machine, problem)?;
        let source = equations.right_side();
        let levels = Levels::new(machine, &equations, settings)?;
        let mut solver = Self {
            meter: Meter::new(machine, settings, &problem.grid, &levels)?,
            rects: machine.rect(levels.storage.source(0).rect)?,
            levels,
            settings: settings.clone(),
            source: Vec::new(),
            is_source_replaced: false,
            finest: OnceCell::new(),
            equations,
        };
        solver.set_source(&source.iter().map(|f| *f as f32).collect::<Vec<_>>())?;
        solver.is_source_replaced = false;
        Ok(solver)
    }

    /// The problem with the current boundary conditions.
    pub fn problem(&self) -> &Problem {
        &self.equations.problem
    }

    /// The levels, for calling single kernels.
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// The levels, to run a cycle of your own on.
    pub fn levels_mut(&mut self) -> &mut Levels {
        &mut self.levels
    }

    /// The maps.
    pub fn maps(&self) -> &Maps {
        &self.levels.maps
    }

    /// Uploads U, one value per node, rows from the south up.
    pub fn set_solution(&mut self, u: &[f32]) -> Result<(), Error> {
        self.check_values("the solution", u)?;
        self.set_channel(0, u)
    }

    /// Uploads F = V f, one value per node, rows from the south up. If no value is prescribed, the
    /// imbalance of sources and boundary flow is spread over the volumes and
    /// subtracted.
    pub fn set_source(&mut self, f: &[f32]) -> Result<(), Error> {
        self.check_values("the source", f)?;
        self.is_source_replaced = true;
        let f = self.balanced(f)?;
        self.put_source(f)
    }

    /// Replaces the conditions on the same sides. The coefficients do not change.
    pub fn set_boundary(&mut self, boundaries: Boundaries) -> Result<(), Error> {
        let problem = &mut self.equations.problem;
        boundaries.check(&problem.grid)?;
        problem.boundaries = boundaries.replicated(&problem.grid);
        self.levels.maps.write_conditions(&self.equations)?;
        self.finest = OnceCell::new();
        let f = self.balanced(&self.source)?;
        self.put_source(f)
    }

    /// U, one value per node, rows from the south up; with mean zero if it is determined only up to a
    /// constant.
    pub fn solution(&self) -> Result<Vec<f32>, Error> {
        let mut u = self.channel(0)?;
        if self.problem().is_singular() {
            let mean = self.problem().grid.mean(|node| f64::from(u[node]));
            let centred = |u: &mut f32| *u = (f64::from(*u) - mean) as f32;
            u.iter_mut().for_each(centred);
        }
        Ok(u)
    }

    /// F as stored on the GPU, one value per node, with the conditions' contributions: F − s γ / β, and −γ / α
    /// for prescribed values.
    pub fn source(&self) -> Result<Vec<f32>, Error> {
        self.channel(2)
    }

    /// The true residual of the solution, computed on the CPU in double precision, and its norm.
    pub fn residual(&self) -> Result<Check, Error> {
        let (u, f) = (double(&self.channel(0)?), double(&self.channel(2)?));
        let (norm, roundoff) = (self.settings.norm, self.roundoff());
        Ok(Check::new(self.finest()?, &u, &f, norm, roundoff))
    }

    /// Position of the finest level's current state: a surface and a rectangle of it, whose corner is the
    /// origin.
    pub fn state(&self) -> (&Stream, Rect) {
        let storage = &self.levels.storage;
        let place = storage.source(0);
        (storage.surface(place), place.rect)
    }

    /// Lets another kernel write the finest level's next state: `draw` receives the surface with the
    /// current state, the target surface, and the rectangle to be drawn (the same in both, with
    /// its corner at the origin). It must write every texel of the rectangle: U, anything, F as in
    /// [`Solver::source`], 0.
    pub fn update<E>(
        &mut self,
        draw: impl FnOnce(&Stream, &Stream, &Rects) -> Result<(), E>,
    ) -> Result<(), E> {
        let storage = &self.levels.storage;
        let target = storage.surface(storage.target(0));
        draw(self.state().0, target, &self.rects)?;
        self.is_source_replaced = true;
        storage.toggle(0);
        Ok(())
    }

    /// Runs sweeps of the smoother on a level.
    pub fn smooth(&mut self, level: usize, sweeps: usize) -> Result<(), Error> {
        Ok(self.levels.sweep(level, sweeps)?)
    }

    /// Runs one cycle.
    pub fn cycle(&mut self) -> Result<(), Error> {
        Ok(cycle(&mut self.levels, self.settings.cycle, Start::Given)?)
    }

    /// Measures the finest level's residuals according to the settings: their norm, or, with
    /// an occlusion query, the number that exceed the tolerance.
    pub fn measure(&mut self, tolerance: f64) -> Result<f64, Error> {
        Ok(self.meter.measure(&self.levels, tolerance)?)
    }

    /// Cycles until the residual is within max(rtol ‖b‖, atol), where b is the residual of U = 0 with
    /// prescribed values; if b = 0, the first residual takes its place. Begins with one
    /// sweep, which sets the prescribed values. When the GPU's test is passed,
    /// the true residual is checked, and the cycles continue if it is too large.
    ///
    /// `observer` receives the number of cycles done and the GPU's measurement: the norm of the
    /// residual, or, with an occlusion query, the number of nodes that exceed the tolerance.
    pub fn solve(
        &mut self,
        criteria: &Criteria,
        mut observer: impl FnMut(usize, f64),
    ) -> Result<Solved, Error> {
        self.smooth(0, 1)?;
        let tolerance = self.tolerance(criteria)?;
        let first = self.checked(tolerance)?;
        observer(0, first);
        let every = self.settings.every.max(1);
        let limit = self.meter.limit(tolerance);
        let tests =
            Criteria { max_iterations: criteria.max_iterations.div_ceil(every), ..*criteria };
        // Number of cycles after this many tests; the last test may come sooner.
        let after = |tests: usize| tests.saturating_mul(every).min(criteria.max_iterations);
        let outcome = iterate(&tests, limit, first, |test| -> Result<_, Error> {
            // §4.1.3: n cycles, then a test of convergence
            for _ in after(test - 1)..after(test) {
                self.cycle()?;
            }
            let found = self.checked(tolerance)?;
            observer(after(test), found);
            Ok(found)
        })?;
        let last = self.residual()?;
        Ok(Solved {
            corrections: 0,
            reason: last.ending(outcome.reason, tolerance),
            cycles: after(outcome.iterations),
            residual: last.norm,
            tolerance,
            rounding: last.rounding,
            history: outcome.history,
            rows: None,
        })
    }

    /// The required norm of the residual.
    fn tolerance(&self, criteria: &Criteria) -> Result<f64, Error> {
        let (f, equations) = (double(&self.channel(2)?), self.finest()?);
        // Prescribed values as rounded in a texel.
        let start = equations.start().into_iter().map(|u| f64::from(u as f32));
        let start: Vec<f64> = start.collect();
        let residual = equations.residual(&f, &start);
        let right_side = (self.settings.norm).of(equations.originals().map(|node| residual[node]));
        Ok(criteria.tolerance(if right_side == 0.0 { self.residual()?.norm } else { right_side }))
    }

    /// [`Solver::measure`], except that a solution that passes the GPU's test but not the true one is given
    /// a result above the limit.
    fn checked(&mut self, tolerance: f64) -> Result<f64, Error> {
        let found = self.measure(tolerance)?;
        if found > self.meter.limit(tolerance) || !tolerance.is_finite() {
            return Ok(found);
        }
        let norm = self.residual()?.norm;
        Ok(match self.meter {
            _ if norm <= tolerance => found,
            Meter::Occlusion(_) => 1.0,
            _ => norm,
        })
    }

    /// The unit roundoff of the surfaces.
    fn roundoff(&self) -> f64 {
        match self.settings.precision.channel_bytes() {
            2 => 2f64.powi(-11),
            _ => 2f64.powi(-24),
        }
    }

    /// The finest level in double precision, with the GPU's coefficients.
    pub(super) fn finest(&self) -> Result<&Level, Error> {
        if let Some(known) = self.finest.get() {
            return Ok(known);
        }
        let finest = self.levels.maps.level(&self.problem().grid, 0)?;
        Ok(self.finest.get_or_init(|| finest))
    }

    /// A channel of the finest level's texels.
    fn channel(&self, channel: usize) -> Result<Vec<f32>, Error> {
        let texels = self.levels.read(0)?;
        Ok(texels.iter().skip(channel).step_by(4).copied().collect())
    }

    /// Uploads F, and folds the conditions into it.
    pub(super) fn put_source(&mut self, f: Vec<f32>) -> Result<(), Error> {
        self.set_channel(2, &f)?;
        self.source = f;
        Ok(self.levels.fold_source()?)
    }

    fn set_channel(&self, channel: usize, values: &[f32]) -> Result<(), Error> {
        let mut texels = self.levels.read(0)?;
        for (texel, value) in texels.chunks_exact_mut(4).zip(values) {
            texel[channel] = *value;
        }
        Ok(self.levels.write(0, &texels)?)
    }

    fn check_values(&self, what: &str, values: &[f32]) -> Result<(), Error> {
        let values = values.iter().map(|&value| f64::from(value));
        Error::check(what, values, self.problem().grid.nodes(0))
    }

    /// F modified so that a solution exists.
    fn balanced(&self, f: &[f32]) -> Result<Vec<f32>, Error> {
        let balanced = self.equations.balanced(double(f))?;
        Ok(balanced.into_iter().map(|f| f as f32).collect())
    }
}

fn double(values: &[f32]) -> Vec<f64> {
    values.iter().map(|value| f64::from(*value)).collect()
}
