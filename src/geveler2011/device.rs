//! Multigrid on the GPU, entirely by sparse matrix–vector products (geveler2011 §2).

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::solver::host::tree_dot;
use crate::solver::multigrid::iterate_until;
use crate::solver::multigrid::matrix_hierarchy::{MatrixLevel, Transfer};
use crate::solver::scaling::power_of_two;
use crate::solver::{
    Criteria, Csr, CsrError, Ending, Hierarchy, MatrixHierarchy, Multigrid, Operator, Outcome,
    Reason, Start, Steps, TextureSpace, VectorSpace,
};
use crate::stream::{Machine, StreamError};

use super::arithmetic::Arithmetic;
use super::discretisation::Discretisation;
use super::error::Error;
use super::product::{Diagonal, EllpackProduct};
use super::settings::{Precision, Settings, Smoother};
use super::spai::approximate_inverse;
use super::storage::EllpackStorage;
use super::vectors::{PairSpace, ProductSpace};

/// Uploads a discretisation to the GPU in one arithmetic.
struct Builder<'a> {
    machine: &'a Machine,
    discretisation: &'a Discretisation,
    settings: &'a Settings,
    arithmetic: Arithmetic,
}

impl Builder<'_> {
    fn product(&self, matrix: &Csr<f64>) -> Result<EllpackProduct, StreamError> {
        let storage = EllpackStorage::new(self.machine, matrix, self.settings.layout)?;
        EllpackProduct::new(self.machine, &Rc::new(storage), self.arithmetic)
    }

    fn smoother<S: ProductSpace>(
        &self,
        space: &S,
        (level, matrix): (usize, &Csr<f64>),
    ) -> Result<Box<dyn Operator<S>>, Error> {
        let coarsest = self.discretisation.matrices.len() - 1;
        Ok(match self.settings.smoother_on(level, coarsest) {
            Smoother::Jacobi => {
                // §2.1, Jacobi: D⁻¹ of x ← x + ω D⁻¹ (b − A x)
                let reciprocals: Vec<f64> = matrix.diagonal().iter().map(|d| 1.0 / d).collect();
                Box::new(Diagonal(space.vector_of(&reciprocals)?))
            }
            Smoother::Spai => Box::new(self.product(&approximate_inverse(matrix)?)?),
        })
    }

    /// Builds all levels, and returns the finest matrix for use in another arithmetic.
    fn build<S: ProductSpace>(&self) -> Result<(MatrixHierarchy<S>, Rc<EllpackStorage>), Error> {
        let of = self.discretisation;
        let products = of.matrices.iter().map(|matrix| self.product(matrix));
        let products = products.collect::<Result<Vec<_>, _>>()?;
        let finest = Rc::clone(products[0].storage());
        let level = |((level, matrix), product): ((usize, &Csr<f64>), EllpackProduct)| {
            let space = S::of(self.machine, matrix.rows(), self.arithmetic)?;
            Ok(MatrixLevel {
                preconditioner: self.smoother(&space, (level, matrix))?,
                matrix: Box::new(product),
                space,
            })
        };
        let levels = of.matrices.iter().enumerate().zip(products).map(level);
        let levels = levels.collect::<Result<_, Error>>()?;
        // §2.1, Eq. 2: x = P y, and R r, are sparse products
        let transfer = |(r, p): (&Csr<f64>, &Csr<f64>)| {
            Ok(Transfer {
                restriction: Box::new(self.product(r)?),
                prolongation: Box::new(self.product(p)?),
            })
        };
        let transfers = of.restrictions.iter().zip(&of.prolongations).map(transfer);
        let transfers = transfers.collect::<Result<_, Error>>()?;
        // §2.1, §4.2: conjugate gradients on the coarsest grid
        let coarsest = self.settings.coarsest();
        let hierarchy = MatrixHierarchy::new(levels, transfers, coarsest, self.settings.omega)?;
        Ok((hierarchy, finest))
    }

    /// Prepares a solve entirely in this arithmetic.
    fn prepare<S: ProductSpace>(&self, given: &Given) -> Result<Solver, Error> {
        let (hierarchy, _) = self.build::<S>()?;
        let space = &hierarchy.level(0).space;
        let (b, start) = (space.vector_of(&given.right_side)?, space.vector_of(&given.start)?);
        let settings = *self.settings;
        Ok(Box::new(move |criteria, checked| {
            let space = &hierarchy.level(0).space;
            let mut u = space.zeros()?;
            space.copy(&start, &mut u)?;
            let mut multigrid = Multigrid::new(&hierarchy, settings.cycle)?;
            let first = hierarchy.residual_norm(&b, &u)?;
            let outcome = iterate_until(criteria, criteria.atol, first, |_| {
                multigrid.cycle(Start::Given, &b, &mut u)?;
                checked(hierarchy.residual_norm(&b, &u)?, &|| space.entries_of(&u))
            })?;
            Ok((space.entries_of(&u)?, outcome))
        }))
    }

    /// Prepares a solve with defects in pairs of floats and a single-precision cycle per correction.
    fn prepare_mixed(&self, given: &Given) -> Result<Solver, Error> {
        let (hierarchy, storage) = self.build::<TextureSpace>()?;
        let pairs = PairSpace::of(self.machine, given.start.len(), Arithmetic::Pairs)?;
        let matrix = EllpackProduct::new(self.machine, &storage, Arithmetic::Pairs)?;
        let (b, start) = (pairs.vector_of(&given.right_side)?, pairs.vector_of(&given.start)?);
        let settings = *self.settings;
        Ok(Box::new(move |criteria, checked| {
            let single = &hierarchy.level(0).space;
            let mut u = pairs.zeros()?;
            pairs.copy(&start, &mut u)?;
            let (defect, mut correction) = (single.zeros()?, single.zeros()?);
            let mut multigrid = Multigrid::new(&hierarchy, settings.cycle)?;
            matrix.defect(&b, &u, &defect)?;
            let first = single.norm(&defect)?;
            let outcome = iterate_until(criteria, criteria.atol, first, |_| {
                multigrid.cycles(1, &defect, &mut correction)?;
                pairs.correct(&mut u, &correction)?;
                matrix.defect(&b, &u, &defect)?;
                checked(single.norm(&defect)?, &|| pairs.entries_of(&u))
            })?;
            Ok((pairs.entries_of(&u)?, outcome))
        }))
    }
}

/// The hierarchy itself, for callers that run their own cycles.
pub fn hierarchy<S: ProductSpace>(
    machine: &Machine,
    discretisation: &Discretisation,
    settings: &Settings,
    arithmetic: Arithmetic,
) -> Result<MatrixHierarchy<S>, Error> {
    let builder = Builder { machine, discretisation, settings, arithmetic };
    Ok(builder.build()?.0)
}

/// A solution, judged by its true residual.
#[derive(Clone, Debug)]
pub struct Solved {
    /// u of each unknown.
    pub u: Vec<f64>,
    /// Reason for the end, by the true residual.
    pub reason: Ending,
    /// Norm of the defect b − A u at the start and after each cycle, as the GPU measured it.
    pub history: Vec<f64>,
    /// ‖b − A u‖ at the start and for the u returned, in double precision.
    pub residuals: [f64; 2],
    /// Norm of the defect at which the system counts as solved.
    pub tolerance: f64,
    /// Estimate of the largest error, from the last two cycles, if it was judged.
    pub error: Option<f64>,
}

impl Solved {
    /// Number of cycles.
    pub fn cycles(&self) -> usize {
        self.history.len() - 1
    }
}

/// Solves a discretisation on the GPU.
pub fn solve(
    machine: &Machine,
    discretisation: &Discretisation,
    settings: &Settings,
    precision: Precision,
) -> Result<Solved, Error> {
    Prepared::new(machine, discretisation, settings, precision)?.solve()
}

/// b and the start, multiplied by a power of two, so that neither they nor the squares of a defect leave the range of
/// single precision. A Laplacian in the plane has entries near 1 in any unit of length.
struct Given {
    right_side: Vec<f64>,
    start: Vec<f64>,
    scale: f64,
}

/// Reads u back.
type ReadBack<'a> = &'a dyn Fn() -> Result<Vec<f64>, StreamError>;

/// Confirms a norm that the GPU has measured, or replaces it by the true one; false if u needs more cycles even so.
type Checked<'a> = &'a dyn Fn(f64, ReadBack<'_>) -> Result<(f64, bool), Error>;

/// Solves by these criteria: u, and the outcome.
type Solver = Box<dyn Fn(&Criteria, Checked<'_>) -> Result<(Vec<f64>, Outcome), Error>>;

/// A discretisation on the GPU, ready to be solved.
pub struct Prepared<'a> {
    matrix: &'a Csr<f64>,
    given: Given,
    settings: Settings,
    solver: Solver,
}

impl<'a> Prepared<'a> {
    /// Uploads all levels, and compiles the programs.
    pub fn new(
        machine: &Machine,
        discretisation: &'a Discretisation,
        settings: &Settings,
        precision: Precision,
    ) -> Result<Self, Error> {
        let Discretisation { matrices, right_side, start, .. } = discretisation;
        let scale = power_of_two(&[&right_side[..], start].concat());
        let scaled = |values: &[f64]| values.iter().map(|value| value * scale).collect();
        let given = Given { right_side: scaled(right_side), start: scaled(start), scale };
        let builder = |arithmetic| Builder { machine, discretisation, settings, arithmetic };
        let solver = match precision {
            Precision::Single => builder(Arithmetic::Single).prepare::<TextureSpace>(&given),
            Precision::Native => builder(Arithmetic::Native).prepare::<PairSpace>(&given),
            Precision::Pairs => builder(Arithmetic::Pairs).prepare::<PairSpace>(&given),
            Precision::Mixed => builder(Arithmetic::Single).prepare_mixed(&given),
        }?;
        Ok(Self { matrix: &matrices[0], given, settings: *settings, solver })
    }

    /// Solves it, from the discretisation's start. Cycles go on while the GPU's norm of the defect, but not the true
    /// one, is within the tolerance, and while the estimated error is not small, if that is judged.
    pub fn solve(&self) -> Result<Solved, Error> {
        self.watched(&|_| {})
    }

    /// Solves, and passes on the relative defect after each cycle.
    pub fn watched(&self, shown: &dyn Fn(f64)) -> Result<Solved, Error> {
        let scale = self.given.scale;
        let first = norm(&self.residual(&self.given.start)?);
        let criteria = self.settings.criteria(first);
        let tolerance = criteria.atol;
        let (before, steps) = (RefCell::new(Vec::new()), RefCell::new(Steps::default()));
        let (is_settled, error) = (Cell::new(true), Cell::new(None));
        let checked = |found: f64, u: ReadBack<'_>| {
            shown(found / first);
            if found > tolerance {
                return Ok((found, true));
            }
            let u = u()?;
            let norm = norm(&self.residual(&u)?);
            if norm > tolerance || !self.settings.judges_error {
                return Ok((if norm > tolerance { norm } else { found }, true));
            }
            let (mut before, mut steps) = (before.borrow_mut(), steps.borrow_mut());
            if !before.is_empty() {
                let step = u.iter().zip(&*before).map(|(u, before)| (u - before) as f32);
                steps.push(&step.collect::<Vec<_>>(), 1.0);
            }
            is_settled.set(steps.suffice(&u, self.settings.reduction));
            error.set(steps.error(&u));
            *before = u;
            Ok((found, is_settled.get() || steps.have_stalled()))
        };
        let (u, outcome) = (self.solver)(&criteria, &checked)?;
        let residual = self.residual(&u)?;
        let last = norm(&residual);
        // A run with few cycles may end before growth has become large.
        let method = match outcome.reason {
            Reason::MaximumIterations if last > first => Reason::Diverged,
            reason => reason,
        };
        Ok(Solved {
            reason: match method {
                Reason::Converged if !is_settled.get() => Ending::failed(Reason::Stagnated),
                reason if !is_settled.get() => Ending::failed(reason),
                reason => Ending::judge(reason, &residual, norm, tolerance),
            },
            u: u.into_iter().map(|u| u / scale).collect(),
            history: outcome.history.into_iter().map(|norm| norm / scale).collect(),
            residuals: [first, last].map(|norm| norm / scale),
            tolerance: tolerance / scale,
            error: error.get().map(|error| error / scale),
        })
    }

    /// b − A u in double precision, scaled.
    fn residual(&self, u: &[f64]) -> Result<Vec<f64>, CsrError> {
        Ok(self.matrix.residual(&self.given.right_side, u)?)
    }
}

fn norm(values: &[f64]) -> f64 {
    tree_dot(values, values).sqrt()
}
