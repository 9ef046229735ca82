//! The methods, the layouts, and which of them go together.

use clap::ValueEnum;

use fragstream::geveler2011::products::RowFormat;

use super::super::arguments::name_of;
use super::super::failure::Failure;

/// How a matrix lies in textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Layout {
    /// Rows of like length, packed into rectangles (bolz2003, section 3.2)
    Rows,
    /// The diagonals that are not all zero, a texture each (kruger2003, section 2)
    Diagonals,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Conjugate gradients: for symmetric positive definite matrices
    Cg,
    /// Conjugate gradients with the diagonal as preconditioner, likewise
    Pcg,
    /// Gauss–Seidel by column sweeps: for any matrix for which it converges
    GaussSeidel,
    /// LU decomposition with partial pivoting, and iterative refinement: for any regular matrix
    Lu,
    /// Multigrid over the levels that --prolongation leads to, with Jacobi's method
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
    /// The layouts that it can work on, the best one first.
    fn layouts(self) -> &'static [Layout] {
        match self {
            Method::Cg | Method::Pcg => &[
                Layout::Rows,
                Layout::Diagonals,
                Layout::Columns,
                Layout::Points,
                Layout::Ellpack,
                Layout::EllpackR,
            ],
            Method::GaussSeidel => &[Layout::Points, Layout::Columns],
            Method::Lu => &[Layout::Columns],
            Method::Multigrid => &[Layout::Ellpack, Layout::EllpackR],
        }
    }

    /// Whether it needs a symmetric positive definite matrix.
    pub fn is_conjugate_gradients(self) -> bool {
        matches!(self, Method::Cg | Method::Pcg)
    }

    /// Whether it divides by the entries of the diagonal.
    pub fn divides_by_diagonal(self) -> bool {
        self != Method::Lu
    }

    /// The layout asked for, or the best one if none was.
    pub fn on(self, layout: Option<Layout>) -> Result<Layout, Failure> {
        let layouts = self.layouts();
        match layout {
            None => Ok(layouts[0]),
            Some(layout) if layouts.contains(&layout) => Ok(layout),
            Some(layout) => Err(Failure::input(format_args!(
                "--method {} does not work on --layout {}; there are: {}",
                name_of(self),
                name_of(layout),
                combinations()
            ))),
        }
    }
}

/// Every method with its layouts.
fn combinations() -> String {
    let methods = Method::value_variants().iter();
    let each = methods.map(|method| {
        let layouts = method.layouts().iter().copied().map(name_of);
        let layouts: Vec<String> = layouts.collect();
        format!("{} on {}", name_of(*method), layouts.join(", "))
    });
    each.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_method_has_a_layout_of_its_own_choice_and_refuses_others_by_name() {
        assert_eq!(Method::Cg.on(None).unwrap(), Layout::Rows);
        assert_eq!(Method::GaussSeidel.on(None).unwrap(), Layout::Points);
        assert_eq!(Method::Lu.on(None).unwrap(), Layout::Columns);
        let refused = Method::GaussSeidel.on(Some(Layout::Rows)).unwrap_err();
        for part in ["gauss-seidel", "rows", "lu on columns", "pcg on rows, diag"] {
            assert!(refused.message.contains(part), "{}", refused.message);
        }
    }
}
