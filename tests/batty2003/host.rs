//! The system in main memory and the CPU's solvers: their products and factorisations against dense ones, their
//! solutions.

use fragstream::batty2003::{
    IncompleteCholesky, MODIFIED, Preconditioner, PressureSolver, System, host_solver,
};
use fragstream::solver::{Criteria, HostSpace, Operator, VectorSpace};

use crate::batty2003::samples::{liquid_system, random_system};
use crate::common::{random, wide};

/// A, row by row.
fn dense(system: &System<f64>) -> Vec<Vec<f64>> {
    let n = system.cells();
    let strides = [1, system.size[0], system.size[0] * system.size[1]];
    let mut a = vec![vec![0.0; n]; n];
    for cell in 0..n {
        a[cell][cell] = system.diagonal[cell];
        for (axis, stride) in strides.into_iter().enumerate() {
            if system.upper[axis][cell] != 0.0 {
                a[cell][cell + stride] = system.upper[axis][cell];
                a[cell + stride][cell] = system.upper[axis][cell];
            }
        }
    }
    a
}

/// The incomplete factor L of a dense matrix, column by column: an update that meets a zero of A is
/// dropped, and the share τ of it taken off both its rows' diagonals.
fn incomplete_factor(mut a: Vec<Vec<f64>>, share: f64) -> Vec<Vec<f64>> {
    let n = a.len();
    let own: Vec<f64> = (0..n).map(|i| a[i][i]).collect();
    let mut l = vec![vec![0.0; n]; n];
    for m in 0..n {
        if own[m] == 0.0 {
            continue;
        }
        let e = if a[m][m] < 0.25 * own[m] { own[m] } else { a[m][m] };
        l[m][m] = e.sqrt();
        for i in m + 1..n {
            l[i][m] = a[i][m] / l[m][m];
        }
        for i in m + 1..n {
            for j in m + 1..=i {
                let update = l[i][m] * l[j][m];
                if i == j || a[i][j] != 0.0 {
                    a[i][j] -= update;
                } else {
                    a[i][i] -= share * update;
                    a[j][j] -= share * update;
                }
            }
        }
    }
    l
}

/// z with L Lᵀ z = r, and 0 where L has no pivot.
fn substitute(l: &[Vec<f64>], r: &[f64]) -> Vec<f64> {
    let n = r.len();
    let mut z = r.to_vec();
    let inverse = |i: usize| if l[i][i] == 0.0 { 0.0 } else { 1.0 / l[i][i] };
    for i in 0..n {
        let sum: f64 = (0..i).map(|j| l[i][j] * z[j]).sum();
        z[i] = (z[i] - sum) * inverse(i);
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| l[j][i] * z[j]).sum();
        z[i] = (z[i] - sum) * inverse(i);
    }
    z
}

#[test]
fn a_product_is_that_of_the_dense_matrix() {
    for (seed, size) in
        [[1, 1, 1], [4, 1, 1], [1, 5, 2], [4, 3, 2], [8, 5, 7]].into_iter().enumerate()
    {
        let system = random_system(size, seed as u64);
        let x = wide(&random(system.cells(), 99));
        let mut y = vec![0.0; x.len()];
        system.product(&x, &mut y);
        for (y, row) in y.iter().zip(dense(&system)) {
            let expected: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((y - expected).abs() < 1e-14, "{size:?}: {y} for {expected}");
        }
    }
}

#[test]
fn incomplete_factors_are_those_of_the_dense_matrix_without_fill() {
    for (seed, size) in [[1, 1, 1], [5, 1, 2], [2, 10, 9], [4, 2, 17]].into_iter().enumerate() {
        let system = liquid_system(size, seed as u64);
        for share in [0.0, MODIFIED] {
            let l = incomplete_factor(dense(&system), share);
            let expected = substitute(&l, &system.right_side);
            let space = HostSpace::new(system.cells());
            let ours = IncompleteCholesky::<f64>::new(&system, share);
            let mut z = space.zeros().unwrap();
            ours.apply(&space, &system.right_side, &mut z).unwrap();
            let scale = expected.iter().fold(1e-30, |scale: f64, z| scale.max(z.abs()));
            for (z, expected) in z.iter().zip(&expected) {
                assert!((z - expected).abs() < 1e-12 * scale, "{z} for {expected}");
            }
        }
    }
}

#[test]
fn every_choice_finds_the_same_pressure() {
    let system = liquid_system([6, 11, 9], 5);
    let criteria = Criteria { rtol: 1e-6, ..Criteria::default() };
    let mut expected = vec![0.0; system.cells()];
    let reference = Criteria { rtol: 1e-12, ..criteria };
    host_solver::<f64>(Preconditioner::None).solve(&system, &mut expected, &reference).unwrap();
    let scale = expected.iter().fold(0.0, |scale: f64, p| scale.max(p.abs()));
    assert!(scale > 0.1);
    for preconditioner in
        [Preconditioner::None, Preconditioner::Diagonal, Preconditioner::Ic, Preconditioner::Mic]
    {
        let solvers: [Box<dyn PressureSolver>; 2] = [
            Box::new(host_solver::<f32>(preconditioner)),
            Box::new(host_solver::<f64>(preconditioner)),
        ];
        for mut solver in solvers {
            // What lies outside the liquid is zeroed, not kept.
            let mut pressure = vec![1e6; system.cells()];
            let outcome = solver.solve(&system, &mut pressure, &criteria).unwrap();
            assert!(outcome.reason.is_converged(), "{outcome:?}");
            for ((found, expected), own) in pressure.iter().zip(&expected).zip(&system.diagonal) {
                assert!((found - expected).abs() < 1e-3 * scale, "{found} for {expected}");
                assert!(*own != 0.0 || *found == 0.0);
            }
        }
    }
}
