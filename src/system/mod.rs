//! Linear systems A x = b, in every layout and by every method: from your matrix to your x.
//!
//! A matrix comes as [`Csr`], from triplets or from a file
//! ([`read_matrix`](crate::io::matrix_market::read_matrix)). [`solve_csr`] lays it out in textures, solves
//! in fragment programs, and corrects x in double precision until the true residual is within 1e-8 of b:
//!
//! ```
//! use fragstream::solver::Csr;
//! use fragstream::stream::Machine;
//! use fragstream::system::{Options, solve_csr};
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
//! [`Options`] choose among methods and layouts, [`Solver`] keeps a matrix in textures for many right
//! sides, and [`Estimate`] says beforehand what it will take. What solves in single precision, as the
//! papers did, is the same with `corrections: 0`.
//!
//! # By the command
//!
//! ```text
//! fragstream solve A.mtx.gz --rhs b.mtx --x0 x0.mtx --out x.mtx    a method and a layout that suit the matrix
//! fragstream solve A.mtx --method bicg --layout diagonals          any method on any layout that it can work on
//! fragstream solve A.mtx --refine 0 --rtol 1e-4                    single precision throughout, as in the papers
//! fragstream solve A.mtx --method multigrid --prolongation P1.mtx,P2.mtx
//! fragstream solve A.mtx --limit 2GB,10min --spy A.png             refuse more; draw the matrix's pattern
//! ```
//!
//! Single precision cannot hold an x of small residual: on two matrices of condition 1e6 (bcsstk01, a plate of
//! 50×50 points) it ends at 1e-4 and at 0.2 of b. It can hold a correction to x. So by default the residual is
//! computed in double precision from the matrix as given, the method solves in textures for what is missing, and
//! so on until the residual is 1e-8 of b, also on bars, plates and networks of condition 1e6. Conjugate gradients
//! keep their direction from one correction to the next, and lose less of what they know of the matrix the more
//! often the true residual takes the place of theirs. Where a matrix has few diagonals and its unknowns two or
//! three colours, as on a grid of squares or of triangles, a sweep of Gauss–Seidel over the colours and back is the
//! preconditioner: one colour drops out, each other entry is fetched once an iteration as before, and half as many
//! iterations do. The true residual alone decides what is called converged.
//!
//! | `--method` | for | `--layout` |
//! |---|---|---|
//! | `cg`, `pcg` (default where the matrix is symmetric with a positive diagonal) | symmetric positive definite matrices | rows (bolz2003), diagonals, columns, points (kruger2003), ellpack, ellpack-r (geveler2011), quarters (ours) |
//! | `bicgstab` (default for others), `bicg` with the transpose stored too (bolz2003, §3.1) | any regular matrix | the same |
//! | `gauss-seidel` | matrices for which it converges | points, columns |
//! | `lu` | any regular matrix, dense | columns |
//! | `multigrid` | levels that you give, by Galerkin's PᵀAP | ellpack, ellpack-r |
//!
//! A solve that stagnates says the condition as far as conjugate gradients have met it, what rounding x leaves
//! in either precision, and which method to try next. One that would take more than the memory that is free
//! is refused before anything is allocated.
//!
//! # Speed
//!
//! `fragstream solve` to 1e-8, file read, beside SciPy's conjugate gradients in double precision; medians in turn, two
//! series of 21. `solve` preconditions by symmetric Gauss-Seidel over two or three colours. "The same" is that in SciPy,
//! for the matrix in the order of the colours, a sparse product a block: as many steps, the colours given. "Diagonal" is
//! what SciPy is fastest with.
//!
//! | matrix | `solve` | SciPy, the same | SciPy, diagonal | iterations |
//! |---|---|---|---|---|
//! | seven-point stencil, 46 x 47 x 46 cells | 0.145, 0.147 s | 0.174, 0.182 s | 0.150, 0.182 s | 93, 92 and 185 |
//! | the same with random coefficients, 46³ | 0.181, 0.187 s | 0.197, 0.204 s | 0.185, 0.184 s | 119, 118 and 236 |
//! | 316² nodes joined to triangles | 0.816, 0.755 s | 1.003, 0.929 s | 0.880, 0.782 s | 483, 480 and 1020 |
//!
//! With the same preconditioner `solve` takes 0.78 to 0.92 of SciPy's time, by pairs. With the diagonal SciPy takes
//! about as long as `solve` (0.80 to 1.01 by pairs, 0.95 to 1.08 by the least times of a series). A block between two
//! colours and its transpose share their textures: a product fetches 1.2 MB and not 2.4, which took the second row from
//! 0.29 to 0.24 s on a busy host, and from 0.186 to 0.179 on a quiet one.
//!
//! # Where things are
//!
//! To see the layouts themselves, and write a kernel that reads one, go to [`crate::stream`].
//!
//! | file | holds |
//! |---|---|
//! | `choice` | methods and layouts, and which go together |
//! | `options`, `error`, `solution` | what goes in, what is refused, what comes out |
//! | `estimate` | memory and time, beforehand |
//! | `plan` | what a matrix will be solved by |
//! | `scaled` | a matrix whose numbers single precision can hold |
//! | `balance` | the diagonal as preconditioner, by a change of variables |
//! | `colours` | Gauss–Seidel as preconditioner, where a matrix has two or three colours |
//! | [`quarters`] | vectors in quarters, and diagonals that multiply them |
//! | [`stored`] | a matrix in textures, in any layout |
//! | `inner` | what solves in single precision |
//! | `levels` | multigrid over given prolongations |

mod balance;
mod choice;
mod colours;
mod error;
mod estimate;
mod inner;
mod levels;
mod options;
mod plan;
pub mod quarters;
mod scaled;
mod solution;
pub mod stored;

pub use choice::{Layout, Method, combinations};
pub use error::SystemError;
pub use estimate::Estimate;
pub use options::{Levels, Limit, Options};
pub use plan::Plan;
pub use solution::{Reach, Seconds, Solution};

use std::cell::RefCell;

use crate::solver::host::tree_dot;
use crate::solver::refinement::{self, Defect, refine};
use crate::solver::{Criteria, Csr, LengthMismatch, Outcome, Reason, true_residual};
use crate::stream::Machine;

use balance::Balance;
use inner::Inner;
use scaled::{Scaled, power_of_two};
use solution::Clock;

/// What is shown of a solve that goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// Steps of a decomposition that are done, and how many there are.
    Decomposed(usize, usize),
    /// Iterations that are done, the residual's norm as the method has it, and the goal.
    Iterated(usize, f64, f64),
}

/// Solves A x = b.
///
/// Any square matrix that the method can be tried on; the start is zero. A system that cannot be solved
/// is no error but a [`Reason`] in the [`Solution`].
///
/// # Errors
/// A matrix, a right side or a choice that makes no sense or does not fit; those of the machine.
pub fn solve_csr(
    machine: &Machine,
    a: &Csr<f64>,
    b: &[f64],
    options: &Options,
) -> Result<Solution, SystemError> {
    Solver::new(machine, a, options, &mut |_| ())?.solve(b, None, &mut |_| ())
}

/// A matrix in textures with a method, ready for right sides.
pub struct Solver {
    machine: Machine,
    scaled: Scaled,
    method: Method,
    layout: Layout,
    options: Options,
    /// None of multigrid, which stores its levels itself.
    inner: Option<Inner>,
    /// Of conjugate gradients with a preconditioner, where they solve for corrections.
    balance: Option<Balance>,
    upload: f64,
}

impl Solver {
    /// Lays a matrix out and uploads it.
    ///
    /// # Errors
    /// As of [`solve_csr`].
    pub fn new(
        machine: &Machine,
        a: &Csr<f64>,
        options: &Options,
        observer: &mut dyn FnMut(Event),
    ) -> Result<Self, SystemError> {
        let plan = Plan::new(a, options)?;
        Self::planned(machine, a, options, plan, observer)
    }

    /// As [`Self::new`], by what was planned for this matrix and these options.
    ///
    /// # Errors
    /// As of [`solve_csr`].
    ///
    /// # Panics
    /// By what was planned for another matrix it may.
    pub fn planned(
        machine: &Machine,
        a: &Csr<f64>,
        options: &Options,
        plan: Plan,
        observer: &mut dyn FnMut(Event),
    ) -> Result<Self, SystemError> {
        plan.check(machine, a.rows(), &options.limit)?;
        let mut clock = Clock::start(machine);
        let Plan { method, layout, .. } = plan;
        let scaled = Scaled::new(a, method, options.method.is_none())?;
        let is_balanced = method.is_balanced(options.corrections);
        let balance = is_balanced.then(|| Balance::new(&scaled, plan.colours));
        let inner = match method {
            Method::Multigrid if options.levels.prolongations.is_empty() => {
                return Err(SystemError::NoLevels);
            }
            Method::Multigrid => None,
            _ => {
                let mut steps = |done, all| observer(Event::Decomposed(done, all));
                let choice = (method, layout);
                let colours = balance.as_ref().and_then(Balance::colours);
                // Of colours nothing but what joins them is stored.
                let all = balance.as_ref().filter(|_| colours.is_none());
                let balanced = all.map(|balance| balance.of(&scaled.a));
                let a = balanced.as_ref().unwrap_or(&scaled.a);
                let inner = Inner::new(machine, (a, colours), choice, options, &mut steps);
                Some(inner.map_err(|error| error.elsewhere(method))?)
            }
        };
        Ok(Self {
            machine: machine.clone(),
            scaled,
            method,
            layout,
            options: options.clone(),
            inner,
            balance,
            upload: plan.seconds + clock.lap(),
        })
    }

    /// Solves for a right side, from a start or from zero. For b = 0 the solution is zero.
    ///
    /// # Errors
    /// A right side or a start of another length; those of the machine.
    pub fn solve(
        &self,
        b: &[f64],
        start: Option<&[f64]>,
        observer: &mut dyn FnMut(Event),
    ) -> Result<Solution, SystemError> {
        let a = &self.scaled.a;
        for vector in [Some(b), start].into_iter().flatten() {
            LengthMismatch::check(a.rows(), vector)?;
        }
        let scale = power_of_two(b);
        let b: Vec<f64> = b.iter().map(|value| value * scale).collect();
        let factor = self.scaled.scale / scale;
        let mut x: Vec<f64> = match start {
            Some(start) if b.iter().any(|&b| b != 0.0) => {
                start.iter().map(|value| value / factor).collect()
            }
            _ => vec![0.0; a.rows()],
        };
        let norm_of_b = norm(&b);
        let criteria = Criteria {
            atol: self.options.criteria.atol * scale,
            ..self.options.criteria
        };
        let tolerance = criteria.tolerance(norm_of_b);
        let mut shown = |iteration, residual: f64| {
            observer(Event::Iterated(
                iteration,
                residual / scale,
                tolerance / scale,
            ));
        };
        let (outcome, mut seconds) = self.iterate(&b, &mut x, norm_of_b, &criteria, &mut shown)?;
        seconds.upload += self.upload;

        let residual = true_residual(a, &b, &x)?.norm;
        let reach = Reach::new(a, &x);
        x.iter_mut().for_each(|x| *x *= factor);
        let is_finite = x.iter().all(|x| x.is_finite());
        let reason = match outcome.reason {
            Reason::ZeroPivot => Reason::ZeroPivot,
            _ if !is_finite => Reason::NotFinite,
            // Whatever the method thought of it.
            _ if residual <= tolerance => Reason::Converged,
            Reason::Converged => Reason::Stagnated,
            reason => reason,
        };
        let history = outcome.history.into_iter();
        Ok(Solution {
            x,
            reason,
            method: self.method,
            layout: self.layout,
            storage: match &self.inner {
                Some(inner) => inner.words(),
                None => format!("{} levels", self.options.levels.prolongations.len() + 1),
            },
            iterations: outcome.iterations,
            corrections: match self.options.corrections {
                // They are the method's own, in single precision.
                0 => 0,
                _ => outcome.replacements,
            },
            history: history.map(|norm| norm / scale).collect(),
            residual: residual / scale,
            norm_of_b: norm_of_b / scale,
            tolerance: tolerance / scale,
            condition: self.inner.as_ref().and_then(Inner::condition),
            reach: Reach {
                single: reach.single / scale,
                double: reach.double / scale,
            },
            seconds,
        })
    }

    /// Improves x, in the units of the scaled system.
    fn iterate(
        &self,
        b: &[f64],
        x: &mut Vec<f64>,
        norm_of_b: f64,
        criteria: &Criteria,
        shown: &mut dyn FnMut(usize, f64),
    ) -> Result<(Outcome, Seconds), SystemError> {
        let mut seconds = Seconds::default();
        let mut clock = Clock::start(&self.machine);
        let a = &self.scaled.a;
        let outcome = match &self.inner {
            None => {
                let levels = &self.options.levels;
                let system = (a, b);
                let goal = (norm_of_b, criteria);
                let (solved, outcome) =
                    levels::solve(&self.machine, system, self.layout, levels, goal)?;
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
                // Half of the goal: the rest is for the rounding of A and b.
                let criteria = Criteria {
                    rtol: criteria.rtol / 2.0,
                    atol: criteria.atol / 2.0,
                    ..*criteria
                };
                let outcome = inner.solve(&b, &mut stream, &criteria, shown)?;
                seconds.compute = clock.lap();
                *x = inner.read(&stream)?.into_iter().map(f64::from).collect();
                seconds.read_back = clock.lap();
                outcome
            }
            Some(inner) => {
                let outer = Criteria {
                    patience: refinement::PATIENCE,
                    ..*criteria
                };
                let clocks = RefCell::new((clock, Seconds::default()));
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
                    Ok::<_, SystemError>(correction)
                };
                let correct = |defect: &Defect<'_>| match &self.balance {
                    Some(balance) => balance.correct(defect, &mut solve),
                    None => solve(defect),
                };
                let most = self.options.corrections;
                let exact = (residual, |x: &[f64]| Reach::new(a, x).double);
                let outcome = refine(&outer, most, norm_of_b, x, exact, correct, |_, _| ())?;
                seconds = clocks.into_inner().1;
                outcome
            }
        };
        Ok((outcome, seconds))
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

fn norm(values: &[f64]) -> f64 {
    tree_dot(values, values).sqrt()
}
