//! The solver as fast as a CPU can (goodnight2003, Fig. 3) does what its twin does.

use fragstream::goodnight2003::problem::manufactured::{Coordinates, Kind, Manufactured};
use fragstream::goodnight2003::{CpuSolver, HostSolver, Settings};
use fragstream::solver::Cycle;

/// The same as the twin's cycles, but for rounding, for all sides and on one core or more.
#[test]
fn a_cycle_is_the_twins() {
    let [d, n, m] = Kind::ALL.map(Some);
    for (kinds, sizes) in [
        (
            [d, n, m, d],
            [(33, 33), (40, 29), (9, 6), (3, 5), (150, 131)],
        ),
        (
            [m, d, n, n],
            [(34, 17), (7, 12), (2, 9), (66, 66), (129, 257)],
        ),
        (
            [None, None, d, m],
            [(33, 30), (9, 9), (17, 5), (65, 12), (257, 129)],
        ),
        (
            [n, m, None, None],
            [(33, 33), (10, 17), (5, 9), (31, 65), (129, 257)],
        ),
        ([None; 4], [(17, 17), (33, 9), (5, 5), (65, 33), (129, 129)]),
    ] {
        for (columns, rows) in sizes {
            let coordinates = Coordinates::Conductive;
            let stated = Manufactured { coordinates, kinds };
            let (problem, _) = stated.problem(columns, rows).unwrap();
            let host = HostSolver::new(&problem, &Settings::default()).unwrap();
            let mut expected = host.level(0).start();
            host.cycles(3, Cycle::v(2, 1), &mut expected);
            let largest = expected.iter().fold(0.0f64, |a, b| a.max(b.abs()));
            for parallel in [false, true] {
                let mut cpu = CpuSolver::new(&host, 8, parallel);
                (0..3).for_each(|_| cpu.cycle(2, 1));
                for (node, (got, expected)) in cpu.solution().iter().zip(&expected).enumerate() {
                    assert!(
                        (f64::from(*got) - expected).abs() <= 1e-4 * largest,
                        "{} {columns} x {rows}, node {node}: {got} for {expected}",
                        stated.name()
                    );
                }
            }
        }
    }
}
