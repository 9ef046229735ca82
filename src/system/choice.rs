//! The methods, the layouts, and which of them go together.

use std::fmt;

use crate::geveler2011::products::RowFormat;
use crate::solver::Csr;

/// How a matrix lies in textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Layout {
    /// Rows of like length, packed into rectangles (bolz2003, section 3.2)
    Rows,
    /// The diagonals that are not all zero, a texture each (kruger2003, section 2)
    Diagonals,
    /// The same, for vectors of which each channel holds a quarter: a layout of our own
    Quarters,
    /// Every column, zeros too: for dense matrices (kruger2003, section 3.2)
    Columns,
    /// The entries, drawn as points: for sparse matrices (kruger2003, section 4.2)
    Points,
    /// Rows padded to the longest one (geveler2011, section 3.1)
    Ellpack,
    /// Rows that end at their own lengths (geveler2011, section 3.1): no program of 2003 could
    EllpackR,
}

/// The method that solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Method {
    /// Conjugate gradients: for symmetric positive definite matrices
    Cg,
    /// Conjugate gradients with the diagonal as preconditioner, likewise
    Pcg,
    /// Biconjugate gradients, with the transpose stored too (bolz2003, section 3.1) and the diagonal as
    /// preconditioner where it has no zero: for any regular matrix
    Bicg,
    /// BiCGSTAB, which needs no transpose, preconditioned likewise: for any regular matrix
    Bicgstab,
    /// Gauss–Seidel by column sweeps: for any matrix for which it converges
    GaussSeidel,
    /// LU decomposition with partial pivoting, and iterative refinement: for any regular matrix
    Lu,
    /// Multigrid over the levels that prolongations lead to, with Jacobi's method
    Multigrid,
}

impl Layout {
    /// Where rows end in ELLPACK, if it is that.
    pub fn row_format(self) -> Option<RowFormat> {
        match self {
            Layout::Ellpack => Some(RowFormat::Ellpack),
            Layout::EllpackR => Some(RowFormat::EllpackR),
            _ => None,
        }
    }
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Cg,
        Self::Pcg,
        Self::Bicg,
        Self::Bicgstab,
        Self::GaussSeidel,
        Self::Lu,
        Self::Multigrid,
    ];

    /// What suits a matrix: conjugate gradients with the diagonal as preconditioner where it is symmetric
    /// with a positive diagonal, else BiCGSTAB.
    pub fn suited_to(a: &Csr<f64>) -> Self {
        let is_positive = a.diagonal().iter().all(|&d| d > 0.0);
        match is_positive && a.first_asymmetry(SYMMETRIC_TO).is_none() {
            true => Self::Pcg,
            false => Self::Bicgstab,
        }
    }

    /// The layouts that it can work on, the best one first.
    pub fn layouts(self) -> &'static [Layout] {
        match self {
            Self::Cg | Self::Pcg | Self::Bicg | Self::Bicgstab => &[
                Layout::Rows,
                Layout::Diagonals,
                Layout::Quarters,
                Layout::Columns,
                Layout::Points,
                Layout::Ellpack,
                Layout::EllpackR,
            ],
            Self::GaussSeidel => &[Layout::Points, Layout::Columns],
            Self::Lu => &[Layout::Columns],
            Self::Multigrid => &[Layout::Ellpack, Layout::EllpackR],
        }
    }

    /// Whether it needs a symmetric positive definite matrix.
    pub fn is_conjugate_gradients(self) -> bool {
        matches!(self, Self::Cg | Self::Pcg)
    }

    /// Whether its corrections, if there are any, are solved for in variables in which the diagonal is one.
    pub(super) fn is_balanced(self, corrections: usize) -> bool {
        self == Self::Pcg && corrections > 0
    }

    /// Whether it divides by the entries of the diagonal, and so fails where one is zero.
    pub fn divides_by_diagonal(self) -> bool {
        !matches!(self, Self::Bicg | Self::Bicgstab | Self::Lu)
    }
}

/// |a_ij − a_ji| up to this share of the largest entry is rounding: far below single precision.
pub(super) const SYMMETRIC_TO: f64 = 1e-12;

/// Every method with its layouts.
pub fn combinations() -> String {
    let each = Method::ALL.map(|method| {
        let layouts: Vec<String> = method.layouts().iter().map(Layout::to_string).collect();
        format!("{method} on {}", layouts.join(", "))
    });
    each.join("; ")
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Rows => "rows",
            Self::Diagonals => "diagonals",
            Self::Quarters => "quarters",
            Self::Columns => "columns",
            Self::Points => "points",
            Self::Ellpack => "ellpack",
            Self::EllpackR => "ellpack-r",
        })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cg => "cg",
            Self::Pcg => "pcg",
            Self::Bicg => "bicg",
            Self::Bicgstab => "bicgstab",
            Self::GaussSeidel => "gauss-seidel",
            Self::Lu => "lu",
            Self::Multigrid => "multigrid",
        })
    }
}
