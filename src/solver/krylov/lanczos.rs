//! The condition number of M⁻¹A, a by-product of conjugate gradients.
//!
//! The α and β of the iterations give the tridiagonal matrix of Lanczos' process for M⁻¹A: on the diagonal
//! 1/α_k + β_{k−1}/α_{k−1}, next to it √β_k/α_k (Y. Saad, *Iterative methods for sparse linear systems*, 2003,
//! §6.7.3). Its eigenvalues are between those of M⁻¹A and approach the outermost ones first.

/// Bisection steps: to a relative accuracy of 1e-6 for numbers within twelve decades.
const STEPS: usize = 60;

/// α and β of every iteration of the present cycle, and of the longest earlier one.
#[derive(Debug, Default)]
pub(super) struct Coefficients([Vec<[f64; 2]>; 2]);

impl Coefficients {
    /// Starts a cycle.
    pub fn start(&mut self) {
        let [now, longest] = &mut self.0;
        if now.len() > longest.len() {
            std::mem::swap(now, longest);
        }
        now.clear();
    }

    /// Adds the coefficients of an iteration.
    pub fn push(&mut self, alpha: f64, beta: f64) {
        self.0[0].push([alpha, beta]);
    }

    /// Ratio of the largest to the smallest eigenvalue; `None` before the second iteration.
    pub fn condition(&self) -> Option<f64> {
        let coefficients = self.0.iter().max_by_key(|cycle| cycle.len())?;
        let (mut before, mut beside) = (0.0, 0.0);
        // The diagonal, and the square of the entry before it.
        let row = |&[alpha, beta]: &[f64; 2]| {
            let row = [1.0 / alpha + before, beside];
            (before, beside) = (beta / alpha, beta / (alpha * alpha));
            row
        };
        let matrix: Vec<[f64; 2]> = coefficients.iter().map(row).collect();
        // All eigenvalues are positive and at most the trace: bisection on a logarithmic scale.
        let trace = matrix.iter().map(|[diagonal, _]| diagonal).sum::<f64>();
        let eigenvalue = |number: usize| {
            let [mut low, mut high] = [1e-16 * trace, trace].map(f64::ln);
            for _ in 0..STEPS {
                let middle = (low + high) / 2.0;
                if below(&matrix, middle.exp()) >= number {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            high.exp()
        };
        let condition = eigenvalue(matrix.len()) / eigenvalue(1);
        (matrix.len() > 1 && condition.is_finite()).then_some(condition)
    }
}

/// Number of eigenvalues below `number`: negative pivots of the matrix minus that number (Sturm).
fn below(matrix: &[[f64; 2]], number: f64) -> usize {
    let mut pivot = 1.0;
    let mut count = 0;
    for &[diagonal, beside] in matrix {
        pivot = diagonal - number - beside / pivot;
        if pivot == 0.0 {
            pivot = f64::MIN_POSITIVE.sqrt();
        }
        count += usize::from(pivot < 0.0);
    }
    count
}
