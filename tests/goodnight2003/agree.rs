//! The solver on the GPU against the CPU's (goodnight2003 §5.1): the same cycles within the effect of
//! rounding errors, and the same operators.

use crate::common::machine;
use fragstream::goodnight2003::Settings;
use fragstream::goodnight2003::claims::agree::{
    agreement, problems, reference, smallest_eigenvalue,
};
use fragstream::goodnight2003::{Equations, Level, Solver};

/// The bound is derived where it is computed. A weight or a side that is wrong changes the first
/// cycles by parts in a hundred; the bound stays below half of one, so that it is seen.
#[test]
fn cycles_agree_with_double_precision_on_any_size() {
    let machine = machine();
    let mut compared = 0;
    for stated in problems() {
        for (size, settings) in [
            ((3, 3), Settings::default()),
            ((17, 17), Settings::default()),
            ((22, 31), Settings::paper_2003()),
            // Odd periods, and single nodes across.
            ((15, 23), Settings::default()),
            ((65, 3), Settings::default()),
        ] {
            let Ok((problem, _)) = stated.problem(size.0, size.1) else {
                continue;
            };
            let eigenvalue = smallest_eigenvalue(&problem).unwrap();
            for (cycles, agreement) in
                agreement(&machine, &problem, &settings, eigenvalue, &[1, 2, 8]).unwrap()
            {
                let name = format!("{} {size:?} after {cycles}", stated.name());
                println!("{name}: {agreement:?}");
                assert!(agreement.holds(), "{name}: {agreement:?}");
                assert!(agreement.bound < 5e-3, "{name}: {agreement:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 90, "{compared}");
}

/// The operator map is what the CPU computes, to the roundings of its formula: metric, two quotients
/// and three products in single precision, at a position that is rounded itself. Each coarser level
/// adds fourteen roundings at most: of quotient, square, weight, two products and eight additions.
#[test]
fn the_operator_map_is_the_cpus() {
    let machine = machine();
    for stated in problems() {
        for size in [(17, 17), (22, 31), (15, 23), (65, 3)] {
            let Ok((problem, _)) = stated.problem(size.0, size.1) else {
                continue;
            };
            let settings = Settings::default();
            let solver = Solver::new(&machine, &problem, &settings).unwrap();
            let gpu = reference(&solver, &settings).unwrap();
            let levels =
                Level::<f64>::all(&Equations::new(&problem).unwrap(), problem.levels()).unwrap();
            for (level, cpu) in levels.iter().enumerate() {
                let bound = 4e-6 + 1e-6 * level as f64;
                let gpu = gpu.level(level);
                for (got, expected) in gpu.operator.iter().zip(&cpu.operator) {
                    for (got, expected) in got.iter().zip(expected) {
                        let name = stated.name();
                        assert!(
                            (got - expected).abs() <= bound * expected,
                            "{name} {size:?} level {level}: {got} for {expected}"
                        );
                    }
                }
            }
        }
    }
}
