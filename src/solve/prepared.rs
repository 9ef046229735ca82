//! A system's matrix before its upload: checked, scaled, and optionally balanced and coloured.

use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use web_time::Instant;

use super::error::SolveError;
use crate::base::memory;
use crate::kruger2003::MOST_BYTES;
use crate::layouts::quarters::count;
use crate::layouts::{Layout, QUARTERS, Stored};
use crate::solver::Csr;
use crate::solver::host::tree_dot;
use crate::solver::refinement::{Correction, Defect};
pub(super) use crate::solver::scaling::power_of_two;
use crate::stream::Machine;

use super::choice::LayoutChoice;
use super::colours::Colours;
use super::method::{Method, SYMMETRIC_TO};
use super::options::Options;

/// A matrix with the method and the layout that it will be solved by. A clone shares all of it.
#[derive(Clone)]
pub struct Prepared {
    /// A times `scale`.
    pub(super) a: Arc<Csr<f64>>,
    /// The power of two that brings the largest entry near 1, where squares neither overflow nor vanish
    /// in single precision.
    pub(super) scale: f64,
    /// The method asked for, or the one that suits the matrix.
    pub method: Method,
    /// The layout asked for, or the one expected to be fastest.
    pub layout: Layout,
    /// For corrections: by the diagonal for conjugate gradients with a preconditioner; for other methods by the
    /// largest entries, if these differ.
    pub(super) balance: Option<Arc<Balance>>,
    /// The balance by the largest entries, computed by the first method that needs it.
    equilibrated: Arc<OnceLock<Option<Arc<Balance>>>>,
    /// Maximum number of seconds of a decomposition, by its forecast.
    pub(super) most_seconds: f64,
    pub(super) choice: LayoutChoice,
    /// The matrix in textures, if products have been timed.
    pub(super) stored: Option<Rc<Stored>>,
    /// Time of the preparation.
    pub(super) seconds: f64,
}

impl Prepared {
    /// Prepares a matrix.
    pub fn new(a: &Csr<f64>, options: &Options) -> Result<Self, SolveError> {
        let started = Instant::now();
        check(a)?;
        let scale = power_of_two(a.values());
        let scaled = Arc::new(a.map(|value| value * scale));
        let may_balance =
            options.corrections > 0 && options.method.is_none_or(|m| m == Method::Pcg);
        let may_colour = options.layout.is_none_or(|layout| layout == QUARTERS);
        // The method that suits most matrices is prepared for while the matrix is looked at.
        let (method, balance) = rayon::join(
            || match options.method {
                Some(method) => check_for(a, method).map(|()| method),
                None => Ok(Method::suited_to(a)),
            },
            || may_balance.then(|| Balance::new(&scaled, may_colour)),
        );
        let method = method?;
        check_diagonal(a, &scaled, method)?;
        let layout = options.layout.unwrap_or_else(|| suited(a, method));
        if !method.takes(layout) {
            return Err(SolveError::Combination { method, layout });
        }
        let mut prepared = Self {
            balance: balance.map(|balance| Arc::new(balance.on(layout))),
            equilibrated: Arc::default(),
            most_seconds: f64::INFINITY,
            a: scaled,
            scale,
            method,
            layout,
            choice: LayoutChoice::default(),
            stored: None,
            seconds: 0.0,
        };
        if method != Method::Pcg {
            prepared.balance = prepared.equilibrated(options);
        }
        prepared.seconds = started.elapsed().as_secs_f64();
        Ok(prepared)
    }

    /// This system prepared for another method, in the chosen layout if the method takes it, otherwise in a suitable one.
    pub(super) fn by(&self, method: Method, options: &Options) -> Self {
        let layout = if method.takes(self.layout) { self.layout } else { suited(&self.a, method) };
        let balance = Self { method, ..self.clone() }.equilibrated(options);
        Self { method, layout, balance, stored: None, seconds: 0.0, ..self.clone() }
    }

    /// The balance by the largest entries, if it is needed and the method takes one.
    fn equilibrated(&self, options: &Options) -> Option<Arc<Balance>> {
        let methods = [Method::Minres, Method::Bicg, Method::Bicgstab, Method::Lu];
        if options.corrections == 0 || !methods.contains(&self.method) {
            return None;
        }
        let balance = || Balance::equilibrating(&self.a).map(Arc::new);
        self.equilibrated.get_or_init(balance).clone()
    }

    /// The number of iterated unknowns.
    pub fn unknowns(&self) -> usize {
        let colours = self.balance.as_ref().and_then(|b| b.colours.as_ref());
        colours.map_or(self.a.rows(), Colours::unknowns)
    }

    /// Checks that this machine can hold and solve it. Returns the maximum number of bytes of the matrix in
    /// graphics memory; their limit is the free main memory, unless another one is given.
    pub fn check(&self, machine: &Machine, limit: Option<u64>) -> Result<u64, SolveError> {
        let (method, layout) = (self.method, self.layout);
        let description = machine.description();
        if method.is_feedback() && !machine.has_feedback() {
            return Err(SolveError::NoBarrier { method });
        }
        let footprint = (layout.footprint)(&self.a, description.rectangle_limit)?;
        let bytes = footprint.bytes.saturating_mul(method.matrices());
        let most = limit.unwrap_or_else(|| memory::available().unwrap_or(u64::MAX));
        let of = match limit {
            _ if footprint.bytes > MOST_BYTES => Some("2.1 GB per matrix".to_owned()),
            _ if bytes <= most => None,
            Some(_) => Some(memory::in_words(most)),
            None => Some(memory::in_words(most) + " of free memory"),
        };
        let over = of.map(|most| {
            let need = memory::in_words(bytes);
            format!("would take about {need} of textures, over the limit of {most}")
        });
        match footprint.oversize(description.rectangle_limit).or(over) {
            Some(why) => Err(SolveError::TooLarge { method, layout, why }),
            None => Ok(bytes),
        }
    }
}

/// The layout that `solve` selects for a matrix by default: quarters if the diagonals are full enough, else the
/// first layout that the method supports.
pub fn suited(a: &Csr<f64>, method: Method) -> Layout {
    let has_quarters = method.layouts().contains(&QUARTERS);
    // At most two of three fetches may be of zeros, because an entry in rows takes three fetches.
    let [diagonals, order] = count(a);
    let are_full = diagonals * order <= 3 * a.entries();
    if has_quarters && are_full { QUARTERS } else { method.layouts()[0] }
}

/// Row and column factors R and C: (R A C) (C⁻¹ x) = R b is solved in place of A x = b.
///
/// Two kinds: powers of two near the reciprocal roots of the largest entries ([`equilibration`]), or the diagonal as
/// preconditioner.
///
/// Conjugate gradients with the preconditioner D = diag(A) take the same steps as without one for
///
/// ```text
/// (D^-1/2 A D^-1/2) (D^1/2 x) = D^-1/2 b
/// ```
///
/// (Y. Saad, *Iterative methods for sparse linear systems*, 2003, section 9.2). In these variables an iteration
/// has no pass that divides by the diagonal, and one inner product less.
pub(super) struct Balance {
    /// R
    rows: Vec<f64>,
    /// C
    columns: Vec<f64>,
    /// The power of two by which residuals are multiplied, so that single precision can hold them.
    scale: f64,
    /// R A C
    pub matrix: Csr<f64>,
    /// Its classes of unknowns, the first of which is not iterated.
    pub colours: Option<Colours>,
}

impl Balance {
    /// R = C = D^-1/2 for a matrix with a positive diagonal.
    fn new(a: &Csr<f64>, may_colour: bool) -> Self {
        let diagonal = a.diagonal().into_iter();
        let factors: Vec<f64> = diagonal.map(|entry| 1.0 / entry.sqrt()).collect();
        let balance = Self::of(a, factors.clone(), factors);
        Self { colours: may_colour.then(|| Colours::new(&balance.matrix)).flatten(), ..balance }
    }

    /// Without colours.
    fn of(a: &Csr<f64>, rows: Vec<f64>, columns: Vec<f64>) -> Self {
        let smallest = rows.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = rows.iter().copied().fold(0.0, f64::max);
        let scale = power_of_two(&[smallest.sqrt() * largest.sqrt()]);
        let matrix = a.clone().scaled(&rows, &columns);
        Self { rows, columns, scale, matrix, colours: None }
    }

    /// For a matrix of any kind. `None` if its rows and columns are of similar size.
    fn equilibrating(a: &Csr<f64>) -> Option<Self> {
        let [rows, columns] = equilibration(a);
        let is_needed = [&rows, &columns].into_iter().any(|factors| {
            let smallest = factors.iter().copied().fold(f64::INFINITY, f64::min);
            factors.iter().any(|factor| *factor >= DIFFERENT * smallest)
        });
        is_needed.then(|| Self::of(a, rows, columns))
    }

    /// Colours are only for quarters.
    fn on(self, layout: Layout) -> Self {
        Self { colours: self.colours.filter(|_| layout == QUARTERS), ..self }
    }

    /// Solves for a correction. Norms are passed on multiplied by the initial ‖r‖ / ‖D^-1/2 r‖, because the
    /// goal refers to ‖r‖.
    pub fn correct<E>(
        &self,
        defect: &Defect<'_>,
        solve: impl FnOnce(&Defect<'_>) -> Result<Correction, E>,
    ) -> Result<Correction, E> {
        let own = defect.residual.iter().zip(&self.rows);
        let own: Vec<f64> = own.map(|(&r, f)| f64::from(r) * f * self.scale).collect();
        let (first, own, factors) = match &self.colours {
            Some(colours) => {
                let [first, others] = colours.reduce(&own);
                let factors = colours.gather(1..colours.count(), &self.rows, 1.0);
                (first, others, factors)
            }
            None => (Vec::new(), own, self.rows.clone()),
        };
        let residual: Vec<f32> = own.iter().map(|&r| r as f32).collect();
        // The remaining fraction of ‖r‖ when the first class has no residual, estimated from two colours.
        let left = own.iter().zip(factors);
        let left: Vec<f64> = left.map(|(r, factor)| r / (factor * self.scale)).collect();
        let longer = match norm(&own) / norm(&left) {
            longer if longer.is_finite() => longer,
            _ => 1.0,
        };
        let mut correction = solve(&Defect {
            residual: &residual,
            norm: norm(&own),
            scale: defect.scale / longer,
            goal: defect.goal * longer,
            ..*defect
        })?;
        let mut values: Vec<f64> = correction.values.iter().map(|&d| f64::from(d)).collect();
        if let Some(colours) = &self.colours {
            values = colours.complete([&first, &values]);
        }
        let values = values.iter().zip(&self.columns);
        correction.values = values.map(|(v, f)| (v * f / self.scale) as f32).collect();
        correction.norms.iter_mut().for_each(|norm| *norm /= longer);
        Ok(correction)
    }
}

/// Factors of balanced rows or columns that differ by less than this are not worth a change of variables.
const DIFFERENT: f64 = 64.0;

/// Powers of two for the rows and columns of a matrix that bring the largest entry of each near one. They are equal if
/// the matrix is symmetric.
///
/// Source: D. Ruiz, *A scaling algorithm to equilibrate both rows and columns norms in matrices*, 2001.
pub(super) fn equilibration(a: &Csr<f64>) -> [Vec<f64>; 2] {
    let mut factors = [vec![1.0; a.rows()], vec![1.0; a.columns()]];
    for _ in 0..5 {
        let mut largest = [vec![0.0_f64; a.rows()], vec![0.0; a.columns()]];
        for (i, j, value) in a.triplets() {
            let value = (value * factors[0][i] * factors[1][j]).abs();
            largest[0][i] = largest[0][i].max(value);
            largest[1][j] = largest[1][j].max(value);
        }
        for (factor, largest) in factors.iter_mut().flatten().zip(largest.iter().flatten()) {
            *factor = if *largest > 0.0 { *factor / largest.sqrt() } else { 1.0 };
        }
    }
    // Corrections are in single precision, times the factors of the columns.
    let rounded = |factor: f64| 2.0_f64.powi(factor.log2().round().clamp(-40.0, 40.0) as i32);
    factors.map(|factors| factors.into_iter().map(rounded).collect())
}

pub(super) fn norm(values: &[f64]) -> f64 {
    tree_dot(values, values).sqrt()
}

/// Checks that no row or column of zeros makes A x = b singular. An unknown in no equation whose own equation is 0 = 0
/// does not affect the others.
pub fn check_lines(a: &Csr<f64>, b: &[f64]) -> Result<(), SolveError> {
    let [rows, columns] = a.lines_of_zeros();
    let is_harmless = rows == columns && rows.iter().all(|&row| b.get(row) == Some(&0.0));
    let first = rows.first().map(|&number| ("row", number));
    match first.or(columns.first().map(|&number| ("column", number))) {
        Some((line, number)) if !is_harmless => Err(SolveError::Singular { line, number }),
        _ => Ok(()),
    }
}

/// Checks that a matrix is square and finite.
fn check(a: &Csr<f64>) -> Result<(), SolveError> {
    let (rows, columns) = (a.rows(), a.columns());
    if rows != columns {
        return Err(SolveError::NotSquare { rows, columns });
    }
    if rows == 0 {
        return Err(SolveError::Empty);
    }
    if let Some((row, column, value)) = a.triplets().find(|(_, _, value)| !value.is_finite()) {
        return Err(SolveError::NotFinite { row, column, value });
    }
    Ok(())
}

/// Checks that a matrix has a diagonal that its method can use.
fn check_diagonal(a: &Csr<f64>, scaled: &Csr<f64>, method: Method) -> Result<(), SolveError> {
    let is_bad = |value: f64| match method {
        Method::Cg | Method::Pcg => value <= 0.0,
        // Entries that are zero in single precision cannot be divisors either.
        Method::GaussSeidel | Method::Multigrid => value as f32 == 0.0,
        _ => false,
    };
    let Some(row) = scaled.diagonal().into_iter().position(is_bad) else {
        return Ok(());
    };
    let value = a.get(row, row);
    Err(if method.is_conjugate_gradients() && value > 0.0 {
        SolveError::OutOfRange { row, value }
    } else if method.is_conjugate_gradients() {
        SolveError::NotPositive { row, value }
    } else {
        SolveError::ZeroDiagonal { row, value, method }
    })
}

/// Checks that a matrix is symmetric, if its method needs that.
fn check_for(a: &Csr<f64>, method: Method) -> Result<(), SolveError> {
    if !method.is_symmetric() {
        return Ok(());
    }
    match a.first_asymmetry(SYMMETRIC_TO) {
        Some((row, column)) => Err(SolveError::Asymmetric {
            row,
            column,
            values: [a.get(row, column), a.get(column, row)],
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_bring_the_largest_magnitude_between_one_and_two() {
        for largest in [1.0, 3.0, 1e-30, 7e200, 0.1] {
            let scaled = largest * power_of_two(&[0.0, -largest, largest / 2.0]);
            assert!((1.0..2.0).contains(&scaled), "{largest}: {scaled}");
        }
        assert_eq!(power_of_two(&[]), 1.0);
    }
}
