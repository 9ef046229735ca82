//! The Poisson equation of the stream function, solved exactly: by Fourier's method around the body and
//! elimination outwards.

use std::f64::consts::TAU;

use num_complex::Complex64 as Complex;

use super::formulas::Lattice;

/// Solves the equations of conformal coordinates with U = `wall` on the body and ∂U/∂ξ = `slope` far away,
/// for a power of two rows and the replica.
pub fn solve(lattice: &Lattice, f: &[f64], wall: &[f64], slope: f64) -> Vec<f64> {
    let (m, n) = (lattice.columns, lattice.rows - 1);
    assert!(n.is_power_of_two());
    let (across, along) = (
        lattice.step_eta / lattice.step_xi,
        lattice.step_xi / lattice.step_eta,
    );
    let transform = |column: &dyn Fn(usize) -> f64| {
        let mut z: Vec<Complex> = (0..n).map(|j| column(j).into()).collect();
        fourier(&mut z, -1.0);
        z
    };
    let mut columns: Vec<Vec<Complex>> = (0..m).map(|i| transform(&|j| f[j * m + i])).collect();
    columns[0] = transform(&|j| wall[j]);
    // Flow through the far end: s γ = Δη slope.
    columns[m - 1][0] -= n as f64 * lattice.step_eta * slope;
    for k in 0..n {
        let bend = 2.0 * along * ((TAU * k as f64 / n as f64).cos() - 1.0);
        let right: Vec<Complex> = columns.iter().map(|column| column[k]).collect();
        for (column, u) in columns.iter_mut().zip(eliminate(&right, across, bend)) {
            column[k] = u;
        }
    }
    let mut u = vec![0.0; m * (n + 1)];
    for (i, column) in columns.iter_mut().enumerate() {
        fourier(column, 1.0);
        for j in 0..=n {
            u[j * m + i] = column[j % n].re / n as f64;
        }
    }
    u
}

/// One mode, from the body outwards: U_i = p_i + q_i U_{i+1}.
fn eliminate(right: &[Complex], across: f64, bend: f64) -> Vec<Complex> {
    let (mut p, mut q) = (vec![right[0]], vec![0.0]);
    for i in 1..right.len() {
        let (east, diagonal) = if i + 1 == right.len() {
            (0.0, -across + 0.5 * bend)
        } else {
            (across, -2.0 * across + bend)
        };
        let pivot = diagonal + across * q[i - 1];
        p.push((right[i] - across * p[i - 1]) / pivot);
        q.push(-east / pivot);
    }
    let mut u = Complex::ZERO;
    for (p, q) in p.iter_mut().zip(&q).rev() {
        u = *p + q * u;
        *p = u;
    }
    p
}

/// Σ z_j e^{± 2πi jk/n}, in place.
fn fourier(z: &mut [Complex], sign: f64) {
    let n = z.len();
    if n == 1 {
        return;
    }
    let half = |offset: usize| -> Vec<Complex> { z[offset..].iter().step_by(2).copied().collect() };
    let (mut even, mut odd) = (half(0), half(1));
    fourier(&mut even, sign);
    fourier(&mut odd, sign);
    for k in 0..n / 2 {
        let t = Complex::cis(sign * TAU * k as f64 / n as f64) * odd[k];
        z[k] = even[k] + t;
        z[k + n / 2] = even[k] - t;
    }
}
