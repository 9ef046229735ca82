//! Multigrid on the GPU, entirely by sparse matrix–vector products (geveler2011 §2).

use std::rc::Rc;

use crate::solver::multigrid::iterate;
use crate::solver::multigrid::matrix_hierarchy::{MatrixLevel, Transfer};
use crate::solver::{
    Csr, Hierarchy, MatrixHierarchy, Multigrid, Operator, Outcome, TextureSpace, VectorSpace,
};
use crate::stream::{Machine, StreamError};

use super::discretisation::Discretisation;
use super::error::Error;
use super::product::{Arithmetic, Diagonal, EllpackProduct};
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
        matrix: &Csr<f64>,
    ) -> Result<Box<dyn Operator<S>>, Error> {
        Ok(match self.settings.smoother {
            Smoother::Jacobi => {
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
        let level = |(matrix, product): (&Csr<f64>, EllpackProduct)| {
            let space = S::of(self.machine, matrix.rows(), self.arithmetic)?;
            Ok(MatrixLevel {
                preconditioner: self.smoother(&space, matrix)?,
                matrix: Box::new(product),
                space,
            })
        };
        let levels = of.matrices.iter().zip(products).map(level);
        let levels = levels.collect::<Result<_, Error>>()?;
        let transfer = |(r, p): (&Csr<f64>, &Csr<f64>)| {
            Ok(Transfer {
                restriction: Box::new(self.product(r)?),
                prolongation: Box::new(self.product(p)?),
            })
        };
        let transfers = of.restrictions.iter().zip(&of.prolongations).map(transfer);
        let transfers = transfers.collect::<Result<_, Error>>()?;
        let coarsest = self.settings.coarsest();
        let hierarchy = MatrixHierarchy::new(levels, transfers, coarsest, self.settings.omega)?;
        Ok((hierarchy, finest))
    }

    /// Prepares a solve entirely in this arithmetic.
    fn prepare<S: ProductSpace>(&self) -> Result<Prepared, Error> {
        let (hierarchy, _) = self.build::<S>()?;
        let space = &hierarchy.level(0).space;
        let b = space.vector_of(&self.discretisation.right_side)?;
        let start = space.vector_of(&self.discretisation.start)?;
        let settings = *self.settings;
        Ok(Prepared(Box::new(move || {
            let space = &hierarchy.level(0).space;
            let mut u = space.zeros()?;
            space.copy(&start, &mut u)?;
            let criteria = settings.criteria(hierarchy.residual_norm(&b, &u)?);
            let mut multigrid = Multigrid::new(&hierarchy, settings.cycle)?;
            let outcome = multigrid.solve(&b, &mut u, &criteria, |_, _| ())?;
            Ok((space.entries_of(&u)?, outcome))
        })))
    }

    /// Prepares a solve with defects in pairs of floats and a single-precision cycle per correction.
    fn prepare_mixed(&self) -> Result<Prepared, Error> {
        let (hierarchy, storage) = self.build::<TextureSpace>()?;
        let n = self.discretisation.right_side.len();
        let pairs = PairSpace::of(self.machine, n, Arithmetic::Pairs)?;
        let matrix = EllpackProduct::new(self.machine, &storage, Arithmetic::Pairs)?;
        let b = pairs.vector_of(&self.discretisation.right_side)?;
        let start = pairs.vector_of(&self.discretisation.start)?;
        let settings = *self.settings;
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
            Ok((pairs.entries_of(&u)?, outcome))
        })))
    }
}

/// The hierarchy itself, for callers that run their own cycles.
///
/// # Errors
/// [`Error::Stream`] for a driver without this arithmetic, or a matrix over its limit; [`Error::Matrix`] for a
/// matrix without the smoother.
pub fn hierarchy<S: ProductSpace>(
    machine: &Machine,
    discretisation: &Discretisation,
    settings: &Settings,
    arithmetic: Arithmetic,
) -> Result<MatrixHierarchy<S>, Error> {
    let builder = Builder { machine, discretisation, settings, arithmetic };
    Ok(builder.build()?.0)
}

/// u, and the outcome. Iterations are cycles.
pub type Solved = Result<(Vec<f64>, Outcome), Error>;

/// Solves a discretisation on the GPU.
///
/// # Errors
/// Those of [`Prepared::new`]. A solve that does not converge is a reason in the outcome.
pub fn solve(
    machine: &Machine,
    discretisation: &Discretisation,
    settings: &Settings,
    precision: Precision,
) -> Solved {
    Prepared::new(machine, discretisation, settings, precision)?.solve()
}

/// A discretisation on the GPU, ready to be solved.
pub struct Prepared(Box<dyn Fn() -> Solved>);

impl Prepared {
    /// Uploads all levels, and compiles the programs.
    ///
    /// # Errors
    /// [`Error::Stream`] for a driver without this precision, or a matrix over its limit; [`Error::Matrix`] for a
    /// matrix without the smoother.
    pub fn new(
        machine: &Machine,
        discretisation: &Discretisation,
        settings: &Settings,
        precision: Precision,
    ) -> Result<Self, Error> {
        let builder = |arithmetic| Builder { machine, discretisation, settings, arithmetic };
        match precision {
            Precision::Single => builder(Arithmetic::Single).prepare::<TextureSpace>(),
            Precision::Native => builder(Arithmetic::Native).prepare::<PairSpace>(),
            Precision::Pairs => builder(Arithmetic::Pairs).prepare::<PairSpace>(),
            Precision::Mixed => builder(Arithmetic::Single).prepare_mixed(),
        }
    }

    /// Solves it, from the discretisation's start.
    ///
    /// # Errors
    /// [`Error::Stream`] for a failure of the driver.
    pub fn solve(&self) -> Solved {
        (self.0)()
    }
}
