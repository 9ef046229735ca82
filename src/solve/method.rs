//! The methods and their layouts.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::layouts::{ALL, COLUMNS, ELLPACK, ELLPACK_R, Layout, POINTS};
use crate::solver::Csr;

/// Method of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Method {
    /// Conjugate gradients: for symmetric positive definite matrices
    Cg,
    /// Conjugate gradients with the diagonal as preconditioner, for the same matrices
    Pcg,
    /// MINRES: for any nonsingular symmetric matrix
    Minres,
    /// Biconjugate gradients, with the transpose stored, too (bolz2003 §3.1), and the diagonal as
    /// preconditioner if it has no zero: for any nonsingular matrix
    Bicg,
    /// BiCGSTAB, which needs no transpose, with the same preconditioner: for any nonsingular matrix
    Bicgstab,
    /// Gauss–Seidel by column sweeps: for any matrix for which it converges
    GaussSeidel,
    /// LU decomposition with partial pivoting, and iterative refinement: for any nonsingular matrix
    Lu,
    /// Multigrid over the levels of given prolongations, with Jacobi's method
    Multigrid,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 8] = [
        Self::Cg,
        Self::Pcg,
        Self::Minres,
        Self::Bicg,
        Self::Bicgstab,
        Self::GaussSeidel,
        Self::Lu,
        Self::Multigrid,
    ];

    /// The method that suits a matrix: BiCGSTAB if it is not symmetric; if it is, conjugate gradients with the
    /// diagonal as preconditioner if that is positive, and MINRES otherwise.
    pub fn suited_to(a: &Csr<f64>) -> Self {
        let is_positive = || a.diagonal().iter().all(|&d| d > 0.0);
        match a.first_asymmetry(SYMMETRIC_TO) {
            Some(_) => Self::Bicgstab,
            None if is_positive() => Self::Pcg,
            None => Self::Minres,
        }
    }

    /// The supported layouts, the usual one first.
    pub fn layouts(self) -> &'static [Layout] {
        match self {
            Self::Cg | Self::Pcg | Self::Minres | Self::Bicg | Self::Bicgstab => ALL,
            Self::GaussSeidel => &[POINTS, COLUMNS],
            Self::Lu => &[COLUMNS],
            Self::Multigrid => &[ELLPACK, ELLPACK_R],
        }
    }

    /// Tests whether it supports a layout: methods that only multiply support any, also one outside this crate.
    pub fn takes(self, layout: Layout) -> bool {
        let own = self.layouts();
        own.len() == ALL.len() || own.contains(&layout)
    }

    /// Tests whether it needs a symmetric positive definite matrix.
    pub fn is_conjugate_gradients(self) -> bool {
        matches!(self, Self::Cg | Self::Pcg)
    }

    /// Tests whether it needs a symmetric matrix.
    pub fn is_symmetric(self) -> bool {
        matches!(self, Self::Cg | Self::Pcg | Self::Minres)
    }

    /// Number of matrices that it stores.
    pub(super) fn matrices(self) -> u64 {
        match self {
            Self::Lu | Self::GaussSeidel => 3,
            Self::Bicg => 2,
            Self::Bicgstab | Self::Minres | Self::Cg | Self::Pcg | Self::Multigrid => 1,
        }
    }

    /// Number of products with the matrix or its transpose per iteration.
    pub(super) fn products(self) -> usize {
        match self {
            Self::Bicg | Self::Bicgstab => 2,
            _ => 1,
        }
    }

    /// Tests whether it reads its target.
    pub fn is_feedback(self) -> bool {
        matches!(self, Self::GaussSeidel | Self::Lu)
    }
}

/// |a_ij − a_ji| up to this fraction of the largest entry counts as rounding: far below single precision.
pub(super) const SYMMETRIC_TO: f64 = 1e-12;

/// Every method with its layouts.
pub fn combinations() -> String {
    let each = Method::ALL.map(|method| {
        let layouts: Vec<String> =
            method.layouts().iter().map(|layout| layout.to_string()).collect();
        format!("{method} on {}", layouts.join(", "))
    });
    each.join("; ")
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The names of serde, as on the command line.
        self.serialize(f)
    }
}
