//! Solvers in textures, in single precision: for a whole solution, or for a correction.

use std::cell::RefCell;
use std::rc::Rc;

use web_time::Instant;

use super::error::SolveError;
use crate::base::error::counted;
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::kruger2003::{Error, GaussSeidel, LuSolver};
use crate::layouts::{COLUMNS, Stored, Upload};
use crate::solver::refinement::{Correction, Defect};
use crate::solver::{
    Criteria, Csr, LinearSystem, Operation, Operator, Outcome, Progress, TextureSpace, Transposed,
    Workspace, biconjugate_gradients, minimal_residuals, stabilised_biconjugate_gradients,
};
use crate::stream::{Format, Layout as VectorLayout, Machine, Stream, StreamError};

use super::method::Method;
use super::options::Options;
use super::prepared::Prepared;

/// Columns that LU decomposes before its time is forecast.
pub const SAMPLE: usize = 16;

/// Seconds after which fewer columns suffice.
const MEASURED: f64 = 3.0;

/// Called with the number of iterations and the norm of the recursive residual.
pub(super) type Observer<'a> = dyn FnMut(usize, f64) + 'a;

/// A matrix in textures with a method for it.
pub(super) enum Inner {
    /// A method on Krylov spaces.
    Krylov {
        method: Method,
        stored: Rc<Stored>,
        /// The diagonal, if it is the preconditioner.
        preconditioner: Option<Box<Diagonal>>,
        workspace: Box<RefCell<Workspace<TextureSpace>>>,
    },
    /// Gauss–Seidel.
    Sweeps(TextureSpace, Box<GaussSeidel>),
    /// LU.
    Factors(TextureSpace, Box<LuSolver>),
    /// A matrix for which LU found no pivot, in this row.
    Singular(usize),
}

/// The matrix of a system in its layout.
pub(super) fn stored(
    machine: &Machine,
    system: &Prepared,
    options: &Options,
) -> Result<Stored, SolveError> {
    let mut packing = PackingOptions::default();
    packing.rectangle = options.rectangle.map_or(packing.rectangle, Into::into);
    let upload = Upload { transposed: system.method == Method::Bicg, packing };
    let balance = system.balance.as_ref();
    if let Some(colours) = balance.and_then(|balance| balance.colours.as_ref()) {
        return colours.upload(machine);
    }
    let own = balance.map_or(&*system.a, |balance| &balance.matrix);
    Ok((system.layout.store)(machine, own, &upload)?)
}

impl Inner {
    /// Stores a matrix for its method.
    pub fn new(
        machine: &Machine,
        system: &Prepared,
        options: &Options,
        progress: &mut dyn FnMut(usize, usize, f64),
    ) -> Result<Self, SolveError> {
        let a = &*system.a;
        let own = system.balance.as_ref().map_or(a, |balance| &balance.matrix);
        let space = || -> Result<_, StreamError> {
            TextureSpace::new(machine, VectorLayout::square(a.rows(), Format::R32F)?)
        };
        Ok(match system.method {
            Method::GaussSeidel => {
                let space = space()?;
                let sweeps = if system.layout == COLUMNS {
                    GaussSeidel::by_columns(&space, a)?
                } else {
                    GaussSeidel::new(&space, a)?
                };
                Self::Sweeps(space, Box::new(sweeps))
            }
            Method::Lu => {
                let space = space()?;
                let (started, mut seconds) = (Instant::now(), 0.0);
                let mut observed = |done: usize, all| {
                    let elapsed = started.elapsed().as_secs_f64();
                    seconds = elapsed * all as f64 / done as f64;
                    progress(done, all, seconds);
                    // The first columns also wait for their programs.
                    let is_measured = done >= SAMPLE || elapsed > MEASURED;
                    !is_measured || seconds <= system.most_seconds
                };
                match LuSolver::observed(&space, own, &mut observed) {
                    Ok(factors) => Self::Factors(space, Box::new(factors)),
                    Err(Error::ZeroPivot { row, .. }) => Self::Singular(row),
                    Err(Error::Ended(_)) => {
                        return Err(SolveError::TooSlow { method: Method::Lu, seconds });
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            method => {
                let balance = system.balance.as_ref();
                let stored = match &system.stored {
                    Some(stored) => Rc::clone(stored),
                    None => Rc::new(stored(machine, system, options)?),
                };
                let is_divided_by = match method {
                    Method::Cg | Method::Minres => false,
                    // A balanced matrix has a diagonal of ones.
                    Method::Pcg => balance.is_none(),
                    _ => own.diagonal().iter().all(|&d| d as f32 != 0.0),
                };
                let preconditioner = is_divided_by.then(|| Diagonal::new(&stored, own));
                Self::Krylov {
                    preconditioner: preconditioner.transpose()?.map(Box::new),
                    workspace: Box::new(RefCell::new(Workspace::new(&stored.space)?)),
                    stored,
                    method,
                }
            }
        })
    }

    /// Short description of the storage.
    pub fn words(&self) -> String {
        match self {
            Self::Krylov { stored, .. } => stored.words.clone(),
            Self::Sweeps(_, sweeps) => format!("{} per sweep", counted(sweeps.draws(), "draw")),
            Self::Factors(_, factors) => {
                let exchanged = factors.factors().permutation.iter().enumerate();
                let exchanged = exchanged.filter(|&(row, &from)| row != from).count();
                format!("{} exchanged", counted(exchanged, "row"))
            }
            Self::Singular(row) => format!("no pivot for row {}", row + 1),
        }
    }

    /// Estimate of the condition number by conjugate gradients.
    pub fn condition(&self) -> Option<f64> {
        match self {
            Self::Krylov { workspace, .. } => workspace.borrow().condition(),
            _ => None,
        }
    }

    /// A vector in textures.
    pub fn upload(&self, entries: &[f32]) -> Result<Stream, StreamError> {
        match self {
            Self::Krylov { stored, .. } => stored.vector(entries),
            Self::Sweeps(space, _) | Self::Factors(space, _) => space.vector(entries),
            Self::Singular(_) => unreachable!("a singular matrix solves nothing"),
        }
    }

    /// A vector's entries.
    pub fn read(&self, vector: &Stream) -> Result<Vec<f32>, StreamError> {
        match self {
            Self::Krylov { stored, .. } => stored.read(vector),
            _ => vector.read(),
        }
    }

    /// Solves for a correction to a sufficient number of digits. The result stays in textures.
    pub fn correct(
        &self,
        defect: &Defect<'_>,
        criteria: &Criteria,
        observer: &mut Observer<'_>,
    ) -> Result<(Correction, Stream), StreamError> {
        let b = self.upload(defect.residual)?;
        let mut x = self.upload(&vec![0.0; defect.residual.len()])?;
        let goes_on =
            matches!(self, Self::Krylov { method, .. } if method.is_conjugate_gradients());
        let criteria = defect.criteria(criteria, goes_on);
        let mut shown = |iteration: usize, residual: f64| {
            observer(defect.done + iteration, residual * defect.scale);
        };
        let outcome = self.run(&b, &mut x, &criteria, Some(defect), &mut shown)?;
        let correction = Correction {
            values: Vec::new(),
            shift: 0.0,
            // The first norm is that of the residual itself.
            norms: outcome.history.get(1..).unwrap_or_default().to_vec(),
            reason: outcome.reason,
        };
        Ok((correction, x))
    }

    /// Solves in single precision, as the papers did, from the given x. Corrections are verified elsewhere, in
    /// double precision.
    pub fn run(
        &self,
        b: &Stream,
        x: &mut Stream,
        criteria: &Criteria,
        defect: Option<&Defect<'_>>,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome, StreamError> {
        let shown = |progress: &Progress<'_, Stream>| {
            observer(progress.iteration, progress.residual);
        };
        let (method, stored, preconditioner, workspace) = match self {
            Self::Krylov { method, stored, preconditioner, workspace } => {
                (method, stored, preconditioner.as_deref(), workspace)
            }
            Self::Sweeps(space, sweeps) => return sweeps.solve(space, b, x, criteria, shown),
            Self::Factors(space, factors) => return factors.solve(space, b, x, criteria, shown),
            Self::Singular(_) => unreachable!("a singular matrix solves nothing"),
        };
        let preconditioner = preconditioner.map(|d| d as &dyn Operator<TextureSpace>);
        let system =
            LinearSystem { space: &stored.space, operator: &*stored.matrix, preconditioner, b };
        let mut workspace = workspace.borrow_mut();
        match (method, &stored.transpose) {
            (Method::Bicg, Some(transpose)) => {
                let transposed = Transposed { operator: &**transpose, preconditioner };
                biconjugate_gradients(&system, &transposed, x, criteria, shown)
            }
            (Method::Minres, _) => minimal_residuals(&system, x, criteria, shown),
            (Method::Bicgstab, _) => stabilised_biconjugate_gradients(&system, x, criteria, shown),
            _ => match defect {
                Some(defect) => workspace.correction(&system, x, criteria, defect.rescaled, shown),
                None => workspace.solve(&system, x, criteria, shown),
            },
        }
    }
}

/// z ← D⁻¹ r by a product with the reciprocals, which are stored like the vectors: these may hold four rows per
/// texel, but [`crate::solver::TextureDiagonal`] has one.
pub(super) struct Diagonal(Stream);

impl Diagonal {
    /// The reciprocal diagonal of a matrix; zero entries give zero.
    fn new(stored: &Stored, a: &Csr<f64>) -> Result<Self, StreamError> {
        let reciprocal = |entry: f64| match 1.0 / entry as f32 {
            reciprocal if reciprocal.is_finite() => reciprocal,
            _ => 0.0,
        };
        let reciprocals: Vec<f32> = a.diagonal().into_iter().map(reciprocal).collect();
        stored.vector(&reciprocals).map(Self)
    }
}

impl Operator<TextureSpace> for Diagonal {
    fn apply(&self, space: &TextureSpace, r: &Stream, z: &mut Stream) -> Result<(), StreamError> {
        space.combine(Operation::Multiply, (1.0, &self.0), (1.0, r), z)
    }
}
