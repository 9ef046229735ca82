//! Multigrid on the stream processor: all of it sparse products (geveler2011 §2).

use std::rc::Rc;

use thiserror::Error;

use crate::error::{ErrorKind, WithKind};
use crate::solver::matrix_hierarchy::{CoarsestSolver, FusedSteps, MatrixLevel, Step, Transfer};
use crate::solver::multigrid::iterate;
use crate::solver::{
    Csr, CsrError, Hierarchy, MatrixHierarchy, Multigrid, Operator, Outcome, TextureSpace,
    VectorSpace,
};
use crate::stream::{Format, Layout, Machine, Stream, StreamError};

use super::super::products::{
    Arithmetic, Diagonal, EllpackProduct, EllpackStorage, FusedCorrection, FusedSweep, PairSpace,
};
use super::discretisation::Discretisation;
use super::settings::{Passes, Precision, Settings, Smoother};
use super::spai::approximate_inverse;

/// Why a discretisation cannot be solved on the stream processor.
#[derive(Debug, Error)]
pub enum DeviceError {
    /// The stream processor's.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// A matrix that the smoother cannot be made of.
    #[error(transparent)]
    Matrix(#[from] CsrError),
}

impl WithKind for DeviceError {
    fn error_kind(&self) -> ErrorKind {
        match self {
            Self::Stream(error) => error.error_kind(),
            Self::Matrix(error) => error.error_kind(),
        }
    }
}

/// A vector space whose matrices are products in one arithmetic.
pub trait ProductSpace:
    VectorSpace<Vector = Stream, Error = StreamError> + Sized + 'static
where
    EllpackProduct: Operator<Self>,
    Diagonal: Operator<Self>,
{
    /// The space of this dimension.
    fn of(machine: &Machine, dimension: usize, arithmetic: Arithmetic)
    -> Result<Self, StreamError>;

    /// A vector of these entries, rounded to what it holds.
    fn vector_of(&self, entries: &[f64]) -> Result<Stream, StreamError>;
}

impl ProductSpace for TextureSpace {
    fn of(machine: &Machine, dimension: usize, _: Arithmetic) -> Result<Self, StreamError> {
        Self::new(machine, Layout::square(dimension, Format::R32F)?)
    }

    fn vector_of(&self, entries: &[f64]) -> Result<Stream, StreamError> {
        let entries: Vec<f32> = entries.iter().map(|&entry| entry as f32).collect();
        self.vector(&entries)
    }
}

impl ProductSpace for PairSpace {
    fn of(
        machine: &Machine,
        dimension: usize,
        arithmetic: Arithmetic,
    ) -> Result<Self, StreamError> {
        Self::new(machine, dimension, arithmetic)
    }

    fn vector_of(&self, entries: &[f64]) -> Result<Stream, StreamError> {
        self.vector(entries)
    }
}

/// Puts matrices on the stream processor.
struct Builder<'a> {
    machine: &'a Machine,
    settings: &'a Settings,
    arithmetic: Arithmetic,
}

impl Builder<'_> {
    fn product(&self, matrix: &Csr<f64>) -> Result<Rc<EllpackProduct>, StreamError> {
        let storage = EllpackStorage::new(self.machine, matrix, self.settings.layout)?;
        let product = EllpackProduct::new(self.machine, &Rc::new(storage), self.arithmetic)?;
        Ok(Rc::new(product))
    }

    /// A level, and its sweep in one pass if it is to have one.
    fn level<S: ProductSpace>(
        &self,
        matrix: &Csr<f64>,
        product: &Rc<EllpackProduct>,
    ) -> Result<(MatrixLevel<S>, Option<Step<S>>), DeviceError>
    where
        EllpackProduct: Operator<S>,
        Diagonal: Operator<S>,
    {
        let space = S::of(self.machine, matrix.rows(), self.arithmetic)?;
        let mut sweep: Option<Step<S>> = None;
        let preconditioner: Box<dyn Operator<S>> = match self.settings.smoother {
            Smoother::Jacobi => {
                let reciprocals: Vec<f64> = matrix.diagonal().iter().map(|d| 1.0 / d).collect();
                let inverse = Rc::new(space.vector_of(&reciprocals)?);
                if self.settings.passes == Passes::Fused {
                    let omega = self.settings.omega;
                    let fused = FusedSweep::new(self.machine, product, &inverse, omega)?;
                    sweep = Some(Box::new(move |b, u, next| fused.sweep(b, u, next)));
                }
                Box::new(Diagonal(inverse))
            }
            Smoother::Spai => Box::new(self.product(&approximate_inverse(matrix)?)?),
        };
        let level = MatrixLevel {
            matrix: Box::new(Rc::clone(product)),
            space,
            preconditioner,
        };
        Ok((level, sweep))
    }

    /// The correction by this P in one pass, if it is to be had.
    fn correction<S: ProductSpace>(
        &self,
        prolongation: &Rc<EllpackProduct>,
    ) -> Result<Option<Step<S>>, StreamError>
    where
        EllpackProduct: Operator<S>,
        Diagonal: Operator<S>,
    {
        if self.settings.passes == Passes::Separate {
            return Ok(None);
        }
        let fused = FusedCorrection::new(self.machine, prolongation)?;
        Ok(Some(Box::new(move |coarse, u, next| {
            fused.correct(coarse, u, next)
        })))
    }
}

/// The hierarchy, and the finest level's matrix for whoever needs it in another arithmetic.
type Built<S> = (MatrixHierarchy<S>, Rc<EllpackStorage>);

/// Uploads a discretisation for one arithmetic.
fn build<S: ProductSpace>(
    machine: &Machine,
    discretisation: &Discretisation,
    settings: &Settings,
    arithmetic: Arithmetic,
) -> Result<Built<S>, DeviceError>
where
    EllpackProduct: Operator<S>,
    Diagonal: Operator<S>,
{
    let builder = Builder {
        machine,
        settings,
        arithmetic,
    };
    let (mut levels, mut transfers, mut fused) = (Vec::new(), Vec::new(), Vec::new());
    let mut finest = None;
    for (number, matrix) in discretisation.matrices.iter().enumerate() {
        let product = builder.product(matrix)?;
        let (level, sweep) = builder.level(matrix, &product)?;
        levels.push(level);
        finest.get_or_insert_with(|| Rc::clone(product.storage()));
        let prolongation = discretisation.prolongations.get(number);
        let mut correction = None;
        if let Some((p, r)) = prolongation.zip(discretisation.restrictions.get(number)) {
            let prolongation = builder.product(p)?;
            correction = builder.correction(&prolongation)?;
            transfers.push(Transfer {
                restriction: Box::new(builder.product(r)?),
                prolongation: Box::new(prolongation),
            });
        }
        fused.push(FusedSteps { sweep, correction });
    }
    let coarsest = CoarsestSolver::ConjugateGradients(settings.coarsest());
    let hierarchy = MatrixHierarchy::new(levels, transfers, coarsest, settings.omega)?;
    match finest {
        Some(finest) => Ok((hierarchy.fused(fused), finest)),
        None => unreachable!("a hierarchy has a level at least"),
    }
}

/// The hierarchy of a discretisation, for whoever cycles by himself.
pub fn hierarchy<S: ProductSpace>(
    machine: &Machine,
    discretisation: &Discretisation,
    settings: &Settings,
    arithmetic: Arithmetic,
) -> Result<MatrixHierarchy<S>, DeviceError>
where
    EllpackProduct: Operator<S>,
    Diagonal: Operator<S>,
{
    Ok(build(machine, discretisation, settings, arithmetic)?.0)
}

/// u, and how it went. Cycles are the iterations.
pub type Solved = Result<(Vec<f64>, Outcome), DeviceError>;

/// Solves a discretisation on the stream processor.
pub fn solve(
    machine: &Machine,
    discretisation: &Discretisation,
    settings: &Settings,
    precision: Precision,
) -> Solved {
    Prepared::new(machine, discretisation, settings, precision)?.solve()
}

/// A discretisation on the stream processor, ready to be solved.
pub struct Prepared(Box<dyn Fn() -> Solved>);

impl Prepared {
    /// Uploads all levels, and compiles the programs.
    pub fn new(
        machine: &Machine,
        discretisation: &Discretisation,
        settings: &Settings,
        precision: Precision,
    ) -> Result<Self, DeviceError> {
        let doubles = |arithmetic| {
            prepare(
                machine,
                discretisation,
                settings,
                arithmetic,
                PairSpace::read,
            )
        };
        match precision {
            Precision::Single => {
                let read = |_: &TextureSpace, u: &Stream| {
                    Ok(u.read()?.into_iter().map(f64::from).collect())
                };
                prepare(machine, discretisation, settings, Arithmetic::Single, read)
            }
            Precision::Native => doubles(Arithmetic::Native),
            Precision::Pairs => doubles(Arithmetic::Pairs),
            Precision::Mixed => prepare_mixed(machine, discretisation, settings),
        }
    }

    /// Solves it, from the discretisation's start.
    pub fn solve(&self) -> Solved {
        (self.0)()
    }
}

/// All of it in one arithmetic.
fn prepare<S: ProductSpace>(
    machine: &Machine,
    discretisation: &Discretisation,
    settings: &Settings,
    arithmetic: Arithmetic,
    read: impl Fn(&S, &Stream) -> Result<Vec<f64>, StreamError> + 'static,
) -> Result<Prepared, DeviceError>
where
    EllpackProduct: Operator<S>,
    Diagonal: Operator<S>,
{
    let (hierarchy, _) = build::<S>(machine, discretisation, settings, arithmetic)?;
    let space = &hierarchy.level(0).space;
    let b = space.vector_of(&discretisation.right_side)?;
    let start = space.vector_of(&discretisation.start)?;
    let settings = *settings;
    Ok(Prepared(Box::new(move || {
        let space = &hierarchy.level(0).space;
        let mut u = space.zeros()?;
        space.copy(&start, &mut u)?;
        let criteria = settings.criteria(hierarchy.residual_norm(&b, &u)?);
        let mut multigrid = Multigrid::new(&hierarchy, settings.cycle)?;
        let outcome = multigrid.solve(&b, &mut u, &criteria, |_, _| ())?;
        Ok((read(space, &u)?, outcome))
    })))
}

/// Defects in pairs of floats, a cycle in single precision for each correction.
fn prepare_mixed(
    machine: &Machine,
    discretisation: &Discretisation,
    settings: &Settings,
) -> Result<Prepared, DeviceError> {
    let (hierarchy, storage) =
        build::<TextureSpace>(machine, discretisation, settings, Arithmetic::Single)?;
    let pairs = PairSpace::new(machine, discretisation.right_side.len(), Arithmetic::Pairs)?;
    let matrix = EllpackProduct::new(machine, &storage, Arithmetic::Pairs)?;
    let b = pairs.vector(&discretisation.right_side)?;
    let start = pairs.vector(&discretisation.start)?;
    let settings = *settings;
    Ok(Prepared(Box::new(move || {
        let single = &hierarchy.level(0).space;
        let mut u = pairs.zeros()?;
        pairs.copy(&start, &mut u)?;
        let (defect, mut correction) = (single.zeros()?, single.zeros()?);
        let mut multigrid = Multigrid::new(&hierarchy, settings.cycle)?;
        matrix.defect(&b, &u, &defect)?;
        let first = single.norm(&defect)?;
        let criteria = settings.criteria(first);
        let outcome = iterate(&criteria, criteria.atol, first, |_| {
            multigrid.cycles(1, &defect, &mut correction)?;
            pairs.correct(&mut u, &correction)?;
            matrix.defect(&b, &u, &defect)?;
            single.norm(&defect)
        })?;
        Ok((pairs.read(&u)?, outcome))
    })))
}
