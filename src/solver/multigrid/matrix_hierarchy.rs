//! A hierarchy of matrices: relaxation, restriction and prolongation are matrix–vector products (geveler2011
//! §2).
//!
//! A sweep is the defect correction u ← u + ω M⁻¹ (b − A u). M⁻¹ is the inverse diagonal in Jacobi's method and
//! an approximate inverse in others. The code does not depend on where matrices and vectors are stored: with
//! [`Csr`](crate::solver::Csr) and [`HostSpace`](crate::solver::HostSpace) the hierarchy runs in main memory,
//! with texture products and a texture space on the GPU.

use std::cell::RefCell;

use super::{Hierarchy, Start};
use crate::solver::krylov::conjugate_gradients::conjugate_gradients;
use crate::solver::space::{Operator, VectorSpace};
use crate::solver::stopping::Criteria;

/// A level: its vectors and its matrices.
pub struct MatrixLevel<S: VectorSpace> {
    /// Space of its vectors.
    pub space: S,
    /// A
    pub matrix: Box<dyn Operator<S>>,
    /// M⁻¹
    pub preconditioner: Box<dyn Operator<S>>,
}

/// Restriction and prolongation between two levels.
pub struct Transfer<S: VectorSpace> {
    /// R, from the level to the coarser one.
    pub restriction: Box<dyn Operator<S>>,
    /// P, from the coarser level to this one.
    pub prolongation: Box<dyn Operator<S>>,
}

/// All levels, from the finest to the coarsest.
pub struct MatrixHierarchy<S: VectorSpace> {
    levels: Vec<MatrixLevel<S>>,
    transfers: Vec<Transfer<S>>,
    coarsest: Criteria,
    omega: f64,
    /// Residual and correction of each level.
    scratch: Vec<RefCell<[S::Vector; 2]>>,
}

impl<S: VectorSpace> MatrixHierarchy<S> {
    /// The hierarchy of these levels, with the damping factor `omega`. The coarsest level is solved by conjugate
    /// gradients with its preconditioner, from the present u, to the criteria.
    ///
    /// # Panics
    /// Unless there is one transfer between each level and the next.
    pub fn new(
        levels: Vec<MatrixLevel<S>>,
        transfers: Vec<Transfer<S>>,
        coarsest: Criteria,
        omega: f64,
    ) -> Result<Self, S::Error> {
        assert_eq!(levels.len(), transfers.len() + 1, "a transfer between levels");
        let vectors = |level: &MatrixLevel<S>| {
            let space = &level.space;
            Ok(RefCell::new([space.zeros()?, space.zeros()?]))
        };
        Ok(Self {
            scratch: levels.iter().map(vectors).collect::<Result<_, _>>()?,
            levels,
            transfers,
            coarsest,
            omega,
        })
    }

    /// A level; 0 is the finest.
    pub fn level(&self, level: usize) -> &MatrixLevel<S> {
        &self.levels[level]
    }

    /// r ← b − A u
    fn residual(
        &self,
        level: usize,
        b: &S::Vector,
        u: &S::Vector,
        r: &mut S::Vector,
    ) -> Result<(), S::Error> {
        let MatrixLevel { space, matrix, .. } = &self.levels[level];
        matrix.residual(space, b, u, r)
    }
}

impl<S: VectorSpace> Hierarchy for MatrixHierarchy<S> {
    type Vector = S::Vector;
    type Error = S::Error;

    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn zeros(&self, level: usize) -> Result<S::Vector, S::Error> {
        self.levels[level].space.zeros()
    }

    fn relax(
        &self,
        level: usize,
        sweeps: usize,
        start: Start,
        b: &S::Vector,
        u: &mut S::Vector,
    ) -> Result<(), S::Error> {
        let scratch = &mut *self.scratch[level].borrow_mut();
        let MatrixLevel { space, preconditioner, .. } = &self.levels[level];
        if start == Start::Zero {
            space.subtract(b, b, u)?;
        }
        for sweep in 0..sweeps {
            // From zero, the residual is b.
            if sweep == 0 && start == Start::Zero {
                preconditioner.apply(space, b, &mut scratch[1])?;
            } else {
                let [residual, correction] = scratch;
                self.residual(level, b, u, residual)?;
                preconditioner.apply(space, residual, correction)?;
            }
            space.axpy(u, self.omega, &scratch[1])?;
        }
        Ok(())
    }

    fn solve_coarsest(
        &self,
        start: Start,
        b: &S::Vector,
        u: &mut S::Vector,
    ) -> Result<(), S::Error> {
        let MatrixLevel { space, matrix, preconditioner } = &self.levels[self.levels.len() - 1];
        if start == Start::Zero {
            space.subtract(b, b, u)?;
        }
        let mut criteria = self.coarsest;
        if self.levels.len() == 1 && start == Start::Given {
            // There is no correction from zero: reduce what the last cycle has left, not b.
            criteria.atol = criteria.rtol * self.residual_norm(b, u)?;
            criteria.rtol = 0.0;
        }
        // Whatever the reason to stop, u has improved: the cycle continues.
        let inverse = Some(&**preconditioner);
        conjugate_gradients(space, &**matrix, inverse, b, u, &criteria, |_| ())?;
        Ok(())
    }

    fn project_residual(
        &self,
        level: usize,
        b: &S::Vector,
        u: &S::Vector,
        coarse: &mut S::Vector,
    ) -> Result<(), S::Error> {
        let [residual, _] = &mut *self.scratch[level].borrow_mut();
        self.residual(level, b, u, residual)?;
        self.project(level, residual, coarse)
    }

    fn project(
        &self,
        level: usize,
        fine: &S::Vector,
        coarse: &mut S::Vector,
    ) -> Result<(), S::Error> {
        let space = &self.levels[level + 1].space;
        self.transfers[level].restriction.apply(space, fine, coarse)
    }

    fn correct(&self, level: usize, coarse: &S::Vector, u: &mut S::Vector) -> Result<(), S::Error> {
        let [correction, _] = &mut *self.scratch[level].borrow_mut();
        self.interpolate(level, coarse, correction)?;
        self.levels[level].space.axpy(u, 1.0, correction)
    }

    fn interpolate(
        &self,
        level: usize,
        coarse: &S::Vector,
        u: &mut S::Vector,
    ) -> Result<(), S::Error> {
        let space = &self.levels[level].space;
        self.transfers[level].prolongation.apply(space, coarse, u)
    }

    fn residual_norm(&self, b: &S::Vector, u: &S::Vector) -> Result<f64, S::Error> {
        let [residual, _] = &mut *self.scratch[0].borrow_mut();
        self.residual(0, b, u, residual)?;
        self.norm(residual)
    }

    fn norm(&self, b: &S::Vector) -> Result<f64, S::Error> {
        Ok(self.levels[0].space.dot(b, b)?.sqrt())
    }
}
