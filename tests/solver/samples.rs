//! Ill-conditioned matrices from formulas: a bar, a plate, a network; and one that is not symmetric.

use fragstream::base::random::SplitMix64;
use fragstream::solver::{Criteria, Csr, HostSpace, LinearSystem, Workspace};

/// A x
pub fn times(a: &Csr<f64>, x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; a.rows()];
    a.multiply(x, &mut y).unwrap();
    y
}

/// The tridiagonal matrix of n rows with this number on its diagonal and −1 next to it.
pub fn chain(n: usize, diagonal: f64) -> Csr<f64> {
    let links = (1..n).flat_map(|k| [(k, k - 1, -1.0), (k - 1, k, -1.0)]);
    Csr::from_triplets(n, n, links.chain((0..n).map(|k| (k, k, diagonal)))).unwrap()
}

/// A bar of n elements, fixed at both ends, whose stiffness goes smoothly from 1 to `ratio` and back
/// several times: finite elements in one dimension.
pub fn bar(n: usize, ratio: f64) -> Csr<f64> {
    let stiffness = |k: usize| {
        let phase = 9.0 * k as f64 / n as f64;
        ratio.powf(0.5 + 0.5 * phase.sin())
    };
    let rows = (0..n).flat_map(|i| {
        let [left, right] = [stiffness(i), stiffness(i + 1)];
        let beside = (i + 1 < n).then_some([(i, i + 1, -right), (i + 1, i, -right)]);
        beside.into_iter().flatten().chain([(i, i, left + right)])
    });
    Csr::from_triplets(n, n, rows).unwrap()
}

/// A membrane of m × m points: −Δ, five entries a row.
pub fn membrane(m: usize) -> Csr<f64> {
    let n = m * m;
    let rows = (0..n).flat_map(|i| {
        let (x, y) = (i % m, i / m);
        let beside = [
            (x > 0).then(|| i - 1),
            (x + 1 < m).then_some(i + 1),
            (y > 0).then(|| i.wrapping_sub(m)),
            (y + 1 < m).then_some(i + m),
        ];
        let beside = beside.into_iter().flatten().map(move |j| (i, j, -1.0));
        beside.chain([(i, i, 4.0)])
    });
    Csr::from_triplets(n, n, rows).unwrap()
}

/// The membrane minus a shift between its eigenvalues: symmetric and indefinite.
pub fn helmholtz(m: usize, shift: f64) -> Csr<f64> {
    let entries = membrane(m).triplets().collect::<Vec<_>>();
    let shifts = (0..m * m).map(|i| (i, i, -shift));
    Csr::from_triplets(m * m, m * m, entries.into_iter().chain(shifts)).unwrap()
}

/// A plate of m × m points whose bending stiffness varies by `ratio`: Δ k Δ, thirteen entries a row.
pub fn plate(m: usize, ratio: f64) -> Csr<f64> {
    let (n, laplacian) = (m * m, membrane(m));
    let bent = (0..n).map(|i| (i, i, ratio.powf((5.0 * i as f64 / n as f64).sin().abs())));
    let stiffness = Csr::from_triplets(n, n, bent).unwrap();
    stiffness.triple_product(&laplacian, &laplacian).unwrap()
}

/// A network of n nodes with links of resistances over three decades, all leaking a little: the Laplacian
/// of a random graph plus a small diagonal.
pub fn network(n: usize, leak: f64) -> Csr<f64> {
    let mut random = SplitMix64::new(7);
    let mut entries: Vec<(usize, usize, f64)> = (0..n).map(|i| (i, i, leak)).collect();
    for i in 0..3 * n {
        let (i, j) = (i % n, (random.signed().abs() * n as f64) as usize % n);
        let weight = 10.0_f64.powf(-3.0 * random.signed().abs());
        if i != j {
            entries.extend([(i, i, weight), (j, j, weight), (i, j, -weight), (j, i, -weight)]);
        }
    }
    Csr::from_triplets(n, n, entries).unwrap()
}

/// Diffusion and a wind across a grid of m × m points: upwind, so that the diagonal dominates, and far
/// from symmetric.
pub fn wind(m: usize) -> Csr<f64> {
    let n = m * m;
    let rows = (0..n).flat_map(|i| {
        let (x, y) = (i % m, i / m);
        let beside = [
            (x > 0).then(|| (i, i - 1, -3.0)),
            (x + 1 < m).then_some((i, i + 1, -1.0)),
            (y > 0).then(|| (i, i.wrapping_sub(m), -2.0)),
            (y + 1 < m).then_some((i, i + m, -1.0)),
        ];
        beside.into_iter().flatten().chain([(i, i, 7.5)])
    });
    Csr::from_triplets(n, n, rows).unwrap()
}

/// What conjugate gradients in double precision, run to the end, say of the condition.
pub fn condition(a: &Csr<f64>) -> f64 {
    let space = HostSpace::new(a.rows());
    let b = SplitMix64::new(3).vector(a.rows());
    let b: Vec<f64> = b.into_iter().map(f64::from).collect();
    let system = LinearSystem { space: &space, operator: a, preconditioner: None, b: &b };
    let mut workspace = Workspace::new(&space).unwrap();
    let mut x = vec![0.0; a.rows()];
    let criteria = Criteria { rtol: 1e-12, ..Criteria::default() };
    let outcome = workspace.recursion(&system, &mut x, &criteria, |_| ());
    assert!(outcome.unwrap().reason.is_converged());
    workspace.condition().unwrap()
}
