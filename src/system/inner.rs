//! What solves in textures, in single precision: for a whole solution, or for a correction to one.

use std::cell::RefCell;

use crate::kruger2003::{AlgebraError, GaussSeidel, LuSolver, Schedule};
use crate::solver::refinement::{Correction, Defect};
use crate::solver::{
    Criteria, Csr, LinearSystem, Operator, Outcome, Progress, TextureSpace, Transposed, Workspace,
    biconjugate_gradients, stabilised_biconjugate_gradients,
};
use crate::stream::{Format, Layout as VectorLayout, Machine, Stream, StreamError};

use super::choice::{Layout, Method};
use super::colours::Colours;
use super::error::SystemError;
use super::options::Options;
use super::stored::{Diagonal, Stored, counted};

/// Shown how many iterations are done, and the norm of the residual as the recursion has it.
pub(super) type Observer<'a> = dyn FnMut(usize, f64) + 'a;

/// A matrix in textures with a method for it.
pub(super) enum Inner {
    /// A method on Krylov spaces.
    Krylov {
        method: Method,
        stored: Stored,
        /// The diagonal, if the method is to divide by it.
        preconditioner: Option<Diagonal>,
        workspace: RefCell<Workspace<TextureSpace>>,
    },
    /// Gauss–Seidel.
    Sweeps(TextureSpace, GaussSeidel),
    /// LU.
    Factors(TextureSpace, LuSolver),
    /// A matrix that LU found no pivot for, in this row.
    Singular(usize),
}

impl Inner {
    /// Stores a matrix as its method wants it, or what its colours leave.
    pub fn new(
        machine: &Machine,
        (a, colours): (&Csr<f64>, Option<&Colours>),
        (method, layout): (Method, Layout),
        options: &Options,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Self, SystemError> {
        let space = || -> Result<_, StreamError> {
            let vectors = VectorLayout::square(a.rows(), Format::R32F)?;
            TextureSpace::new(machine, vectors)
        };
        Ok(match method {
            Method::GaussSeidel => {
                let space = space()?;
                let sweeps = match layout {
                    Layout::Columns => GaussSeidel::by_columns(&space, a)?,
                    _ => GaussSeidel::new(&space, a, Schedule::default())?,
                };
                Self::Sweeps(space, sweeps)
            }
            Method::Lu => {
                let space = space()?;
                match LuSolver::observed(&space, a, progress) {
                    Ok(factors) => Self::Factors(space, factors),
                    Err(AlgebraError::ZeroPivot { row, .. }) => Self::Singular(row),
                    Err(error) => return Err(error.into()),
                }
            }
            _ => {
                let transposed = method == Method::Bicg;
                let stored = match colours {
                    Some(colours) => Stored::reduced(machine, colours)?,
                    None => Stored::new(machine, a, layout, &options.packing, transposed)?,
                };
                let is_divided_by = match method {
                    Method::Cg => false,
                    // Corrections are solved for in variables in which the diagonal is one.
                    Method::Pcg => !method.is_balanced(options.corrections),
                    _ => a.diagonal().iter().all(|&d| d as f32 != 0.0),
                };
                let preconditioner = is_divided_by.then(|| Diagonal::new(&stored, a));
                Self::Krylov {
                    preconditioner: preconditioner.transpose()?,
                    workspace: RefCell::new(Workspace::new(&stored.space)?),
                    stored,
                    method,
                }
            }
        })
    }

    /// How the matrix is stored, in a few words.
    pub fn words(&self) -> String {
        match self {
            Self::Krylov { stored, .. } => stored.words.clone(),
            Self::Sweeps(_, sweeps) => format!("{} a sweep", counted(sweeps.draws(), "draw")),
            Self::Factors(_, factors) => {
                let exchanged = factors.factors().permutation.iter().enumerate();
                let exchanged = exchanged.filter(|&(row, &from)| row != from).count();
                format!("{exchanged} rows exchanged")
            }
            Self::Singular(row) => format!("no pivot for row {}", row + 1),
        }
    }

    /// The condition as conjugate gradients have met it.
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
            Self::Singular(_) => unreachable!("nothing is solved with it"),
        }
    }

    /// A vector's entries.
    pub fn read(&self, vector: &Stream) -> Result<Vec<f32>, StreamError> {
        match self {
            Self::Krylov { stored, .. } => stored.read(vector),
            _ => vector.read(),
        }
    }

    /// Solves all in single precision, as the papers did, from the x given.
    pub fn solve(
        &self,
        b: &Stream,
        x: &mut Stream,
        criteria: &Criteria,
        observer: &mut Observer<'_>,
    ) -> Result<Outcome, StreamError> {
        self.run(b, x, criteria, None, observer)
    }

    /// Solves for a correction, with as many digits as are worth it; it is still to be read back.
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
            // The first one is that of the residual itself.
            norms: outcome.history.get(1..).unwrap_or_default().to_vec(),
            reason: outcome.reason,
        };
        Ok((correction, x))
    }

    fn run(
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
        match self {
            Self::Krylov {
                method,
                stored,
                preconditioner,
                workspace,
            } => {
                let space = &stored.space;
                let preconditioner = preconditioner.as_ref();
                let preconditioner = preconditioner.map(|d| d as &dyn Operator<TextureSpace>);
                let system = LinearSystem {
                    space,
                    operator: &*stored.matrix,
                    preconditioner,
                    b,
                };
                match (method, &stored.transpose, defect) {
                    (Method::Bicg, Some(transpose), _) => {
                        let transposed = Transposed {
                            operator: &**transpose,
                            preconditioner,
                        };
                        biconjugate_gradients(&system, &transposed, x, criteria, shown)
                    }
                    (Method::Bicgstab, ..) => {
                        stabilised_biconjugate_gradients(&system, x, criteria, shown)
                    }
                    (.., None) => workspace.borrow_mut().solve(&system, x, criteria, shown),
                    (.., Some(defect)) => {
                        let mut workspace = workspace.borrow_mut();
                        workspace.correction(&system, x, criteria, defect.rescaled, shown)
                    }
                }
            }
            Self::Sweeps(space, sweeps) => sweeps.solve(space, b, x, criteria, shown),
            Self::Factors(space, factors) => factors.solve(space, b, x, criteria, shown),
            Self::Singular(_) => unreachable!("nothing is solved with it"),
        }
    }
}
