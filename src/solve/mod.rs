//! Linear systems A x = b by every method on every layout.
//!
//! A matrix comes as [`Csr`], from triplets or from a file
//! ([`read_matrix`](crate::io::matrix_market::read_matrix)). [`solve_csr`] lays it out in textures, solves
//! in fragment programs, and corrects x in double precision until the true residual is within 1e-8 of b:
//!
//! ```
//! use fragstream::solve::{Options, solve_csr};
//! use fragstream::solver::Csr;
//! use fragstream::stream::Machine;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A beam of 50 springs, the last one a thousand times as stiff as the others; pulled at its end.
//! let n = 50;
//! let stiffness = |k: usize| if k + 1 == n { 1000.0 } else { 1.0 };
//! let springs = (0..n).flat_map(|k| {
//!     let before = k.checked_sub(1);
//!     let to = before.map(|j| [(j, j, stiffness(k)), (j, k, -stiffness(k)), (k, j, -stiffness(k))]);
//!     to.into_iter().flatten().chain([(k, k, stiffness(k))])
//! });
//! let a = Csr::from_triplets(n, n, springs)?;
//! let mut b = vec![0.0; n];
//! b[n - 1] = 1.0;
//!
//! let machine = Machine::headless()?;
//! let solution = solve_csr(&machine, &a, &b, &Options::default())?;
//! assert!(solution.reason.is_converged());
//! assert!(solution.residual <= 1e-8 * solution.norm_of_b);
//! // Each spring is stretched by the force over its stiffness.
//! assert!((solution.x[n - 1] - (49.0 + 0.001)).abs() < 1e-5);
//! # Ok(())
//! # }
//! ```
//!
//! [`Options`] select methods and layouts, [`Solver`] keeps a matrix in textures for many right-hand sides, and
//! [`Prepared::check`] computes its memory in advance. With `corrections: 0` everything is in single precision,
//! as in the papers.
//!
//! # By the command
//!
//! ```text
//! fragstream solve A.mtx.gz --rhs b.mtx --x0 x0.mtx --out x.mtx    method and layout that suit the matrix
//! fragstream solve A.mtx --method bicg --layout diagonals          any method on any layout that supports it
//! fragstream solve A.mtx --refine 0 --rtol 1e-4                    single precision throughout, as in the papers
//! fragstream solve A.mtx --method multigrid --prolongation P1.mtx,P2.mtx
//! fragstream solve A.mtx --limit 2GB --png A.png                   limit the memory; draw the matrix's pattern
//! ```
//!
//! Single precision cannot represent an x with a small residual: on two matrices with condition number 1e6
//! (bcsstk01, a plate of 50×50 points) the residual stagnates at 1e-4 and at 0.2 of b. It can represent a
//! correction to x. So by default the residual is computed in double precision from the matrix as given, the
//! method solves in textures for a correction, and this is repeated until the residual is 1e-8 of b. CG keeps
//! its search direction across corrections. The more often the true residual replaces the recursive one, the
//! less convergence is lost.
//!
//! If a matrix has few diagonals and can be coloured with two or three colours (grids of squares or triangles),
//! the preconditioner is symmetric multicolour Gauss–Seidel. Eliminating one colour keeps the fetches per
//! iteration unchanged and halves the number of iterations. Only the true residual decides convergence.
//!
//! [`Method`] lists the methods, and [`Method::layouts`] the layouts that each of them takes. The default is `pcg` if the
//! matrix is symmetric with a positive diagonal, `minres` if it is only symmetric, and `bicgstab` for others.
//!
//! If a method fails, others are tried ([`Attempts`]). If all fail, the message gives CG's estimate of the condition
//! number and the smallest residual that each precision can reach, or shows that the matrix is singular. A solve that needs
//! more than the free memory fails before it allocates anything.
//!
//! To examine the layouts themselves, or to write a kernel that reads one, see [`crate::stream`].

mod attempts;
mod choice;
mod colours;
pub mod compare;
mod error;
pub mod files;
mod inner;
mod levels;
mod method;
mod options;
mod prepared;
#[cfg(not(target_family = "wasm"))]
mod settings;
mod solution;

pub use attempts::Attempts;
pub use choice::LayoutChoice;
pub use error::SolveError;
pub use inner::SAMPLE;
pub use method::{Method, combinations};
pub use options::{Levels, Options};
pub use prepared::{Prepared, check_lines, suited};
#[cfg(not(target_family = "wasm"))]
pub use settings::{SOLVE, Settings};
pub use solution::{RoundingBound, Seconds, Solution, Tried, WORST, WorstRow};

use std::cell::{Cell, RefCell};

use crate::solver::refinement::{self, Defect, refine};
use crate::solver::{Criteria, Csr, Ending, LengthMismatch, Outcome, Reason};
use crate::stream::Machine;

use inner::Inner;
use prepared::{norm, power_of_two};
use solution::Clock;

/// Progress of a solve, passed to an observer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// Completed steps of a decomposition, their total number, and the seconds forecast for all of them.
    Decomposed(usize, usize, f64),
    /// Number of iterations, norm of the method's residual, and tolerance.
    Iterated(usize, f64, f64),
}

/// Solves A x = b from zero, for any square matrix, by [`Attempts`]. A system that cannot be solved is not an error but a
/// [`Reason`] in the [`Solution`].
pub fn solve_csr(
    machine: &Machine,
    a: &Csr<f64>,
    b: &[f64],
    options: &Options,
) -> Result<Solution, SolveError> {
    Attempts::new(a, options)?.solve(machine, b, None, &mut |_| ())
}

/// A matrix in textures with a method, ready for right-hand sides.
pub struct Solver {
    machine: Machine,
    system: Prepared,
    options: Options,
    /// `None` for multigrid, which stores its levels itself.
    inner: Option<Inner>,
    upload: f64,
}

impl Solver {
    /// Prepares, checks and uploads a matrix.
    pub fn new(
        machine: &Machine,
        a: &Csr<f64>,
        options: &Options,
        observer: &mut dyn FnMut(Event),
    ) -> Result<Self, SolveError> {
        let system = Prepared::new(a, options)?;
        system.check(machine, options.limit)?;
        let system = choice::chosen(machine, system, options)?;
        Self::upload(machine, system, options, observer)
    }

    /// Uploads a matrix that has been [checked](Prepared::check).
    pub fn upload(
        machine: &Machine,
        system: Prepared,
        options: &Options,
        observer: &mut dyn FnMut(Event),
    ) -> Result<Self, SolveError> {
        let mut clock = Clock::start(machine);
        let is_multigrid = system.method == Method::Multigrid;
        if is_multigrid && options.levels.prolongations.is_empty() {
            return Err(SolveError::NoLevels);
        }
        let mut steps = |done, all, seconds| observer(Event::Decomposed(done, all, seconds));
        let inner = || Inner::new(machine, &system, options, &mut steps);
        let inner = (!is_multigrid).then(inner).transpose()?;
        Ok(Self {
            machine: machine.clone(),
            options: options.clone(),
            inner,
            upload: system.seconds + clock.lap(),
            system,
        })
    }

    /// Solves for a right-hand side, from the given initial x or from zero. For b = 0 the solution is zero.
    pub fn solve(
        &self,
        b: &[f64],
        start: Option<&[f64]>,
        observer: &mut dyn FnMut(Event),
    ) -> Result<Solution, SolveError> {
        let a = &*self.system.a;
        for vector in [Some(b), start].into_iter().flatten() {
            LengthMismatch::check(a.rows(), vector)?;
        }
        check_lines(a, b)?;
        let scale = power_of_two(b);
        let b: Vec<f64> = b.iter().map(|value| value * scale).collect();
        let factor = self.system.scale / scale;
        let mut x: Vec<f64> = match start {
            Some(start) if b.iter().any(|&b| b != 0.0) => {
                start.iter().map(|value| value / factor).collect()
            }
            _ => vec![0.0; a.rows()],
        };
        let norm_of_b = norm(&b);
        let criteria =
            Criteria { atol: self.options.criteria.atol * scale, ..self.options.criteria };
        let tolerance = criteria.tolerance(norm_of_b);
        let mut shown = |iteration, residual: f64| {
            observer(Event::Iterated(iteration, residual / scale, tolerance / scale));
        };
        let (outcome, mut seconds, limit) =
            self.iterate(&b, &mut x, norm_of_b, &criteria, &mut shown)?;
        seconds.upload += self.upload;

        let rounding = limit.unwrap_or_else(|| RoundingBound::new(a, &x)).over(scale);
        // The returned x: in its own units it may underflow.
        for x in &mut x {
            let own = *x * factor;
            *x = if own == 0.0 { 0.0 } else { own / factor };
        }
        let mut remainder = residual(a, &b, &x);
        let residual = norm(&remainder);
        let worst_row = WorstRow::new(a, &x, &b, &remainder);
        let ending = Ending::judge(outcome.reason, &remainder, norm, tolerance);
        remainder.iter_mut().for_each(|r| *r /= scale);
        x.iter_mut().for_each(|x| *x *= factor);
        let is_finite = x.iter().all(|x| x.is_finite());
        let reason = match outcome.reason {
            Reason::ZeroPivot => Ending::failed(Reason::ZeroPivot),
            _ if !is_finite => Ending::failed(Reason::NotFinite),
            _ => ending,
        };
        let history = outcome.history.into_iter();
        Ok(Solution {
            x,
            least: None,
            remainder,
            tried: Vec::new(),
            forecast: None,
            worst_row,
            rows: a.rows(),
            entries: a.entries(),
            layout: self.system.layout,
            layout_choice: self.system.choice.clone(),
            storage: match &self.inner {
                Some(inner) => inner.words(),
                None => format!("{} levels", self.options.levels.prolongations.len() + 1),
            },
            method: self.system.method,
            reason,
            iterations: outcome.iterations,
            corrections: match self.options.corrections {
                // The method's own residuals, in single precision.
                0 => 0,
                _ => outcome.replacements,
            },
            history: history.map(|norm| norm / scale).collect(),
            residual: residual / scale,
            norm_of_b: norm_of_b / scale,
            tolerance: tolerance / scale,
            condition: self.inner.as_ref().and_then(Inner::condition),
            rounding,
            seconds,
        })
    }

    /// Improves x, in the units of the scaled system. Returns the rounding bound that ended a refinement, too.
    fn iterate(
        &self,
        b: &[f64],
        x: &mut Vec<f64>,
        norm_of_b: f64,
        criteria: &Criteria,
        shown: &mut dyn FnMut(usize, f64),
    ) -> Result<(Outcome, Seconds, Option<RoundingBound>), SolveError> {
        let mut clock = Clock::start(&self.machine);
        let mut seconds = Seconds::default();
        // That of the x that the refinement ended with, which may be worse than the returned one.
        let limit = Cell::new(None);
        let a = &*self.system.a;
        let outcome = match &self.inner {
            None => {
                let (goal, levels) = ((norm_of_b, criteria), &self.options.levels);
                let (solved, outcome) =
                    levels::solve(&self.machine, &self.system, b, levels, goal)?;
                *x = solved;
                seconds.compute = clock.lap();
                outcome
            }
            Some(Inner::Singular(_)) => Outcome {
                reason: Reason::ZeroPivot,
                iterations: 0,
                residual: norm_of_b,
                verified: None,
                history: vec![norm_of_b],
                replacements: 0,
            },
            Some(inner) if self.options.corrections == 0 => {
                let single = |values: &[f64]| values.iter().map(|&v| v as f32).collect::<Vec<_>>();
                let b = inner.upload(&single(b))?;
                let mut stream = inner.upload(&single(x))?;
                // The goal is half of the tolerance; the rest allows for the rounding of A and b.
                let criteria =
                    Criteria { rtol: criteria.rtol / 2.0, atol: criteria.atol / 2.0, ..*criteria };
                let outcome = inner.run(&b, &mut stream, &criteria, None, shown)?;
                seconds.compute = clock.lap();
                *x = inner.read(&stream)?.into_iter().map(f64::from).collect();
                seconds.read_back = clock.lap();
                outcome
            }
            Some(inner) => {
                let outer = Criteria { patience: refinement::PATIENCE, ..*criteria };
                let clocks = RefCell::new((clock, seconds));
                let residual = |x: &[f64]| {
                    let r = residual(a, b, x);
                    let (clock, seconds) = &mut *clocks.borrow_mut();
                    seconds.refine += clock.lap();
                    r
                };
                let mut solve = |defect: &Defect<'_>| {
                    let (mut correction, stream) = inner.correct(defect, criteria, shown)?;
                    let (clock, seconds) = &mut *clocks.borrow_mut();
                    seconds.compute += clock.lap();
                    correction.values = inner.read(&stream)?;
                    seconds.read_back += clock.lap();
                    Ok::<_, SolveError>(correction)
                };
                let correct = |defect: &Defect<'_>| match &self.system.balance {
                    Some(balance) => balance.correct(defect, &mut solve),
                    None => solve(defect),
                };
                let most = self.options.corrections;
                let rounding = |x: &[f64]| {
                    let bound = RoundingBound::new(a, x);
                    limit.set(Some(bound));
                    bound.double
                };
                let exact = (residual, rounding);
                let (outcome, _) = refine(&outer, most, norm_of_b, x, exact, correct, |_, _| ())?;
                seconds = clocks.into_inner().1;
                outcome
            }
        };
        let limit = limit.take().filter(|_| outcome.reason == Reason::Stagnated);
        Ok((outcome, seconds, limit))
    }
}

/// b − A x on all threads.
fn residual(a: &Csr<f64>, b: &[f64], x: &[f64]) -> Vec<f64> {
    if x.iter().all(|&x| x == 0.0) {
        return b.to_vec();
    }
    let mut r = vec![0.0; b.len()];
    // Both have the length of the matrix.
    if a.multiply_parallel(x, &mut r).is_ok() {
        r.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
    }
    r
}
