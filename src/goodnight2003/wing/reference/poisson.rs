//! The Poisson equation of the stream function, solved exactly: by Fourier's method round the body and
//! elimination outwards.

use std::f64::consts::{PI, TAU};

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
        let mut z: Vec<[f64; 2]> = (0..n).map(|j| [column(j), 0.0]).collect();
        fourier(&mut z, -1.0);
        z
    };
    let mut columns: Vec<Vec<[f64; 2]>> = (0..m).map(|i| transform(&|j| f[j * m + i])).collect();
    columns[0] = transform(&|j| wall[j]);
    // Flow through the far end: s γ = Δη slope.
    columns[m - 1][0][0] -= n as f64 * lattice.step_eta * slope;
    for k in 0..n {
        let bend = 2.0 * along * ((TAU * k as f64 / n as f64).cos() - 1.0);
        for part in 0..2 {
            let right: Vec<f64> = columns.iter().map(|column| column[k][part]).collect();
            let solution = eliminate(&right, across, bend);
            for (column, u) in columns.iter_mut().zip(solution) {
                column[k][part] = u;
            }
        }
    }
    let mut u = vec![0.0; m * (n + 1)];
    for (i, column) in columns.iter_mut().enumerate() {
        fourier(column, 1.0);
        for j in 0..=n {
            u[j * m + i] = column[j % n][0] / n as f64;
        }
    }
    u
}

/// One mode, from the body outwards: U_i = p_i + q_i U_{i+1}.
fn eliminate(right: &[f64], across: f64, bend: f64) -> Vec<f64> {
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
    let mut u = 0.0;
    for (p, q) in p.iter_mut().zip(&q).rev() {
        u = *p + q * u;
        *p = u;
    }
    p
}

/// Σ z_j e^{± 2πi jk/n}, in place.
fn fourier(z: &mut [[f64; 2]], sign: f64) {
    let n = z.len();
    if n == 1 {
        return;
    }
    let half =
        |offset: usize| -> Vec<[f64; 2]> { z[offset..].iter().step_by(2).copied().collect() };
    let (mut even, mut odd) = (half(0), half(1));
    fourier(&mut even, sign);
    fourier(&mut odd, sign);
    for k in 0..n / 2 {
        let (s, c) = (sign * 2.0 * PI * k as f64 / n as f64).sin_cos();
        let t = [c * odd[k][0] - s * odd[k][1], s * odd[k][0] + c * odd[k][1]];
        z[k] = [even[k][0] + t[0], even[k][1] + t[1]];
        z[k + n / 2] = [even[k][0] - t[0], even[k][1] - t[1]];
    }
}
