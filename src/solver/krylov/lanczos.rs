//! What conjugate gradients know of a matrix's spectrum without having asked.
//!
//! Their α and β are the entries of the tridiagonal matrix that Lanczos' process makes of M⁻¹A: on the
//! diagonal 1/α_k + β_{k−1}/α_{k−1}, beside it √β_k/α_k (Y. Saad, *Iterative methods for sparse linear
//! systems*, 2003, §6.7.3). Its eigenvalues lie between those of M⁻¹A and go towards the outermost ones
//! first.

/// Steps of a bisection: to a millionth, of numbers that may span twelve decades.
const STEPS: usize = 60;

/// α and β of every iteration since the method last started, and of the longest time before.
#[derive(Debug, Default)]
pub(super) struct Coefficients([Vec<[f64; 2]>; 2]);

impl Coefficients {
    /// The method starts.
    pub fn start(&mut self) {
        let [now, longest] = &mut self.0;
        if now.len() > longest.len() {
            std::mem::swap(now, longest);
        }
        now.clear();
    }

    /// Of an iteration.
    pub fn push(&mut self, alpha: f64, beta: f64) {
        self.0[0].push([alpha, beta]);
    }

    /// The condition by the longer of the two.
    pub fn condition(&self) -> Option<f64> {
        condition(self.0.iter().max_by_key(|cycle| cycle.len())?)
    }
}

/// The largest eigenvalue over the smallest one; `None` of less than two iterations, or where one of the
/// coefficients is not positive.
fn condition(coefficients: &[[f64; 2]]) -> Option<f64> {
    let fits = |[alpha, beta]: &[f64; 2]| {
        alpha.is_finite() && beta.is_finite() && *alpha > 0.0 && *beta >= 0.0
    };
    if coefficients.len() < 2 || !coefficients.iter().all(fits) {
        return None;
    }
    let mut before = 0.0;
    // The diagonal, and the square of the entry before it.
    let mut beside = 0.0;
    let mut matrix = Vec::with_capacity(coefficients.len());
    for &[alpha, beta] in coefficients {
        matrix.push([1.0 / alpha + before, beside]);
        before = beta / alpha;
        beside = beta / (alpha * alpha);
    }
    let norm = matrix.iter().map(|[diagonal, _]| diagonal).sum::<f64>();
    let smallest = eigenvalue(&matrix, norm, 1);
    let largest = eigenvalue(&matrix, norm, matrix.len());
    (smallest > 0.0).then(|| largest / smallest)
}

/// The eigenvalue with so many at or below it, all of which are positive and at most `bound`: bisection
/// on a scale of logarithms.
fn eigenvalue(matrix: &[[f64; 2]], bound: f64, number: usize) -> f64 {
    let [mut low, mut high] = [1e-16 * bound, bound].map(f64::ln);
    for _ in 0..STEPS {
        let middle = (low + high) / 2.0;
        match below(matrix, middle.exp()) >= number {
            true => high = middle,
            false => low = middle,
        }
    }
    high.exp()
}

/// How many eigenvalues are below a number: negative pivots of the matrix less that number (Sturm).
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
