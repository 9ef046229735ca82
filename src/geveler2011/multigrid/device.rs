//! Multigrid on the stream processor: all of it sparse products (geveler2011 §2).

use std::rc::Rc;

use thiserror::Error;

use crate::error::{ErrorKind, WithKind};
use crate::solver::matrix_hierarchy::{CoarsestSolver, MatrixLevel, Transfer};
use crate::solver::multigrid::iterate;
use crate::solver::{
    Csr, CsrError, Hierarchy, MatrixHierarchy, Multigrid, Operator, Outcome, TextureSpace,
    VectorSpace,
};
use crate::stream::{Format, Layout, Machine, Stream, StreamError};

use super::super::products::{Arithmetic, Diagonal, EllpackProduct, EllpackStorage, PairSpace};
use super::discretisation::Discretisation;
use super::settings::{Precision, Settings, Smoother};
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
trait ProductSpace: VectorSpace<Vector = Stream, Error = StreamError> + Sized + 'static
where
    EllpackProduct: Operator<Self>,
    Diagonal: Operator<Self>,
{
    const ARITHMETIC: Arithmetic;

    fn of(machine: &Machine, dimension: usize) -> Result<Self, StreamError>;

    fn vector_of(&self, entries: &[f64]) -> Result<Stream, StreamError>;
}

impl ProductSpace for TextureSpace {
    const ARITHMETIC: Arithmetic = Arithmetic::Single;

    fn of(machine: &Machine, dimension: usize) -> Result<Self, StreamError> {
        Self::new(machine, Layout::square(dimension, Format::R32F)?)
    }

    fn vector_of(&self, entries: &[f64]) -> Result<Stream, StreamError> {
        let entries: Vec<f32> = entries.iter().map(|&entry| entry as f32).collect();
        self.vector(&entries)
    }
}

impl ProductSpace for PairSpace {
    const ARITHMETIC: Arithmetic = Arithmetic::Pairs;

    fn of(machine: &Machine, dimension: usize) -> Result<Self, StreamError> {
        Self::new(machine, dimension)
    }

    fn vector_of(&self, entries: &[f64]) -> Result<Stream, StreamError> {
        self.vector(entries)
    }
}

/// The hierarchy, and the finest level's matrix for whoever needs it in another arithmetic.
type Built<S> = (MatrixHierarchy<S>, Rc<EllpackStorage>);

/// Uploads a discretisation for one arithmetic.
fn build<S: ProductSpace>(
    machine: &Machine,
    discretisation: &Discretisation,
    settings: &Settings,
) -> Result<Built<S>, DeviceError>
where
    EllpackProduct: Operator<S>,
    Diagonal: Operator<S>,
{
    let store =
        |matrix: &Csr<f64>| Ok::<_, StreamError>(Rc::new(EllpackStorage::new(machine, matrix)?));
    let product = |storage: &Rc<EllpackStorage>| -> Result<Box<dyn Operator<S>>, StreamError> {
        Ok(Box::new(EllpackProduct::new(
            machine,
            storage,
            S::ARITHMETIC,
        )?))
    };
    let mut levels = Vec::new();
    let mut finest = None;
    for matrix in &discretisation.matrices {
        let storage = store(matrix)?;
        let space = S::of(machine, matrix.rows())?;
        let preconditioner: Box<dyn Operator<S>> = match settings.smoother {
            Smoother::Jacobi => {
                let reciprocals: Vec<f64> = matrix.diagonal().iter().map(|d| 1.0 / d).collect();
                Box::new(Diagonal(space.vector_of(&reciprocals)?))
            }
            Smoother::Spai => product(&store(&approximate_inverse(matrix)?)?)?,
        };
        levels.push(MatrixLevel {
            matrix: product(&storage)?,
            space,
            preconditioner,
        });
        finest.get_or_insert(storage);
    }
    let mut transfers = Vec::new();
    for (r, p) in discretisation
        .restrictions
        .iter()
        .zip(&discretisation.prolongations)
    {
        transfers.push(Transfer {
            restriction: product(&store(r)?)?,
            prolongation: product(&store(p)?)?,
        });
    }
    let coarsest = CoarsestSolver::ConjugateGradients(settings.coarsest());
    let hierarchy = MatrixHierarchy::new(levels, transfers, coarsest, settings.omega)?;
    match finest {
        Some(finest) => Ok((hierarchy, finest)),
        None => unreachable!("a hierarchy has a level at least"),
    }
}

/// Solves a discretisation on the stream processor: u, and how it went. Cycles are the iterations.
pub fn solve(
    machine: &Machine,
    discretisation: &Discretisation,
    settings: &Settings,
    precision: Precision,
) -> Result<(Vec<f64>, Outcome), DeviceError> {
    match precision {
        Precision::Single => {
            let read =
                |_: &TextureSpace, u: &Stream| Ok(u.read()?.into_iter().map(f64::from).collect());
            solve_in(machine, discretisation, settings, read)
        }
        Precision::Pairs => solve_in(machine, discretisation, settings, PairSpace::read),
        Precision::Mixed => solve_mixed(machine, discretisation, settings),
    }
}

/// All of it in one arithmetic.
fn solve_in<S: ProductSpace>(
    machine: &Machine,
    discretisation: &Discretisation,
    settings: &Settings,
    read: impl FnOnce(&S, &Stream) -> Result<Vec<f64>, StreamError>,
) -> Result<(Vec<f64>, Outcome), DeviceError>
where
    EllpackProduct: Operator<S>,
    Diagonal: Operator<S>,
{
    let (hierarchy, _) = build::<S>(machine, discretisation, settings)?;
    let space = &hierarchy.level(0).space;
    let b = space.vector_of(&discretisation.right_side)?;
    let mut u = space.vector_of(&discretisation.start)?;
    let criteria = settings.criteria(hierarchy.residual_norm(&b, &u)?);
    let mut multigrid = Multigrid::new(&hierarchy, settings.cycle)?;
    let outcome = multigrid.solve(&b, &mut u, &criteria, |_, _| ())?;
    Ok((read(space, &u)?, outcome))
}

/// Defects in pairs of floats, a cycle in single precision for each correction.
fn solve_mixed(
    machine: &Machine,
    discretisation: &Discretisation,
    settings: &Settings,
) -> Result<(Vec<f64>, Outcome), DeviceError> {
    let (hierarchy, storage) = build::<TextureSpace>(machine, discretisation, settings)?;
    let single = &hierarchy.level(0).space;
    let pairs = PairSpace::new(machine, discretisation.right_side.len())?;
    let matrix = EllpackProduct::new(machine, &storage, Arithmetic::Pairs)?;
    let b = pairs.vector(&discretisation.right_side)?;
    let mut u = pairs.vector(&discretisation.start)?;
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
}
